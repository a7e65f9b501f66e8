import { ONE } from '@tizara/money'
import { beforeEach, describe, expect, it } from 'vitest'
import { runAudit } from '../../../ledger/index.ts'
import { firstApproval } from '../../deposits/first-approval.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { auditChecks } from '../../deposits/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { applySettings } from '../../settings/index.ts'
import { openTicket } from '../../support/index.ts'
import { type Person, type StaffHouse, staffHouse } from '../../../../test/staff-house.ts'

const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

let house: StaffHouse
let puppet: Person
beforeEach(async () => {
  house = await staffHouse()
  puppet = await house.person()
})

/** Links two members by shared traces. */
const trace = (below: Person, above: Person) => {
  const seen = { first_seen_at: house.at.clock.now(), last_seen_at: house.at.clock.now() }
  const alike = { level: 1, same_address: true, same_device: true, same_payout_address: false, ...seen }
  return house.at.db
    .insertInto('shared_trace')
    .values({ member_id: below.id, upline_id: above.id, ...alike })
    .execute()
}

/** Signs a person in from an IP address. */
const from = async (who: Person, ip: string) => {
  const { sessionId } = await house.at.signIn(who.id)
  await house.at.db.updateTable('session').set({ ip }).where('id', '=', sessionId).execute()
}

const depositRow = (id: string) => house.at.db.selectFrom('deposit').select('id').where('public_id', '=', id).executeTakeFirstOrThrow()
type Queue = 'withdrawals' | 'bridges' | 'deposits'
/** Approves a request as one person, with its credit. Returns the status or the error message. */
async function decide(kind: Queue, id: string, who: Person, amount?: number): Promise<string> {
  const { body } = await house.post(`/staff/queues/${kind}/${id}/approve`, who, {
    reason: 'x',
    ...(amount === undefined ? {} : { amount }),
  })
  return body.data?.status ?? body.message
}
/** Works like `decide`, after checking the prediction in the list and item. */
async function approve(kind: Queue, id: string, who: Person, amount?: number): Promise<string> {
  const list = await house.get(`/staff/queues/${kind}`, who)
  const rows: { id: string; approvalsNeeded: number; approvals: unknown[] }[] = list.body.data?.data ?? []
  const shown = rows.find((row) => row.id === id)
  const item = (await house.get(`/staff/queues/${kind}/${id}`, who)).body.data
  const status = await decide(kind, id, who, amount)
  const given = shown?.approvals.length ?? 0
  if (status === 'WAITING') expect([shown?.approvalsNeeded, given, item.effect]).toEqual([2, 0, 'counts'])
  if (status === 'APPROVED') expect([shown?.approvalsNeeded, item.approvalsNeeded]).toEqual([given + 1, given + 1])
  if (status === 'APPROVED' && item.canDecide === true) expect(item.effect).toBe('pays')
  return status
}
async function nextDay(): Promise<void> {
  house.at.clock.advance(DAY_MS)
  house.maker.token = (await house.at.signIn(house.maker.id)).token
}
const TWO = 'Another staff member has to approve this'

describe('deciding about money alone (limits 1,000 USD and 100,000 coin in 24 hours)', () => {
  it('[I7] sums any 24 hours: the last moment of a day and the first of the next, till a slice is a day old', async () => {
    const at = async (moment: string) => {
      house.at.clock.set(moment)
      house.maker.token = (await house.at.signIn(house.maker.id)).token
    }
    const slice = async () => approve('withdrawals', await house.withdrawal(await house.person(), 600n), house.maker)
    const answers: string[] = []
    for (const moment of [
      '2026-03-04T23:59:59.999Z',
      '2026-03-05T00:00:00.000Z',
      '2026-03-05T23:59:59.998Z',
      '2026-03-05T23:59:59.999Z',
      // Another server's clock lags: decisions in its future count.
      '2026-03-05T23:00:00.000Z',
    ]) {
      await at(moment)
      answers.push(await slice())
    }
    expect(answers).toEqual(['APPROVED', 'WAITING', 'WAITING', 'APPROVED', 'WAITING'])
  })

  it('never credits a hosted deposit that the provider knows no payment of, however small', async () => {
    const id = await house.deposit(puppet, 1n)
    expect(await approve('deposits', id, house.maker, 1)).toBe('WAITING')
    expect(await approve('deposits', id, house.maker, 1)).toBe(TWO)
    expect(await house.balance(puppet, 'depositWallet')).toBe(0n)
    expect(await approve('deposits', id, house.checker, 1)).toBe('APPROVED')
    expect(await house.balance(puppet, 'depositWallet')).toBe(ONE)
  })

  it('never credits alone what the provider reports less of, or in money that is worth who knows what', async () => {
    for (const [currency, paid] of [
      ['shib', 30n],
      ['usdc', 29n],
    ] as const) {
      const id = await house.deposit(puppet, 30n, currency)
      await house.at.db
        .updateTable('provider_payment')
        .set({ actually_paid: paid * ONE })
        .where('payment_id', '=', `p-${id}`)
        .execute()
      expect(await approve('deposits', id, house.maker, 30)).toBe('WAITING')
      expect(await approve('deposits', id, house.checker, 30)).toBe('APPROVED')
    }
    const rejected = await house.deposit(puppet, 30n)
    await house.post(`/staff/queues/deposits/${rejected}/reject`, house.maker, { reason: 'nothing came' })
    const late = { payment_id: `p-${rejected}`, deposit_id: (await depositRow(rejected)).id, status: 'settled', pay_currency: 'usdc' }
    const said = { actually_paid: 30n * ONE, paid_text: '30', review_reason: 'paid in usdc', updated_at: house.at.clock.now() }
    await house.at.db
      .insertInto('provider_payment')
      .values({ ...late, ...said })
      .execute()
    // The approval credits the amount in the queue, even after an earlier decision.
    expect((await house.get(`/staff/queues/deposits/${rejected}`, house.maker)).body.data).toMatchObject({ credit: 30, approvalsNeeded: 1 })
    expect(await approve('deposits', rejected, house.maker, 30)).toBe('APPROVED')
  })

  it('credits only the amount that the approval states', async () => {
    const id = await house.deposit(puppet, 30n, 'usdc')
    expect(await approve('deposits', id, house.maker)).not.toBe('APPROVED')
    expect(await approve('deposits', id, house.maker, 31)).toBe('Invalid amount')
    const payout = await house.withdrawal(puppet, 100n)
    expect(await approve('withdrawals', payout, house.maker, 100)).toBe('Invalid amount')
    expect(await house.balance(puppet, 'depositWallet')).toBe(0n)
    expect(await approve('withdrawals', payout, house.maker, 93)).toBe('APPROVED')
    expect(await approve('deposits', id, house.maker, 30)).toBe('APPROVED')
  })

  it.each<[string, (usd: bigint) => Promise<[Queue, string, number?]>]>([
    ['withdrawals', async (usd) => ['withdrawals', await house.withdrawal(await house.person(), usd)]],
    ['deposits', async (usd) => ['deposits', await house.deposit(await house.person(), usd, 'usdc'), Number(usd)]],
    ['bridges', async (usd) => ['bridges', await house.bridge(await house.person(), usd * 100n)]],
  ])('sums slices of %s of different members by the person who decides, to the unit, for 24 hours', async (_, open) => {
    for (const usd of [400n, 599n, 1n]) {
      const [kind, id, amount] = await open(usd)
      expect(await approve(kind, id, house.maker, amount)).toBe('APPROVED')
    }
    const [kind, id, amount] = await open(1n)
    expect(await approve(kind, id, house.maker, amount)).toBe('WAITING')
    expect(await approve(kind, id, house.checker, amount)).toBe('APPROVED')
    await nextDay()
    const [later, laterId, laterAmount] = await open(1000n)
    expect(await approve(later, laterId, house.maker, laterAmount)).toBe('APPROVED')
  })

  it('sums slices for one member, whoever decides', async () => {
    for (const who of [house.maker, house.checker]) {
      expect(await approve('withdrawals', await house.withdrawal(puppet, 500n), who)).toBe('APPROVED')
    }
    expect(await approve('withdrawals', await house.withdrawal(puppet, 10n), house.third)).toBe('WAITING')
    expect(await approve('withdrawals', await house.withdrawal(await house.person(), 10n), house.third)).toBe('APPROVED')
  })

  it('sums over both queues and what was moved out of the house', async () => {
    expect(await approve('deposits', await house.deposit(puppet, 600n, 'usdc'), house.maker, 600)).toBe('APPROVED')
    expect(await approve('withdrawals', await house.withdrawal(await house.person(), 401n), house.maker)).toBe('WAITING')
    await nextDay()
    const pool = (amount: number) => house.post('/staff/reward-pool/fund', house.maker, { asset: 'coin', amount, reason: 'x' })
    expect((await pool(60_000)).body.message).toBe('The reward pool is funded')
    expect(await approve('bridges', await house.bridge(await house.person(), 40_001n), house.maker)).toBe('WAITING')
    expect(await approve('bridges', await house.bridge(await house.person(), 40_000n), house.maker)).toBe('APPROVED')
    expect((await pool(1)).body.data).toMatchObject({ changeId: expect.any(String) })
  })

  it('counts dollars and coin together, each by its share of its limit: of a person, and for a member', async () => {
    expect(await approve('withdrawals', await house.withdrawal(puppet, 400n), house.maker)).toBe('APPROVED')
    expect(await approve('bridges', await house.bridge(await house.person(), 60_001n), house.maker)).toBe('WAITING')
    expect(await approve('bridges', await house.bridge(puppet, 60_001n), house.third)).toBe('WAITING')
    expect(await approve('bridges', await house.bridge(puppet, 60_000n), house.checker)).toBe('APPROVED')
    expect(await approve('deposits', await house.deposit(await house.person(), 401n, 'usdc'), house.checker, 401)).toBe('WAITING')
    expect(await approve('withdrawals', await house.withdrawal(await house.person(), 400n), house.checker)).toBe('APPROVED')
  })

  it.each([
    [{ fourEyesAboveUsd: 0n }, 'APPROVED', 'WAITING'],
    [{ fourEyesAboveCoin: 0n }, 'WAITING', 'APPROVED'],
    [{ fourEyesAboveUsd: 0n, fourEyesAboveCoin: 0n }, 'WAITING', 'WAITING'],
  ])('lets nobody decide alone about money whose limit is nothing: %s', async (changes, coin, usd) => {
    await inTransaction(house.at.db, (tx) => applySettings(tx, house.at.deps, { changes, actorId: null, reason: 'test' }))
    house.at.clock.advance(1)
    expect(await approve('bridges', await house.bridge(puppet, 100n), house.maker)).toBe(coin)
    expect(await approve('withdrawals', await house.withdrawal(await house.person(), 10n), house.maker)).toBe(usd)
  })

  it('counts decisions that are made at once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => house.withdrawal(await house.person(), 400n)))
    const ends = await Promise.all(ids.map((id) => decide('withdrawals', id, house.maker)))
    expect(ends.toSorted()).toEqual(['APPROVED', 'APPROVED', 'WAITING', 'WAITING', 'WAITING', 'WAITING'])
  })

  it('does not let the first of two decide once the limit has risen, or the day has passed, but for what is small enough', async () => {
    const large = await house.withdrawal(puppet, 1500n)
    expect(await approve('withdrawals', large, house.maker)).toBe('WAITING')
    await nextDay()
    expect(await approve('withdrawals', large, house.maker)).toBe(TWO)
    const small = await house.withdrawal(await house.person(), 900n)
    expect(await approve('withdrawals', await house.withdrawal(await house.person(), 200n), house.maker)).toBe('APPROVED')
    expect(await approve('withdrawals', small, house.maker)).toBe('WAITING')
    await nextDay()
    expect(await approve('withdrawals', small, house.maker)).toBe('APPROVED')
  })

  it.each<[string, (usd: bigint) => Promise<[Queue, string, number?]>]>([
    ['a withdrawal', async (usd) => ['withdrawals', await house.withdrawal(puppet, usd)]],
    ['a bridge', async (usd) => ['bridges', await house.bridge(puppet, usd * 100n)]],
    ['a deposit', async (usd) => ['deposits', await house.deposit(puppet, usd, 'usdc'), Number(usd)]],
  ])('lets the second one decide %s once the limit has risen above it, or fallen', async (_, ask) => {
    for (const times of [100n, 0n]) {
      const [kind, id, amount] = await ask(1500n)
      expect(await approve(kind, id, house.maker, amount)).toBe('WAITING')
      const changes = { fourEyesAboveUsd: 1000n * times * ONE, fourEyesAboveCoin: 100_000n * times * ONE }
      await inTransaction(house.at.db, (tx) => applySettings(tx, house.at.deps, { changes, actorId: null, reason: 'test' }))
      house.at.clock.advance(1)
      expect(await decide(kind, id, house.checker, amount)).toBe('APPROVED')
      expect(await decide(kind, id, house.third, amount)).not.toBe('APPROVED')
      const usual = { fourEyesAboveUsd: 1000n * ONE, fourEyesAboveCoin: 100_000n * ONE }
      await inTransaction(house.at.db, (tx) => applySettings(tx, house.at.deps, { changes: usual, actorId: null, reason: 'test' }))
      await nextDay()
      house.checker.token = (await house.at.signIn(house.checker.id)).token
    }
  })

  it('refuses what looks like an own account: an address of one’s own payouts, a traced second account', async () => {
    await house.withdrawal(house.maker, 20n, OWN)
    const mine = await house.withdrawal(puppet, 20n, OWN.toLowerCase())
    expect(await approve('withdrawals', mine, house.maker)).toBe(TWO)
    expect(await approve('withdrawals', mine, house.checker)).toBe('APPROVED')
    const below = await house.person({ sponsorId: house.checker.id })
    await trace(below, house.checker)
    expect(await approve('withdrawals', await house.withdrawal(below, 20n), house.checker)).toBe(TWO)
    expect(await approve('deposits', await house.deposit(below, 20n, 'usdc'), house.checker, 20)).toBe(TWO)
    expect(await approve('withdrawals', await house.withdrawal(below, 20n), house.maker)).toBe('APPROVED')
  })

  it('takes for an own account what signs in from where staff do, at once and whoever brought it; a network and a proxy are nobody’s', async () => {
    const waits = async (who: Person, by: Person) => {
      const id = await house.withdrawal(who, 1n)
      const item = (await house.get(`/staff/queues/withdrawals/${id}`, by)).body.data
      const status = await decide('withdrawals', id, by)
      expect([item.canDecide, item.whyNot]).toEqual(status === TWO ? [false, 'TRACES'] : [true, undefined])
      return status
    }
    const nets: [address: string, said: string][] = [
      ['203.0.113.9', TWO],
      ['2001:db8::9', TWO],
      ['::1', 'APPROVED'],
      ['::ffff:10.1.2.3', 'APPROVED'],
      ['172.20.0.1', 'APPROVED'],
    ]
    for (const [address, said] of nets) {
      const twin = await house.person()
      for (const who of [house.maker, twin]) await from(who, address)
      expect([address, await waits(twin, house.maker)]).toEqual([address, said])
      expect(await waits(twin, house.third)).toBe('APPROVED')
    }
    const crowd = [house.maker, puppet]
    while (crowd.length < 51) crowd.push(await house.person())
    for (const who of crowd) await from(who, '198.51.100.1')
    expect(await waits(puppet, house.maker)).toBe('APPROVED')
    // Staff share one office and its IP address.
    await from(house.checker, '203.0.113.9')
    const { body } = await house.post('/staff/changes', house.maker, { subject: 'price', value: { coinPrice: 0.0076 }, reason: 'x' })
    expect((await house.post(`/staff/changes/${body.data.id}/approve`, house.checker, {})).status).toBe(200)
  })

  it.each(['traced', 'from the same place'])(
    'decides nothing about a second account, %s, and works on none of its tickets',
    async (how) => {
      const twin = await house.person({ specialRcm: true })
      if (how === 'traced') await trace(twin, house.maker)
      else for (const who of [twin, house.maker]) await from(who, '203.0.113.7')
      const picture = { contentType: 'image/webp' as const, bytes: Buffer.from('x') }
      const ticket = await inTransaction(house.at.db, (tx) =>
        openTicket(tx, house.at.deps, { memberId: twin.id, title: 'T', description: 'D', picture }),
      )
      const acts: [path: string, body: object][] = [
        ['status', { status: false }],
        ['special-rcm', { isSpecialRcm: false }],
        ['special-rcm', { isSpecialRcm: true }],
        ['rank', { rank: 'Ambassador' }],
        ['rank', { rank: null }],
        ['verify', {}],
        ['end-sessions', {}],
        ['view-as', {}],
        ['second-factor/reset', {}],
      ]
      for (const [act, body] of acts) {
        const path = `/staff/members/${twin.publicId}/${act}`
        expect([act, (await house.post(path, house.maker, { ...body, reason: 'x' })).body.message]).toEqual([act, TWO])
      }
      const work: [path: string, body: object][] = [
        ['assign', {}],
        ['close', {}],
        ['notes', { text: 'x' }],
        ['tags', { tags: ['x'] }],
      ]
      for (const [act, body] of work)
        expect([act, (await house.post(`/staff/tickets/${ticket}/${act}`, house.maker, body)).body.message]).toEqual([act, TWO])
      const blocked = await house.post(`/staff/members/${twin.publicId}/status`, house.checker, { status: false, reason: 'x' })
      expect(blocked.status).toBe(200)
    },
  )

  it('takes no second approval from a traced second account, nor from somebody blocked or demoted since', async () => {
    const twin = await house.person({ sponsorId: house.maker.id, role: 'ADMIN' })
    await trace(twin, house.maker)
    const id = await house.withdrawal(puppet, 2000n)
    expect(await approve('withdrawals', id, house.maker)).toBe('WAITING')
    expect(await approve('withdrawals', id, twin)).toBe(TWO)
    for (const gone of [{ is_active: false }, { role: 'MEMBER' }]) {
      const partner = await house.person({ role: 'ADMIN' })
      await house.at.db.updateTable('member').set(gone).where('id', '=', partner.id).execute()
      expect(await approve('withdrawals', id, partner)).not.toBe('APPROVED')
    }
    expect(await approve('withdrawals', id, house.checker)).toBe('APPROVED')
  })

  it('lets nobody approve an own change from a traced second account, nor credit one, alone or by two', async () => {
    const twin = await house.person({ sponsorId: house.maker.id, role: 'ADMIN' })
    const second = await house.person({ sponsorId: house.maker.id, specialRcm: true })
    for (const one of [twin, second]) await trace(one, house.maker)
    const credit = (who: Person, amount: number, by = house.maker) =>
      house.post(`/staff/members/${who.publicId}/credit-rcm`, by, { amount, reason: 'x' })
    expect((await credit(second, 1)).body.message).toBe(TWO)
    const filed = (await credit(second, 200_000, house.checker)).body.data.changeId
    expect((await house.post(`/staff/changes/${filed}/approve`, house.maker)).body.message).toBe(TWO)
    expect((await house.post(`/staff/changes/${filed}/approve`, house.third)).status).toBe(200)
    const other = await house.person({ specialRcm: true })
    const change = (await credit(other, 200_000)).body.data.changeId
    expect((await house.post(`/staff/changes/${change}/approve`, twin)).body.message).toBe(TWO)
    expect((await house.post(`/staff/changes/${change}/approve`, house.checker)).status).toBe(200)
    expect([await house.balance(second, 'rcmWallet'), await house.balance(other, 'rcmWallet')]).toEqual([200_000n * ONE, 200_000n * ONE])
  })

  it('[I17] keeps everyone who had a part in a deposit, and what was credited alone, when a later payment is decided', async () => {
    const id = await house.deposit(puppet, 900n, 'usdc')
    expect(await approve('deposits', id, house.maker, 900)).toBe('APPROVED')
    const flag = () =>
      house.at.db
        .updateTable('provider_payment')
        .set({ review_reason: 'refunded', reviewed_at: null })
        .where('payment_id', '=', `p-${id}`)
        .execute()
    const alone = async () => approve('withdrawals', await house.withdrawal(await house.person(), 101n), house.maker)
    expect(await alone()).toBe('WAITING')
    await flag()
    expect(await decide('deposits', id, house.checker, 0)).toBe('APPROVED')
    expect(await alone()).toBe('WAITING')
    await flag()
    const row = await house.at.db.selectFrom('deposit').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    const first = firstApproval(house.at.deps.config, { ...row, credits: '0' }, house.maker.id, house.at.clock.now())
    await house.at.db.updateTable('deposit').set(first).where('id', '=', row.id).execute()
    const said = { at: house.at.clock.now(), actorId: house.maker.id, actorRole: 'ADMIN', outcome: 'ok' }
    await inTransaction(house.at.db, (tx) =>
      recordAudit(tx, { ...said, action: 'staff.request.first-approval', subject: { type: 'deposits', id } }),
    )
    expect(await alone()).toBe('WAITING')
    expect(await decide('deposits', id, house.third, 0)).toBe('APPROVED')
    expect(await alone()).toBe('WAITING')
    const item = (await house.get(`/staff/queues/deposits/${id}`, house.third)).body.data
    const named = (rows: { by: { id: string } }[]) => rows.map((one) => one.by.id)
    expect(item.earlierDecisions.map((made: { by: { by: { id: string } }[] }) => named(made.by))).toEqual([
      [house.maker.publicId],
      [house.checker.publicId],
    ])
    expect(named(item.approvals)).toEqual([house.maker.publicId, house.third.publicId])
    expect((await runAudit(house.at.db, auditChecks)).filter((result) => result.broken > 0)).toEqual([])
  })
})
