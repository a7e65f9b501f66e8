import { API_KEY_CALLS_PER_MINUTE, API_KEYS_MAX } from '@tizara/contract/api-keys'
import { allRoutes } from '@tizara/contract/all-routes'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'
import { createPorts } from '../../../main/ports.ts'
import { bindRoutes } from '../../../main/routes.ts'
import { keyRights } from '../../../http/calls/key-rights.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockMember, setActive } from '../../members/index.ts'
import { revokeAllAccess } from '../sessions/revoke-all-access.ts'
import { revokeSessionsOf } from '../sessions/sessions.ts'

const { db } = await testDatabase()
const routes: Parameters<typeof testApp>[1]['routes'] = (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9'))
const app = await testApp(db, { routes })
/** A second API process on the same database. */
const other = await testApp(db, { routes, clock: app.clock })
/** An API process without the raised limits of tests. */
const limited = await testApp(db, { routes, clock: app.clock, env: { RATE_LIMIT_SCALE: '1' } })

const RIGHTS = keyRights.member.map(({ name }) => name)
const INPUT = { name: 'Books', rights: ['userWallet', 'movements'], days: 30, password: TEST_PASSWORD }
const NO_RIGHT = 'This API key has no right to this call'
const REFUSED = 'This API key is not valid from your network'

async function owner(input: object = {}) {
  const member = await createTestMember(db)
  const { token } = await app.signIn(member.id)
  const create = (more: object = {}) => app.call('POST', '/auth/api-keys', { token, body: { ...INPUT, ...input, ...more } })
  const { id, key } = (await create()).body.data as { id: string; key: string }
  return { member, token, create, id, key }
}
const read = (token: string, at: TestApp = app, path = '/user-wallet') => at.call('GET', path, { token: `Bearer ${token}` })
const from = async (token: string, remoteAddress: string) =>
  (await app.app.inject({ url: '/api/v1/user-wallet', headers: { authorization: `Bearer ${token}` }, remoteAddress })).json()

describe('API key of a member', () => {
  it('reads only the calls of its rights, is shown once, and is stored as a digest', async () => {
    const { key, id, token } = await owner()
    expect(key).toMatch(/^tzk_[\w-]{43}$/)
    expect((await read(key)).status).toBe(200)
    expect((await read(key, app, '/profile')).body).toMatchObject({ statusCode: 400, message: NO_RIGHT })
    const list = await app.call('GET', '/auth/api-keys', { token })
    expect(list.body.data.keys).toMatchObject([{ id, name: 'Books', rights: INPUT.rights, networks: [], lastUsedIp: '127.0.0.1' }])
    expect(list.text).not.toContain(key)
    const stored = await db.selectFrom('api_key').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(key.slice(4))
  })

  it('is refused on every call of the contract that it has no right to, whatever rights its row names', async () => {
    const { key, id } = await owner()
    const all = allRoutes.map(({ name }) => name)
    await db.updateTable('api_key').set({ rights: all }).where('public_id', '=', id).execute()
    const answered: string[] = []
    for (const route of allRoutes.filter(({ access }) => access === 'member' || access === 'session' || access === 'staff')) {
      if (RIGHTS.includes(route.name)) continue
      const path = `${route.base === 'invoice' ? '/invoice-api' : ''}${route.path.replaceAll(/:\w+/g, 'x')}`
      const { body } = await app.call(route.method, path, { token: key, body: route.method === 'GET' ? undefined : {} })
      if (body?.message !== NO_RIGHT) answered.push(`${route.name}: ${body?.message}`)
    }
    expect(answered).toEqual([])
  })

  it('can only get a plain name, and rights to reads that move no money', async () => {
    const { create } = await owner()
    for (const { method, money, access, name } of allRoutes.filter((route) => RIGHTS.includes(route.name)))
      expect([name, method, money ?? false, access === 'member' || access === 'session']).toEqual([name, 'GET', false, true])
    for (const name of ['', 'two\nlines', 'turned \u202e text', 'x'.repeat(61)]) expect((await create({ name })).status).toBe(400)
    for (const right of ['createWithdrawal', 'listSessions', 'listApiKeys', 'ownJobFile', 'staffOverview', 'payoutLink', 'x'])
      expect((await create({ rights: ['userWallet', right] })).body.errorMessages).toEqual([
        { path: 'rights', message: 'A key cannot have this right' },
      ])
  })

  it('answers every call that it has the right to for its owner', async () => {
    const { key } = await owner({ rights: RIGHTS })
    const refused: string[] = []
    for (const route of allRoutes.filter(({ name }) => RIGHTS.includes(name))) {
      const { status, body } = await read(key, app, route.path.replaceAll(/:\w+/g, 'x'))
      if (status === 401 || body?.message === NO_RIGHT) refused.push(route.name)
    }
    expect(refused).toEqual([])
  })

  it('is refused without the proof of its owner, for staff, and above the maximum', async () => {
    const { create } = await owner()
    expect((await create({ password: 'wrong-password-1' })).status).toBe(400)
    for (let count = 1; count < API_KEYS_MAX; count += 1) expect((await create()).status).toBe(200)
    expect((await create()).body.message).toBe('Please end an API key first')
    const staff = await createTestMember(db, { role: 'SUPPORT' })
    const { token } = await app.signIn(staff.id)
    expect((await app.call('POST', '/auth/api-keys', { token, body: INPUT })).body.message).toBe('Staff accounts have no wallets')
  })

  it('is refused after its last day, and cannot be valid for more than a year', async () => {
    const { key, create } = await owner({ days: 1 })
    for (const days of [0, 1.5, 366, -1, '30', null]) expect((await create({ days })).status).toBe(400)
    app.clock.advance(DAY_MS - 1)
    expect((await read(key)).status).toBe(200)
    app.clock.advance(1)
    expect((await read(key)).status).toBe(401)
  })

  it('is refused from other networks', async () => {
    const { key, create } = await owner({ networks: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'] })
    for (const ip of ['192.0.2.255', '::ffff:192.0.2.1', '2001:db8:ffff::1', '198.51.100.7'])
      expect([ip, (await from(key, ip)).statusCode]).toEqual([ip, 200])
    for (const ip of ['192.0.3.0', '::ffff:192.0.3.1', '2001:db9::1', '198.51.100.8', '127.0.0.1'])
      expect([ip, (await from(key, ip)).message]).toEqual([ip, REFUSED])
    for (const network of ['192.0.2.0/33', '2001:db8::/129', '192.0.2', '1.2.3.4/', '1.2.3.4/8/8', '1.2.3.4/-1', 'localhost', '::g', ''])
      expect([network, (await create({ networks: [network] })).status]).toEqual([network, 400])
  })

  it('is ended by its owner only, and is refused at once by another process', async () => {
    const [one, stranger] = [await owner(), await owner()]
    expect((await app.call('POST', `/auth/api-keys/${one.id}/end`, { token: stranger.token })).status).toBe(404)
    expect((await read(one.key, other)).status).toBe(200)
    expect((await app.call('POST', `/auth/api-keys/${one.id}/end`, { token: one.token })).status).toBe(200)
    expect((await read(one.key, other)).status).toBe(401)
    expect((await app.call('POST', `/auth/api-keys/${one.id}/end`, { token: one.token })).status).toBe(404)
    expect((await read(stranger.key, other)).status).toBe(200)
  })

  it('is ended by all that ends the sessions of its owner, and by a restore', async () => {
    const password = await owner()
    const body = { oldPassword: TEST_PASSWORD, newPassword: 'other-harbour-94', confirmPassword: 'other-harbour-94' }
    expect((await app.call('POST', '/auth/change-password', { token: password.token, body })).status).toBe(200)
    expect((await read(password.key)).status).toBe(401)

    const blocked = await owner()
    await inTransaction(db, async (tx) => {
      await lockMember(tx, blocked.member.id)
      await revokeSessionsOf(tx, blocked.member.id, 'blocked', app.clock.now())
    })
    expect((await read(blocked.key)).status).toBe(401)

    const [restored, ended] = [await owner(), await owner()]
    await app.call('POST', `/auth/api-keys/${ended.id}/end`, { token: ended.token })
    // A backup can contain a key that was ended after it was made.
    await db.updateTable('api_key').set({ ended_at: null }).where('public_id', '=', ended.id).execute()
    await inTransaction(db, (tx) => revokeAllAccess(tx, app.clock.now()))
    for (const { key } of [restored, ended]) expect((await read(key)).status).toBe(401)
  })

  it('is refused while its owner is blocked, or has a staff role', async () => {
    const { key, member } = await owner()
    await inTransaction(db, (tx) => setActive(tx, { id: member.id, isActive: false, at: app.clock.now() }))
    expect((await read(key)).status).toBe(401)
    await inTransaction(db, (tx) => setActive(tx, { id: member.id, isActive: true, at: app.clock.now() }))
    expect((await read(key)).status).toBe(200)
    await db.updateTable('member').set({ role: 'ADMIN' }).where('id', '=', member.id).execute()
    expect((await read(key)).status).toBe(401)
  })

  it('has its own limit, which calls from other networks do not use up', async () => {
    const [one, second] = [await owner({ networks: ['127.0.0.1'] }), await owner()]
    for (let count = 0; count < API_KEY_CALLS_PER_MINUTE; count += 50)
      await Promise.all(
        Array.from({ length: 50 }, () =>
          limited.app.inject({
            url: '/api/v1/user-wallet',
            headers: { authorization: `Bearer ${one.key}` },
            remoteAddress: '192.0.2.1',
          }),
        ),
      )
    expect((await read(one.key, limited)).status).toBe(200)
    await db.updateTable('rate_limit').set({ hits: API_KEY_CALLS_PER_MINUTE }).where('key', 'like', 'api-key:%').execute()
    expect((await read(one.key, limited)).status).toBe(429)
    expect((await read(second.key, limited)).status).toBe(200)
  })

  it('stores its last use at most once a minute', async () => {
    const { key, id } = await owner()
    const lastUse = async () =>
      (await db.selectFrom('api_key').select('last_used_at').where('public_id', '=', id).executeTakeFirstOrThrow()).last_used_at
    await read(key)
    const first = await lastUse()
    app.clock.advance(59_000)
    await read(key)
    expect(await lastUse()).toEqual(first)
    app.clock.advance(1_000)
    await read(key)
    expect(await lastUse()).toEqual(app.clock.now())
  })
})
