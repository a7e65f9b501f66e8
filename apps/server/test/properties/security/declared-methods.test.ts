import { allRoutes } from '@tizara/contract/all-routes'
import { beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember } from '../../members.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

let at: TestApp
beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9')) })
})

it.each(['ADMIN', 'MEMBER'] as const)('no call accepts another method, especially not GET or HEAD: %s', async (role) => {
  const { token } = await at.signIn((await createTestMember(at.db, { role })).id)
  const isDeclared = (method: string, path: string) =>
    allRoutes.some((route) => route.method === method && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
  const answered: string[] = []
  for (const path of new Set(allRoutes.map((route) => route.path.replace(/:\w+/g, 'x'))))
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      // HEAD on a GET page returns the same page without a body.
      if (isDeclared(method === 'HEAD' ? 'GET' : method, path) || isDeclared(method, path)) continue
      const { status } = await at.call(method, path, { token })
      if (status !== 404 && status !== 405) answered.push(`${method} ${path} ${status}`)
    }
  expect(answered).toEqual([])
})
