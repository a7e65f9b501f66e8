import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { fund } from '../../../test/members.ts'
import { buyToken } from '../coin/index.ts'
import { currentSettings } from '../settings/index.ts'
import { openTicket } from '../support/index.ts'
import { inTransaction } from '../../platform/database.ts'
import { type StaffHouse, staffHouse } from '../../../test/staff-house.ts'

let house: StaffHouse
beforeAll(async () => {
  house = await staffHouse()
})

interface Call {
  /** Who may make it. */
  right: 'SUPPORT' | 'ADMIN'
  /** Prepares something to act on, and gives path and body of a call that is right in every other way. */
  prepare(): Promise<{ path: string; body?: unknown }>
}

const reason = 'checked'
const at = (path: string, body?: unknown) => async () => ({ path, body })
const aboutMember =
  (what: string, body: object, wishes = {}) =>
  async () => {
    const who = await house.person(wishes)
    return { path: `/staff/members/${who.publicId}${what}`, body: { ...body, reason } }
  }
const aboutRequest = (what: string) => async () => ({
  path: `/staff/queues/withdrawals/${await house.withdrawal(await house.person(), 20n)}/${what}`,
  body: { reason },
})
const aboutTicket = (what: string, body?: object) => async () => {
  const id = await inTransaction(house.at.db, (tx) =>
    openTicket(tx, house.at.deps, {
      memberId: house.member.id,
      title: 'T',
      description: 'D',
      picture: { contentType: 'image/webp', bytes: Buffer.from('x') },
    }),
  )
  return { path: `/staff/tickets/${id}${what}`, ...(body === undefined ? {} : { body }) }
}
const aboutChange = (what: string) => async () => {
  const body = { subject: 'popup', value: { title: 'T', message: String(Math.random()), isActive: true }, reason }
  const { body: made } = await house.post('/staff/changes', house.checker, body)
  return { path: `/staff/changes/${made.data.id}/${what}`, body: { reason } }
}

const aboutPurchase = async () => {
  const who = await house.person()
  await fund(house.at.db, who.id, 'depositWallet', 100n * ONE)
  const { coinPrice } = await currentSettings(house.at.db)
  const bought = { memberId: who.id, coinAmount: 1000n * ONE, coinPrice, totalPrice: 1000n * coinPrice }
  const id = await inTransaction(house.at.db, (tx) => buyToken(tx, house.at.deps, bought))
  return { path: `/staff/purchases/coin/${id}/undo`, body: { reason } }
}

const calls: Readonly<Record<string, Call>> = {
  staffOverview: { right: 'SUPPORT', prepare: at('/staff/overview') },
  staffQueue: { right: 'SUPPORT', prepare: at('/staff/queues/bridges') },
  approveRequest: { right: 'ADMIN', prepare: aboutRequest('approve') },
  rejectRequest: { right: 'ADMIN', prepare: aboutRequest('reject') },
  staffMembers: { right: 'SUPPORT', prepare: at('/staff/members') },
  staffMemberDetail: { right: 'SUPPORT', prepare: aboutMember('', {}) },
  setMemberStatus: { right: 'ADMIN', prepare: aboutMember('/status', { status: false }) },
  setSpecialRcm: { right: 'ADMIN', prepare: aboutMember('/special-rcm', { isSpecialRcm: true }) },
  creditRcm: { right: 'ADMIN', prepare: aboutMember('/credit-rcm', { amount: 1 }, { specialRcm: true }) },
  staffPurchases: { right: 'SUPPORT', prepare: aboutMember('/purchases', {}) },
  undoPurchase: { right: 'ADMIN', prepare: aboutPurchase },
  endMemberSessions: { right: 'ADMIN', prepare: aboutMember('/end-sessions', {}) },
  staffTickets: { right: 'SUPPORT', prepare: at('/staff/tickets') },
  staffTicketDetail: { right: 'SUPPORT', prepare: aboutTicket('') },
  answerTicket: { right: 'SUPPORT', prepare: aboutTicket('/reply', { message: 'Hello' }) },
  closeTicketAsStaff: { right: 'SUPPORT', prepare: aboutTicket('/close', {}) },
  fundRewardPool: { right: 'ADMIN', prepare: at('/staff/reward-pool/fund', { asset: 'coin', amount: 1, reason }) },
  staffRewardPool: { right: 'SUPPORT', prepare: at('/staff/reward-pool') },
  grantRole: {
    right: 'ADMIN',
    prepare: async () => at('/staff/roles', { email: (await house.person()).email, role: 'SUPPORT', reason })(),
  },
  resetSecondFactor: {
    right: 'ADMIN',
    prepare: async () => {
      const { id, email } = await house.person()
      await house.at.db.updateTable('member').set({ second_factor: true }).where('id', '=', id).execute()
      await house.at.db
        .insertInto('second_factor')
        .values({ member_id: id, sealed_secret: Buffer.from('x'), created_at: house.at.clock.now() })
        .execute()
      return at('/staff/second-factor-resets', { email, reason })()
    },
  },
  staffRewardRuns: { right: 'ADMIN', prepare: at('/staff/reward-runs') },
  startRewardRun: { right: 'ADMIN', prepare: at('/staff/reward-runs', {}) },
  staffSharedTraces: { right: 'SUPPORT', prepare: at('/staff/shared-traces') },
  staffAudit: { right: 'ADMIN', prepare: at('/staff/audit') },
  staffCatalogue: { right: 'ADMIN', prepare: at('/staff/catalogue') },
  staffChanges: { right: 'ADMIN', prepare: at('/staff/changes') },
  proposeChange: { right: 'ADMIN', prepare: at('/staff/changes', { subject: 'price', value: { coinPrice: 0.007 }, reason }) },
  approveChange: { right: 'ADMIN', prepare: aboutChange('approve') },
  refuseChange: { right: 'ADMIN', prepare: aboutChange('refuse') },
}

const staffCalls = allRoutes.filter((route) => route.access === 'staff')

/** A multipart body with text fields only. */
function multipart(fields: object) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  )
  return { payload: `${parts.join('')}--xyz--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=xyz' } }
}

const deedsOf = (id: bigint) =>
  house.at.db.selectFrom('audit_event').select(['action', 'outcome']).where('actor_id', '=', id).orderBy('id').execute()

describe('who may make which staff call', () => {
  it('names every one', () => {
    expect(Object.keys(calls).toSorted()).toEqual(staffCalls.map((route) => route.name).toSorted())
  })

  it.each(staffCalls.map((route) => [route.name, route] as const))('[GN-04] [RT-17] [I17] %s', async (name, route) => {
    const call = calls[name]
    if (call === undefined) throw new Error(`no call for ${name}`)
    const { path, body } = await call.prepare()
    const make = async (token: string | undefined) => {
      if (route.upload === undefined) return (await house.at.call(route.method, path, { token, body })).status
      const sent = multipart(body as object)
      const headers = token === undefined ? sent.headers : { ...sent.headers, authorization: token }
      return (await house.at.app.inject({ method: 'POST', url: `/api/v1${path}`, payload: sent.payload, headers })).statusCode
    }
    expect(await make(undefined)).toBe(401)
    expect(await make(house.member.token)).toBe(404)
    expect(await deedsOf(house.member.id)).toEqual([])
    const before = (await deedsOf(house.support.id)).length
    expect(await make(house.support.token)).toBe(call.right === 'SUPPORT' ? 200 : 404)
    const written = route.method === 'GET' ? 0 : 1
    const bySupport = (await deedsOf(house.support.id)).slice(before)
    expect(bySupport.filter((deed) => deed.outcome === 'ok')).toHaveLength(call.right === 'SUPPORT' ? written : 0)
    if (call.right === 'SUPPORT' && written === 1) return
    const earlier = (await deedsOf(house.maker.id)).length
    expect(await make(house.maker.token)).toBe(200)
    expect((await deedsOf(house.maker.id)).length - earlier).toBe(written)
  })
})
