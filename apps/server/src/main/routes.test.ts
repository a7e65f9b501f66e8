import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'
import type { Bind } from '../http/bind-route.ts'
import { readConfig } from '../platform/config.ts'
import { createPorts } from './ports.ts'
import { bindRoutes } from './routes.ts'

it('binds every call of the contract, once', () => {
  const bound: string[] = []
  const note = (route: { name: string }) => void bound.push(route.name)
  const bind: Bind = { read: note, write: note, outside: note, file: note, money: note, moneyTogether: note }
  bindRoutes(bind, createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9'))
  expect(bound.toSorted()).toEqual(allRoutes.map((route) => route.name).toSorted())
})
