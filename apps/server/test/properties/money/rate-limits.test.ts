import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { AUTH_LIMIT } from '../../../src/http/calls/rate-limit.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

const { db } = await testDatabase()
const at = await testApp(db, {
  routes: (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9')),
  env: { RATE_LIMIT_SCALE: '1' },
})
const limited = allRoutes.filter((route) => route.limited === true)

it.each(limited.map((route) => [route.name, route] as const))(
  '[ER-02] [ER-10] [ER-44] [ER-45] [ER-46] %s accepts ten calls per address, and then answers how long to wait',
  async (_, route) => {
    const call = () => at.call(route.method, route.path.replace(/:\w+/g, 'some'), { body: {} })
    for (let count = 0; count < AUTH_LIMIT.hits; count += 1) expect((await call()).status).not.toBe(429)
    at.clock.advance(60_000)
    const refused = await call()
    expect(refused).toMatchObject({ status: 429, body: { message: 'Too many requests, please try again later' } })
    expect(refused.headers['retry-after']).toBe(String(AUTH_LIMIT.windowMs / 1000 - 60))
    at.clock.advance(AUTH_LIMIT.windowMs - 60_000 - 1)
    expect((await call()).status).toBe(429)
    at.clock.advance(1)
    expect((await call()).status).not.toBe(429)
  },
)
