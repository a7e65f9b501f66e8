import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { HDKey } from '@scure/bip32'
import { allRoutes } from '@tizara/contract/all-routes'
import { describe, expect, it } from 'vitest'
import type { Bind } from '../http/calls/bind-route.ts'
import { readConfig } from '../platform/config/config.ts'
import { createPorts } from './ports.ts'
import { bindRoutes } from './routes.ts'

const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 3)).publicExtendedKey
// Simulates the development chain, which has an additional payment route.
const token = `0x${'7'.repeat(40)}`
const chain = { CHAIN_ID: '31337', CHAIN_RPC_URL: 'http://127.0.0.1:9', CHAIN_TOKEN: token, CHAIN_XPUB: XPUB }
const config = readConfig({ NODE_ENV: 'test', ...chain, CHAIN_USD_TOKEN: `0x${'8'.repeat(40)}`, PAYOUTS: 'automatic' })

it('binds every call of the contract once', () => {
  const bound: string[] = []
  const note = (route: { name: string }) => void bound.push(route.name)
  const bind: Bind = { read: note, write: note, withoutTransaction: note, file: note, money: note, moneyBatch: note }
  bindRoutes(bind, createPorts(config, 'http://127.0.0.1:9'))
  expect(bound.toSorted()).toEqual(allRoutes.map((route) => route.name).toSorted())
})

describe('replica', () => {
  it('is given only to reads, which are all GET', () => {
    const reads: string[] = []
    const note = (route: { name: string }) => void reads.push(route.name)
    const none = () => undefined
    bindRoutes(
      { read: note, file: note, write: none, withoutTransaction: none, money: none, moneyBatch: none },
      createPorts(config, 'http://127.0.0.1:9'),
    )
    const gets = allRoutes.filter(({ method }) => method === 'GET')
    expect(reads.toSorted()).toEqual(gets.map(({ name }) => name).toSorted())
    expect(gets.filter((route) => route.money === true)).toEqual([])
  })

  it('is used by no other code', async () => {
    const own = fileURLToPath(new URL('../', import.meta.url))
    const found: string[] = []
    for await (const file of glob('**/*.ts', { cwd: own }))
      if (
        !file.endsWith('.test.ts') &&
        /platform\/db\/replica\.ts'|'\.{1,2}\/(?:db\/)?replica\.ts'/.test(await readFile(path.join(own, file), 'utf8'))
      )
        found.push(file)
    expect(found.toSorted()).toEqual([
      'diagnostics/metrics/worker-metrics.ts',
      'http/calls/bind-route.ts',
      'http/calls/read-call.ts',
      'http/server/app.ts',
      'http/server/health.ts',
      'jobs/background-job.ts',
      'jobs/background-jobs.job.ts',
      'main/build-app.ts',
      'main/jobs.ts',
      'main/process/api.ts',
      'main/process/worker.ts',
      'platform/runtime/process-metrics.ts',
    ])
  })
})
