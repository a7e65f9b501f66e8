import type { Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { PAYOUT_ADDRESS, TEST_PASSWORD } from '../../members.ts'
import { MONEY_CALLS, type MoneyInstance, moneyInstance, type Person } from '../../money-calls.ts'

const { db } = await testDatabase()

/** Returns true for public ids: the catalogue, and receipt kinds. */
const isShared = (id: string) => /^(plan-|nft-)/.test(id)

let instance: MoneyInstance
let owner: Person
let stranger: Person
/** Ids visible to the owner, by their last location. */
const ids = new Map<string, string>()
const form = (fields: Record<string, string>) =>
  `${Object.entries(fields)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--b--\r\n`
const send = (route: Pick<Route, 'method'>, path: string, who: Person, body?: object | string) =>
  instance.at.app.inject({
    method: route.method,
    url: path.startsWith('/invoice-api') ? path : `/api/v1${path}`,
    headers: { authorization: who.token, ...(typeof body === 'string' ? { 'content-type': 'multipart/form-data; boundary=b' } : {}) },
    ...(body === undefined ? {} : { payload: body }),
  })
const isLive = ({ path }: Route) => /live/i.test(path)
const lists = allRoutes.filter((route) => route.method === 'GET' && route.access !== 'staff' && !route.path.includes(':') && !isLive(route))
const withIds = allRoutes.filter(
  (route) => route.access !== 'staff' && route.access !== 'public' && route.path.includes(':') && !isLive(route),
)

beforeAll(async () => {
  instance = await moneyInstance(db)
  owner = await instance.person({ specialRcm: true })
  stranger = await instance.person({ specialRcm: true })
  for (const route of MONEY_CALLS) await instance.send(await instance.ready(route, owner, instance.member))
  await instance.at.call('POST', '/withdrawals/addresses', {
    token: owner.token,
    body: { address: PAYOUT_ADDRESS, label: 'Mine', password: TEST_PASSWORD },
  })
  await send({ method: 'POST' }, '/ticket/create', owner, form({ title: 'Help', description: 'Me' }))
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string' && /(^id$|Id$|^no$|_id$)/.test(key) && value.length >= 8 && !isShared(value)) ids.set(value, key)
    if (typeof value === 'object' && value !== null) for (const [name, item] of Object.entries(value)) collect(item, name)
  }
  for (const route of lists) {
    const reply = await send(route, route.path, owner)
    if (reply.statusCode === 200 && (reply.headers['content-type'] ?? '').includes('json')) collect(JSON.parse(reply.body), '')
  }
})

it('[I12] objects and addresses of another member appear in no list', async () => {
  expect(ids.size).toBeGreaterThan(10)
  const mine = (await send({ method: 'GET' }, '/profile', stranger)).json().data
  expect(mine.email).toBe(stranger.email)
  for (const route of lists) {
    // Tries any query, including another member's id.
    for (const query of [
      '',
      `?userId=${owner.publicId}`,
      `?id=${owner.publicId}&memberId=${owner.id}&email=${owner.email}&q=${owner.email}`,
    ]) {
      const { body } = await send(route, `${route.path}${query}`, stranger)
      const found = [...ids.keys(), owner.email, owner.publicId, owner.referralCode].filter((one) => body.includes(one))
      expect([route.name, query, found]).toEqual([route.name, query, []])
    }
  }
})

it.each(withIds.map((route) => [route.name, route] as const))(
  '[I12] [RO-14] objects of another member answer 404: %s',
  async (_, route) => {
    const open = [...ids.keys(), owner.publicId, String(owner.id)]
    for (const id of open) {
      // Uses every existing kind in a path with kind and id.
      const kinds = /:kind/.test(route.path)
        ? ['buy-token', 'stake', 'nft-purchase', 'withdrawal', 'bridge', 'deposit', 'ticket', 'exchange']
        : ['']
      for (const kind of kinds) {
        const path = route.path.replace(':kind', kind).replace(/:\w+/, encodeURIComponent(id)).replace(/:\w+/g, 'x')
        const proof = { password: TEST_PASSWORD, amount: 1, address: PAYOUT_ADDRESS, name: 'x', message: 'x', reason: 'x' }
        for (const body of route.method === 'GET' ? [undefined] : [{}, { password: TEST_PASSWORD }, proof]) {
          const reply = await send(route, path, stranger, body)
          expect([path, reply.statusCode >= 400 && reply.statusCode < 500]).toEqual([path, true])
          expect([path, reply.body.includes(owner.email)]).toEqual([path, false])
        }
      }
    }
  },
)

it('[I12] objects are readable for their owner by the same calls', async () => {
  const reads = withIds.filter((route) => route.method === 'GET')
  const opened = new Set<string>()
  for (const route of reads) {
    for (const [id] of ids) {
      const path = route.path.replace(':kind', 'buy-token').replace(/:\w+/, id)
      if ((await send(route, path, owner)).statusCode === 200) opened.add(route.name)
    }
  }
  expect([...opened]).not.toEqual([])
})
