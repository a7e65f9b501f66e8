import { createHash } from 'node:crypto'
import { allRoutes } from '@tizara/contract/all-routes'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { mailJobs } from '../../../src/gateways/mailer/index.ts'
import { runOnce } from '../../../src/jobs/run-worker.ts'
import { accountOf } from '../../../src/ledger/chart-of-accounts.ts'
import { publishTerms, scheduleTerms } from '../../../src/modules/terms-of-use/index.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { testDatabase } from '../../database.ts'
import { testMailbox } from '../../mails.ts'
import { confirmPayoutAddress } from '../../members.ts'
import { MONEY_CALLS, moneyInstance, type Person } from '../../money-calls.ts'

/** Shows that terms of use are asked for before money moves, by the ledger rows of every money route, and how they are accepted. */

const { db } = await testDatabase()
const instance = await moneyInstance(db)
const { at, leader, staff } = instance
const REFUSED = { status: 400, message: `Please accept the terms of use first: ${at.deps.config.publicUrl}/terms` }

const call = (method: string, path: string, who: Person | undefined, body?: object) => at.call(method, path, { token: who?.token, body })
const terms = async () => (await call('GET', '/terms', undefined)).body.data
const accept = async (who: Person, read?: object) => {
  if (read !== undefined) return call('POST', '/terms/accept', who, read)
  const { version, hash } = await terms()
  return call('POST', '/terms/accept', who, { version, hash })
}
const publish = async (text: string) =>
  inTransaction(db, (tx) => publishTerms(tx, { terms: { text, link: null }, decidedBy: null, at: at.clock.now() }))
const rowsOf = (who: Person) => db.selectFrom('terms_of_use_acceptance').selectAll().where('member_id', '=', who.id).execute()
const auditOf = (who: Person) =>
  db.selectFrom('audit_event').select('detail').where('actor_id', '=', who.id).where('action', '=', 'terms.accept').execute()
const buy = (who: Person) => instance.ready('buyToken', who, leader).then((ready) => instance.send(ready))

it('asks for nothing before the operator publishes terms', async () => {
  const who = await instance.person()
  expect(await terms()).toBeNull()
  expect((await call('GET', '/profile', who)).body.data).not.toHaveProperty('termsDue')
  expect((await buy(who)).status).toBe(200)
  expect((await accept(who, { version: 1, hash: 'a'.repeat(64) })).body.message).toBe(
    'The terms of use have changed, please read them again',
  )
})

describe('a version of the terms', () => {
  const propose = (value: object, more: object = {}) =>
    call('POST', '/staff/changes', staff[0], { subject: 'terms-of-use', value, reason: 'our lawyer', ...more })

  it.each<[what: string, value: object, status: number]>([
    ['a link that runs a script', { link: 'javascript:alert(1)' }, 400],
    ['a link without https', { link: 'http://example.com/terms' }, 400],
    ['a text of 5 MB', { text: 'x'.repeat(5_000_000) }, 413],
    ['a text that is one character too long', { text: 'x'.repeat(20_001) }, 400],
    ['a text and a link', { text: 'x', link: 'https://example.com/terms' }, 400],
    ['neither', {}, 400],
    ['an empty text', { text: '  ' }, 400],
  ])('is refused with %s', async (_, value, status) => {
    expect((await propose(value)).status).toBe(status)
  })

  it('takes effect when a second admin approves it, and not before', async () => {
    const { body } = await propose({ text: 'Be fair.\nPay your debts.' })
    expect(await terms()).toBeNull()
    expect((await call('POST', `/staff/changes/${body.data.id}/approve`, staff[0], {})).status).toBe(400)
    expect((await call('POST', `/staff/changes/${body.data.id}/approve`, staff[1], {})).status).toBe(200)
    const hash = createHash('sha256').update('Be fair.\nPay your debts.').digest('hex')
    expect(await terms()).toMatchObject({ text: 'Be fair.\nPay your debts.', link: null, hash })
    expect((await call('GET', '/staff/terms', staff[0])).body.data.versions).toMatchObject([{ hash, state: 'in force' }])
  })

  it('with a later start is listed as planned, and asked of nobody before it', async () => {
    const startsAt = new Date(at.clock.now().getTime() + DAY_MS)
    const { version } = await terms()
    await inTransaction(db, (tx) =>
      scheduleTerms(tx, at.clock.now(), [{ terms: { text: null, link: 'https://example.com/v2' }, decidedBy: null, startsAt }]),
    )
    expect((await call('GET', '/staff/terms', staff[0])).body.data.versions.map((row: { state: string }) => row.state)).toEqual([
      'planned',
      'in force',
    ])
    expect((await terms()).version).toBe(version)
    await inTransaction(db, (tx) => scheduleTerms(tx, at.clock.now(), []))
  })

  it('cannot be changed, and keeps its acceptances', async () => {
    const who = await instance.person()
    await accept(who)
    await expect(sql`update terms_of_use set text = 'other'`.execute(db)).rejects.toThrow()
    await expect(sql`delete from terms_of_use`.execute(db)).rejects.toThrow()
    await expect(sql`update terms_of_use_acceptance set hash = 'x' where member_id = ${who.id}`.execute(db)).rejects.toThrow()
    await expect(sql`delete from terms_of_use_acceptance where member_id = ${who.id}`.execute(db)).rejects.toThrow()
  })
})

describe('money of a member who has not accepted the terms', () => {
  const lastTransfer = async () =>
    (await sql<{ id: bigint }>`select coalesce(max(id), 0) as id from ledger_transfer`.execute(db)).rows[0]?.id ?? 0n
  /** Returns where postings after `since` moved value: the member's `own` wallets, another member, or a system account. */
  async function destinations(who: Person, since: bigint): Promise<string[]> {
    const { rows } = await sql<{ credited: bigint }>`
      select credit_account as credited from ledger_transfer where id > ${since}`.execute(db)
    return rows.map(({ credited }) => {
      const account = accountOf(credited)
      if ('owner' in account) return account.owner === who.id ? 'own' : 'other member'
      return account.system
    })
  }
  const memberRoutes = allRoutes.filter((route) => route.money === true && route.access === 'member').map((route) => route.name)
  const free: string[] = []

  it('is tested for every money route of members', () => {
    expect(memberRoutes.filter((name) => !MONEY_CALLS.includes(name))).toEqual([])
  })

  it.each(memberRoutes)('does not move by %s, unless the call only takes it out', async (route) => {
    const who = await instance.person({ specialRcm: true, sponsorId: leader.id })
    const ready = await instance.ready(route, who, leader)
    const since = await lastTransfer()
    const refused = await instance.send(ready)
    if (refused.status === 200) {
      free.push(route)
      const moved = await destinations(who, since)
      expect(moved.length).toBeGreaterThan(0)
      expect(moved.filter((to) => to !== 'own' && to !== 'SYS-HOLD')).toEqual([])
      return
    }
    expect({ status: refused.status, message: refused.body.message }).toEqual(REFUSED)
    expect(await lastTransfer()).toBe(since)
    expect((await accept(who)).status).toBe(200)
    expect((await instance.send(ready)).status).toBe(200)
  })

  it('leaves by a payout or a bridge, and moves between own wallets of one asset', () => {
    expect(free.toSorted()).toEqual(['bridge', 'exchangeToMyWallet', 'nftToDepositWallet', 'swapNativeToMyWallet', 'withdrawDeposit'])
  })

  it('is not sold by a sell request, and a payout can be cancelled', async () => {
    const who = await instance.person()
    const sell = await call('POST', '/my-wallet/sell-requests', who, { amount: 2000, lowestPrice: 0.001, days: 1 })
    expect({ status: sell.status, message: sell.body.message }).toEqual(REFUSED)
    await confirmPayoutAddress(db, who.id)
    const payout = await instance.send(await instance.ready('withdrawDeposit', who, leader))
    expect((await call('POST', `/withdrawals/requests/${payout.body.data.receipt.id}/cancel`, who)).status).toBe(200)
  })

  it('is still read: wallets, lists and the profile, which says what is due', async () => {
    const who = await instance.person()
    const { version } = await terms()
    expect((await call('GET', '/profile', who)).body.data.termsDue).toBe(version)
    for (const route of ['/user-wallet', '/transactions', '/withdrawals/guard'])
      expect((await call('GET', route, who)).body.message).not.toBe(REFUSED.message)
    expect((await call('GET', '/profile', staff[0])).body.data).not.toHaveProperty('termsDue')
  })
})

describe('an acceptance', () => {
  it('is stored once with version, hash and time, and audited once, when it is sent twice at once', async () => {
    const who = await instance.person()
    const replies = await Promise.all([accept(who), accept(who), accept(who)])
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200])
    const { version, hash } = await terms()
    expect(await rowsOf(who)).toMatchObject([{ version, hash, how: 'app' }])
    expect(await auditOf(who)).toEqual([{ detail: { version, hash, how: 'app' } }])
    expect((await call('GET', `/staff/members/${who.publicId}`, staff[0])).body.data.terms).toMatchObject({
      version,
      hash,
      isInForce: true,
    })
  })

  it.each<[what: string, change: (now: { version: number; hash: string }) => object, status: number]>([
    ['an earlier version', ({ version, hash }) => ({ version: version - 1, hash }), 400],
    ['an unknown version', ({ hash }) => ({ version: 999_999, hash }), 400],
    ['another text', ({ version }) => ({ version, hash: 'a'.repeat(64) }), 400],
    ['no hash', ({ version }) => ({ version }), 400],
    ['a version beyond the numbers of the database', ({ hash }) => ({ version: 2 ** 31, hash }), 400],
    ['text as the version', ({ hash }) => ({ version: "1' or 1", hash }), 400],
  ])('is refused for %s, and changes nothing', async (_, change, status) => {
    const who = await instance.person()
    expect((await accept(who, change(await terms()))).status).toBe(status)
    expect(await rowsOf(who)).toEqual([])
  })

  it('counts for its version only: a new one is asked for, and the old one cannot be accepted', async () => {
    const who = await instance.person()
    const old = await terms()
    await accept(who)
    await publish('The second version.')
    expect((await buy(who)).body.message).toBe(REFUSED.message)
    expect((await accept(who, { version: old.version, hash: old.hash })).status).toBe(400)
    expect((await call('GET', `/staff/members/${who.publicId}`, staff[0])).body.data.terms).toMatchObject({
      version: old.version,
      isInForce: false,
    })
    await accept(who)
    expect((await buy(who)).status).toBe(200)
    expect(await rowsOf(who)).toHaveLength(2)
  })
})

describe('the mailed link', () => {
  const mails = testMailbox()
  beforeAll(async () => {
    await runOnce(db, at.deps, mailJobs(mails))
  })
  const mailed = async (who: Person) => {
    await runOnce(db, at.deps, mailJobs(mails))
    return mails.to(who.email).flatMap(({ text }) => /\/terms#(\S+)/.exec(text)?.[1] ?? [])
  }
  const byLink = async (token: string | undefined, read?: object) => {
    const { version, hash } = await terms()
    return at.call('POST', '/terms/link/accept', { token, body: read ?? { version, hash } })
  }

  it('is sent once for refusals that come together, and accepts the terms without a session', async () => {
    const who = await instance.person()
    await Promise.all([buy(who), buy(who), buy(who)])
    const [token, ...more] = await mailed(who)
    expect(more).toEqual([])
    await buy(who)
    expect(await mailed(who)).toHaveLength(1)
    expect((await byLink(decodeURIComponent(token ?? ''))).status).toBe(200)
    expect(await rowsOf(who)).toMatchObject([{ how: 'link' }])
    expect((await buy(who)).status).toBe(200)
  })

  it('accepts nothing for another member, another text or a later version, such as after a restore', async () => {
    const [who, other] = [await instance.person(), await instance.person()]
    await buy(who)
    const token = decodeURIComponent((await mailed(who))[0] ?? '')
    const { version, hash } = await terms()
    for (const forged of [token.replace(who.publicId, other.publicId), token.replace(hash, 'a'.repeat(64)), `${token}x`, '', undefined])
      expect((await byLink(forged)).body.message).toBe('This link is not valid any more')
    expect((await byLink(token, { version, hash: 'a'.repeat(64) })).body.message).toBe(
      'The terms of use have changed, please read them again',
    )
    await publish('The third version.')
    expect((await byLink(token)).body.message).toBe('The terms of use have changed, please read them again')
    expect((await byLink(token, { version, hash })).body.message).toBe('The terms of use have changed, please read them again')
    expect(await rowsOf(who)).toEqual([])
    // The refusal of the new version sends a new link.
    await buy(who)
    expect(await mailed(who)).toHaveLength(2)
  })

  it('does nothing for a blocked account', async () => {
    const who = await instance.person()
    await buy(who)
    const [token = ''] = await mailed(who)
    await db.updateTable('member').set({ is_active: false }).where('id', '=', who.id).execute()
    expect((await byLink(decodeURIComponent(token))).status).toBe(400)
    expect(await rowsOf(who)).toEqual([])
  })
})
