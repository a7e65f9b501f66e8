import { allRoutes } from '@tizara/contract/all-routes'
import { OPERATOR_KEYS_MAX } from '@tizara/contract/staff-api-keys'
import { expect, it } from 'vitest'
import { instance, openStaffApp, reason, staff } from '../../../../test/staff-calls.ts'
import type { Person } from '../../../../test/staff-instance.ts'
import { keyRights } from '../../../http/calls/key-rights.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { addOperatorKey, revokeAllAccess } from '../../auth/index.ts'

await openStaffApp()
const { db, deps, clock } = instance.at
const NO_RIGHT = 'This API key has no right to this call'
const VALUE = { name: 'Figures', rights: ['staffBusiness'], networks: [], days: 30 }

const propose = (by: Person, value: object = {}) =>
  instance.post('/staff/changes', by, { subject: 'api-key', value: { ...VALUE, ...value }, reason })
const list = async (by: Person) => (await instance.get('/staff/api-keys', by)).body.data.keys
const fetchKey = (by: Person, id: string) => instance.post(`/staff/api-keys/${id}/fetch`, by)
const read = (key: string, path = '/staff/business') => instance.at.call('GET', path, { token: `Bearer ${key}` })

/** Creates a key of a new admin, by two people. */
async function approvedKey(value: object = {}) {
  const owner = await instance.person({ role: 'ADMIN' })
  const { id: proposal } = (await propose(owner, value)).body.data
  expect((await instance.post(`/staff/changes/${proposal}/approve`, instance.checker)).status).toBe(200)
  const [{ id }] = await list(owner)
  const { key } = (await fetchKey(owner, id)).body.data as { key: string }
  return { owner, id, key }
}

it('creates a key of the operator by two people, and shows it once to its owner', async () => {
  const owner = await instance.person({ role: 'ADMIN' })
  const { id: proposal } = (await propose(owner)).body.data
  expect(await list(owner)).toEqual([])
  expect((await instance.post(`/staff/changes/${proposal}/approve`, owner)).status).toBe(400)
  expect((await instance.post(`/staff/changes/${proposal}/approve`, instance.checker)).status).toBe(200)
  const [{ id, canFetch }] = await list(owner)
  expect(canFetch).toBe(true)
  expect((await list(instance.checker))[0]).toMatchObject({ id, canFetch: false })
  expect((await fetchKey(instance.checker, id)).status).toBe(404)
  const replies = await Promise.all([fetchKey(owner, id), fetchKey(owner, id)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const key = String(replies.find(({ status }) => status === 200)?.body.data.key)
  expect((await read(key)).status).toBe(200)
  expect((await read(key, '/staff/health')).body.message).toBe(NO_RIGHT)
})

it('refuses a key on every call of the contract that it has no right to, whatever rights its row names', async () => {
  const { key, id } = await approvedKey()
  await db
    .updateTable('api_key')
    .set({ rights: allRoutes.map(({ name }) => name) })
    .where('public_id', '=', id)
    .execute()
  const names = keyRights.operator.map(({ name }) => name)
  const answered: string[] = []
  for (const route of allRoutes.filter(({ access }) => access === 'member' || access === 'session' || access === 'staff')) {
    if (names.includes(route.name)) continue
    const path = `${route.base === 'invoice' ? '/invoice-api' : ''}${route.path.replaceAll(/:\w+/g, 'x')}`
    const { status, body } = await instance.at.call(route.method, path, { token: key, body: route.method === 'GET' ? undefined : {} })
    // The app of this test does not bind the routes of all modules.
    if (body?.message !== NO_RIGHT && !(status === 404 && route.access !== 'staff')) answered.push(`${route.name}: ${status}`)
  }
  expect(answered).toEqual([])
})

it('gives rights only to reads of staff with a reading class and without personal data', async () => {
  const isReadable = ({ method, access, personal, money, keyReads }: (typeof allRoutes)[number]) =>
    method === 'GET' && access === 'staff' && personal === undefined && money === undefined && keyReads !== undefined
  expect(keyRights.operator.map(({ name }) => name).toSorted()).toEqual(
    allRoutes
      .filter(isReadable)
      .map(({ name }) => name)
      .toSorted(),
  )
  // A class on another call would have no effect, and its author would not notice.
  expect(allRoutes.filter((route) => route.keyReads !== undefined && !isReadable(route)).map(({ name }) => name)).toEqual([])
  const reads = allRoutes.filter(({ access, method }) => access === 'staff' && method === 'GET')
  const refused = reads.filter((route) => !isReadable(route)).map(({ name }) => name)
  expect(refused).toEqual(
    expect.arrayContaining(['staffLogo', 'staffTermsOfUse', 'staffPayoutRules', 'staffPeople', 'staffMails', 'savedReplies']),
  )
  const filed: string[] = []
  for (const right of [...refused, 'approveRequest', 'userWallet', 'x'])
    if ((await propose(instance.maker, { rights: [right] })).status !== 400) filed.push(right)
  expect(filed).toEqual([])
  expect((await propose(instance.maker, { networks: ['10.0.0.0/33'] })).status).toBe(400)
  expect((await propose(instance.maker, { days: 366 })).status).toBe(400)
})

it('ends a key with the sessions of its owner: by another role, a block, and for staff by one admin', async () => {
  const demoted = await approvedKey()
  expect((await instance.byTwo('/staff/roles', { email: demoted.owner.email, role: 'FINANCE', reason })).status).toBe(200)
  expect((await read(demoted.key)).status).toBe(401)
  const blocked = await approvedKey()
  await db.updateTable('member').set({ is_active: false }).where('id', '=', blocked.owner.id).execute()
  expect((await read(blocked.key)).status).toBe(401)

  const ended = await approvedKey()
  expect((await instance.post(`/staff/api-keys/${ended.id}/end`, staff.FINANCE, { reason })).status).toBe(404)
  expect((await instance.post(`/staff/api-keys/${ended.id}/end`, instance.maker, { reason })).status).toBe(200)
  expect((await read(ended.key)).status).toBe(401)
  expect((await instance.post(`/staff/api-keys/${ended.id}/end`, instance.maker, { reason })).status).toBe(404)
})

it('is refused when its owner has left the staff, and when it has expired', async () => {
  const { key, owner } = await approvedKey({ days: 1 })
  await db.updateTable('member').set({ role: 'MEMBER' }).where('id', '=', owner.id).execute()
  expect((await read(key)).status).toBe(401)
  await db.updateTable('member').set({ role: 'ADMIN' }).where('id', '=', owner.id).execute()
  expect((await read(key)).status).toBe(200)
  // The role SUPPORT may not read these figures.
  await db.updateTable('member').set({ role: 'SUPPORT' }).where('id', '=', owner.id).execute()
  expect((await read(key)).status).toBe(404)
  await db.updateTable('member').set({ role: 'ADMIN' }).where('id', '=', owner.id).execute()
  await db.updateTable('api_key').set({ expires_at: clock.now() }).where('member_id', '=', owner.id).execute()
  expect((await read(key)).status).toBe(401)
})

it('is not proposed above the maximum of live keys', async () => {
  await inTransaction(db, async (tx) => {
    for (let count = 0; count < OPERATOR_KEYS_MAX; count += 1) await addOperatorKey(tx, deps, instance.third.id, VALUE)
  })
  expect((await propose(instance.maker)).body.message).toBe('Please end an API key first')
})

it('ends keys that nobody has fetched at a restore too', async () => {
  const owner = await instance.person({ role: 'ADMIN' })
  const id = await inTransaction(db, (tx) => addOperatorKey(tx, deps, owner.id, VALUE))
  await inTransaction(db, (tx) => revokeAllAccess(tx, clock.now()))
  const { token } = await instance.at.signIn(owner.id)
  expect((await fetchKey({ ...owner, token }, id)).status).toBe(404)
})
