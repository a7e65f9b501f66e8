import { ONE } from '@tizara/money'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import { runAudit } from '../../../ledger/index.ts'
import { firstApproval } from '../../deposits/decisions/first-approval.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { auditChecks } from '../../deposits/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { applySettings } from '../../settings/index.ts'
import { openTicket } from '../../support/index.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'

const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

const instance: StaffInstance = await staffInstance()
let puppet: Person
// New people some days later: nobody has decided anything within 24 hours.
beforeEach(async () => {
  instance.at.clock.advance(3 * DAY_MS)
  for (const who of ['maker', 'checker', 'third'] as const) instance[who] = await instance.person({ role: 'ADMIN' })
  puppet = await instance.person()
})

/** Applies limits that hold until the end of the test. */
async function setLimits(changes: { fourEyesAboveUsd?: bigint; fourEyesAboveCoin?: bigint }): Promise<void> {
  const apply = (values: typeof changes) =>
    inTransaction(instance.at.db, (tx) => applySettings(tx, instance.at.deps, { changes: values, actorId: null, reason: 'test' }))
  await apply(changes)
  instance.at.clock.advance(1)
  onTestFinished(() => apply(LIMITS).then(() => undefined))
}
const LIMITS = { fourEyesAboveUsd: 1000n * ONE, fourEyesAboveCoin: 100_000n * ONE }

/** Links two members by a shared device. */
const trace = (below: Person, above: Person) => {
  const seen = { first_seen_at: instance.at.clock.now(), last_seen_at: instance.at.clock.now() }
  const alike = { level: 1, same_address: true, same_device: true, same_payout_address: false, ...seen }
  return instance.at.db
    .insertInto('linked_account')
    .values({ member_id: below.id, upline_id: above.id, ...alike })
    .execute()
}

/** Signs a person in from an IP address. */
const from = async (who: Person, ip: string) => {
  const { sessionId } = await instance.at.signIn(who.id)
  await instance.at.db
    .updateTable('session')
    .set({ ip, network: callerNetwork(ip) })
    .where('id', '=', sessionId)
    .execute()
}

const depositRow = (id: string) => instance.at.db.selectFrom('deposit').select('id').where('public_id', '=', id).executeTakeFirstOrThrow()
type Queue = 'withdrawals' | 'bridges' | 'deposits'
/** Approves a request as one person, with its credit. Returns the status or the error message. */
async function decide(kind: Queue, id: string, who: Person, amount?: number): Promise<string> {
  const { body } = await instance.post(`/staff/queues/${kind}/${id}/approve`, who, {
    reason: 'x',
    ...(amount === undefined ? {} : { amount }),
  })
  return body.data?.status ?? body.message
}
/** Works like `decide`, after checking the prediction in the list and item. */
async function approve(kind: Queue, id: string, who: Person, amount?: number): Promise<string> {
  const list = await instance.get(`/staff/queues/${kind}?limit=100`, who)
  const rows: { id: string; approvalsNeeded: number; approvals: unknown[] }[] = list.body.data?.data ?? []
  const shown = rows.find((row) => row.id === id)
  const item = (await instance.get(`/staff/queues/${kind}/${id}`, who)).body.data
  const status = await decide(kind, id, who, amount)
  const approvals = shown?.approvals.length ?? 0
  if (status === 'WAITING') expect([shown?.approvalsNeeded, approvals, item.effect]).toEqual([2, 0, 'first-approval'])
  if (status === 'APPROVED') expect([shown?.approvalsNeeded, item.approvalsNeeded]).toEqual([approvals + 1, approvals + 1])
  if (status === 'APPROVED' && item.canDecide === true) expect(item.effect).toBe('pays')
  return status
}
async function nextDay(): Promise<void> {
  instance.at.clock.advance(DAY_MS)
  instance.maker.token = (await instance.at.signIn(instance.maker.id)).token
}
const TWO = 'Another staff member has to approve this'

describe('solo decisions about money (limits 1,000 USD and 100,000 coin in 24 hours)', () => {
  it('[I7] sum any 24 hours, across midnight, until each decision is a day old', async () => {
    const midnight = Math.ceil(instance.at.clock.now().getTime() / DAY_MS) * DAY_MS
    const at = async (moment: number) => {
      instance.at.clock.set(new Date(midnight + moment).toISOString())
      instance.maker.token = (await instance.at.signIn(instance.maker.id)).token
    }
    const slice = async () => approve('withdrawals', await instance.withdrawal(await instance.person(), 600n), instance.maker)
    const answers: string[] = []
    for (const moment of [
      -1,
      0,
      DAY_MS - 2,
      DAY_MS - 1,
      // Another server's clock lags: decisions in its future count.
      DAY_MS - 3_600_000,
    ]) {
      await at(moment)
      answers.push(await slice())
    }
    expect(answers).toEqual(['APPROVED', 'WAITING', 'WAITING', 'APPROVED', 'WAITING'])
  })

  it('never credit a hosted deposit without a payment at the provider, however small', async () => {
    const id = await instance.deposit(puppet, 1n)
    expect(await approve('deposits', id, instance.maker, 1)).toBe('WAITING')
    expect(await approve('deposits', id, instance.maker, 1)).toBe(TWO)
    expect(await instance.balance(puppet, 'depositWallet')).toBe(0n)
    expect(await approve('deposits', id, instance.checker, 1)).toBe('APPROVED')
    expect(await instance.balance(puppet, 'depositWallet')).toBe(ONE)
  })

  it('never credit more than the provider reports, or a currency without a known value', async () => {
    for (const [currency, paid] of [
      ['shib', 30n],
      ['usdc', 29n],
    ] as const) {
      const id = await instance.deposit(puppet, 30n, currency)
      await instance.at.db
        .updateTable('provider_payment')
        .set({ actually_paid: paid * ONE })
        .where('payment_id', '=', `p-${id}`)
        .execute()
      expect(await approve('deposits', id, instance.maker, 30)).toBe('WAITING')
      expect(await approve('deposits', id, instance.checker, 30)).toBe('APPROVED')
    }
    const rejected = await instance.deposit(puppet, 30n)
    await instance.post(`/staff/queues/deposits/${rejected}/reject`, instance.maker, { reason: 'nothing came' })
    const late = { payment_id: `p-${rejected}`, deposit_id: (await depositRow(rejected)).id, status: 'settled', pay_currency: 'usdc' }
    const review = { actually_paid: 30n * ONE, paid_text: '30', review_reason: 'paid in usdc', updated_at: instance.at.clock.now() }
    await instance.at.db
      .insertInto('provider_payment')
      .values({ ...late, ...review })
      .execute()
    // The approval credits the amount in the queue, even after an earlier decision.
    expect((await instance.get(`/staff/queues/deposits/${rejected}`, instance.maker)).body.data).toMatchObject({
      credit: 30,
      approvalsNeeded: 1,
    })
    expect(await approve('deposits', rejected, instance.maker, 30)).toBe('APPROVED')
  })

  it('credit only the amount that the approval states', async () => {
    const id = await instance.deposit(puppet, 30n, 'usdc')
    expect(await approve('deposits', id, instance.maker)).not.toBe('APPROVED')
    expect(await approve('deposits', id, instance.maker, 31)).toBe('Invalid amount')
    const payout = await instance.withdrawal(puppet, 100n)
    expect(await approve('withdrawals', payout, instance.maker, 100)).toBe('Invalid amount')
    expect(await instance.balance(puppet, 'depositWallet')).toBe(0n)
    expect(await approve('withdrawals', payout, instance.maker, 93)).toBe('APPROVED')
    expect(await approve('deposits', id, instance.maker, 30)).toBe('APPROVED')
  })

  it.each<[string, (usd: bigint) => Promise<[Queue, string, number?]>]>([
    ['withdrawals', async (usd) => ['withdrawals', await instance.withdrawal(await instance.person(), usd)]],
    ['deposits', async (usd) => ['deposits', await instance.deposit(await instance.person(), usd, 'usdc'), Number(usd)]],
    ['bridges', async (usd) => ['bridges', await instance.bridge(await instance.person(), usd * 100n)]],
  ])('sum %s of different members per staff member, to the unit, for 24 hours', async (_, open) => {
    for (const usd of [400n, 599n, 1n]) {
      const [kind, id, amount] = await open(usd)
      expect(await approve(kind, id, instance.maker, amount)).toBe('APPROVED')
    }
    const [kind, id, amount] = await open(1n)
    expect(await approve(kind, id, instance.maker, amount)).toBe('WAITING')
    expect(await approve(kind, id, instance.checker, amount)).toBe('APPROVED')
    await nextDay()
    const [later, laterId, laterAmount] = await open(1000n)
    expect(await approve(later, laterId, instance.maker, laterAmount)).toBe('APPROVED')
  })

  it('require a second approval when the solo approvals for one member exceed the limit', async () => {
    for (const who of [instance.maker, instance.checker]) {
      expect(await approve('withdrawals', await instance.withdrawal(puppet, 500n), who)).toBe('APPROVED')
    }
    expect(await approve('withdrawals', await instance.withdrawal(puppet, 10n), instance.third)).toBe('WAITING')
    expect(await approve('withdrawals', await instance.withdrawal(await instance.person(), 10n), instance.third)).toBe('APPROVED')
  })

  it('sum both queues and the funding of the pool', async () => {
    expect(await approve('deposits', await instance.deposit(puppet, 600n, 'usdc'), instance.maker, 600)).toBe('APPROVED')
    expect(await approve('withdrawals', await instance.withdrawal(await instance.person(), 401n), instance.maker)).toBe('WAITING')
    await nextDay()
    const pool = (amount: number) => instance.post('/staff/reward-pool/fund', instance.maker, { asset: 'coin', amount, reason: 'x' })
    expect((await pool(60_000)).body.message).toBe('The reward pool is funded')
    expect(await approve('bridges', await instance.bridge(await instance.person(), 40_001n), instance.maker)).toBe('WAITING')
    expect(await approve('bridges', await instance.bridge(await instance.person(), 40_000n), instance.maker)).toBe('APPROVED')
    expect((await pool(1)).body.data).toMatchObject({ proposalId: expect.any(String) })
  })

  it('sum dollars and coin by their share of the limit, per staff member and per member', async () => {
    expect(await approve('withdrawals', await instance.withdrawal(puppet, 400n), instance.maker)).toBe('APPROVED')
    expect(await approve('bridges', await instance.bridge(await instance.person(), 60_001n), instance.maker)).toBe('WAITING')
    expect(await approve('bridges', await instance.bridge(puppet, 60_001n), instance.third)).toBe('WAITING')
    expect(await approve('bridges', await instance.bridge(puppet, 60_000n), instance.checker)).toBe('APPROVED')
    expect(await approve('deposits', await instance.deposit(await instance.person(), 401n, 'usdc'), instance.checker, 401)).toBe('WAITING')
    expect(await approve('withdrawals', await instance.withdrawal(await instance.person(), 400n), instance.checker)).toBe('APPROVED')
  })

  it.each([
    [{ fourEyesAboveUsd: 0n }, 'APPROVED', 'WAITING'],
    [{ fourEyesAboveCoin: 0n }, 'WAITING', 'APPROVED'],
    [{ fourEyesAboveUsd: 0n, fourEyesAboveCoin: 0n }, 'WAITING', 'WAITING'],
  ])('are rejected for an asset whose limit is zero: %s', async (changes, coin, usd) => {
    await setLimits(changes)
    expect(await approve('bridges', await instance.bridge(puppet, 100n), instance.maker)).toBe(coin)
    expect(await approve('withdrawals', await instance.withdrawal(await instance.person(), 10n), instance.maker)).toBe(usd)
  })

  it('are summed when they are made in parallel', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => instance.withdrawal(await instance.person(), 400n)))
    const ends = await Promise.all(ids.map((id) => decide('withdrawals', id, instance.maker)))
    expect(ends.toSorted()).toEqual(['APPROVED', 'APPROVED', 'WAITING', 'WAITING', 'WAITING', 'WAITING'])
  })

  it('stay with a second person for the first approver after the limit rises or a day passes, except small amounts', async () => {
    const large = await instance.withdrawal(puppet, 1500n)
    expect(await approve('withdrawals', large, instance.maker)).toBe('WAITING')
    await nextDay()
    expect(await approve('withdrawals', large, instance.maker)).toBe(TWO)
    const small = await instance.withdrawal(await instance.person(), 900n)
    expect(await approve('withdrawals', await instance.withdrawal(await instance.person(), 200n), instance.maker)).toBe('APPROVED')
    expect(await approve('withdrawals', small, instance.maker)).toBe('WAITING')
    await nextDay()
    expect(await approve('withdrawals', small, instance.maker)).toBe('APPROVED')
  })

  it.each<[string, (usd: bigint) => Promise<[Queue, string, number?]>]>([
    ['a withdrawal', async (usd) => ['withdrawals', await instance.withdrawal(puppet, usd)]],
    ['a bridge', async (usd) => ['bridges', await instance.bridge(puppet, usd * 100n)]],
    ['a deposit', async (usd) => ['deposits', await instance.deposit(puppet, usd, 'usdc'), Number(usd)]],
  ])('allow the second approver to decide %s after the limit was raised or lowered', async (_, ask) => {
    for (const times of [100n, 0n]) {
      const [kind, id, amount] = await ask(1500n)
      expect(await approve(kind, id, instance.maker, amount)).toBe('WAITING')
      await setLimits({ fourEyesAboveUsd: 1000n * times * ONE, fourEyesAboveCoin: 100_000n * times * ONE })
      expect(await decide(kind, id, instance.checker, amount)).toBe('APPROVED')
      expect(await decide(kind, id, instance.third, amount)).not.toBe('APPROVED')
      await setLimits(LIMITS)
      await nextDay()
      instance.checker.token = (await instance.at.signIn(instance.checker.id)).token
    }
  })

  it("are rejected for apparent own accounts: an address of the staff member's payouts, a linked account", async () => {
    await instance.withdrawal(instance.maker, 20n, OWN)
    const mine = await instance.withdrawal(puppet, 20n, OWN.toLowerCase())
    expect(await approve('withdrawals', mine, instance.maker)).toBe(TWO)
    expect(await approve('withdrawals', mine, instance.checker)).toBe('APPROVED')
    const below = await instance.person({ sponsorId: instance.checker.id })
    await trace(below, instance.checker)
    expect(await approve('withdrawals', await instance.withdrawal(below, 20n), instance.checker)).toBe(TWO)
    expect(await approve('deposits', await instance.deposit(below, 20n, 'usdc'), instance.checker, 20)).toBe(TWO)
    expect(await approve('withdrawals', await instance.withdrawal(below, 20n), instance.maker)).toBe('APPROVED')
  })

  it("are rejected for accounts that sign in from a staff member's IP address, but not from a shared network or proxy", async () => {
    const waits = async (who: Person, by: Person) => {
      const id = await instance.withdrawal(who, 1n)
      const item = (await instance.get(`/staff/queues/withdrawals/${id}`, by)).body.data
      const status = await decide('withdrawals', id, by)
      expect([item.canDecide, item.whyNot]).toEqual(status === TWO ? [false, 'TRACES'] : [true, undefined])
      return status
    }
    const nets: [address: string, label: string][] = [
      ['203.0.113.9', TWO],
      ['2001:db8::9', TWO],
      ['::1', 'APPROVED'],
      ['::ffff:10.1.2.3', 'APPROVED'],
      ['172.20.0.1', 'APPROVED'],
    ]
    for (const [address, network] of nets) {
      const twin = await instance.person()
      for (const who of [instance.maker, twin]) await from(who, address)
      expect([address, await waits(twin, instance.maker)]).toEqual([address, network])
      expect(await waits(twin, instance.third)).toBe('APPROVED')
    }
    const crowd = [instance.maker, puppet]
    while (crowd.length < 51) crowd.push(await instance.person())
    for (const who of crowd) await from(who, '198.51.100.1')
    expect(await waits(puppet, instance.maker)).toBe('APPROVED')
    // Staff share one office and its IP address.
    await from(instance.checker, '203.0.113.9')
    const { body } = await instance.post('/staff/changes', instance.maker, { subject: 'price', value: { coinPrice: 0.0076 }, reason: 'x' })
    expect((await instance.post(`/staff/changes/${body.data.id}/approve`, instance.checker, {})).status).toBe(200)
  })

  it.each(['traced', 'from the same place'])('are rejected for a linked account, %s, and for its tickets', async (how) => {
    const twin = await instance.person({ specialRcm: true })
    if (how === 'traced') await trace(twin, instance.maker)
    else for (const who of [twin, instance.maker]) await from(who, '203.0.113.7')
    const image = { contentType: 'image/webp' as const, bytes: Buffer.from('x') }
    const ticket = await inTransaction(instance.at.db, (tx) =>
      openTicket(tx, instance.at.deps, { memberId: twin.id, title: 'T', description: 'D', image }),
    )
    const actions: [path: string, body: object][] = [
      ['status', { status: false }],
      ['special-rcm', { isSpecialRcm: false }],
      ['special-rcm', { isSpecialRcm: true }],
      ['rank', { rank: 'Ambassador' }],
      ['rank', { rank: null }],
      ['verify', {}],
      ['end-sessions', {}],
      ['view-as', {}],
      ['recovery', { secondFactor: true }],
    ]
    for (const [action, body] of actions) {
      const path = `/staff/members/${twin.publicId}/${action}`
      expect([action, (await instance.post(path, instance.maker, { ...body, reason: 'x' })).body.message]).toEqual([action, TWO])
    }
    const work: [path: string, body: object][] = [
      ['assign', {}],
      ['close', {}],
      ['notes', { text: 'x' }],
      ['tags', { tags: ['x'] }],
    ]
    for (const [action, body] of work)
      expect([action, (await instance.post(`/staff/tickets/${ticket}/${action}`, instance.maker, body)).body.message]).toEqual([
        action,
        TWO,
      ])
    const blocked = await instance.post(`/staff/members/${twin.publicId}/status`, instance.checker, { status: false, reason: 'x' })
    expect(blocked.status).toBe(200)
  })

  it('accept no second approval from a linked account, or from staff blocked or demoted since', async () => {
    const twin = await instance.person({ sponsorId: instance.maker.id, role: 'ADMIN' })
    await trace(twin, instance.maker)
    const id = await instance.withdrawal(puppet, 2000n)
    expect(await approve('withdrawals', id, instance.maker)).toBe('WAITING')
    expect(await approve('withdrawals', id, twin)).toBe(TWO)
    for (const gone of [{ is_active: false }, { role: 'MEMBER' }]) {
      const partner = await instance.person({ role: 'ADMIN' })
      await instance.at.db.updateTable('member').set(gone).where('id', '=', partner.id).execute()
      expect(await approve('withdrawals', id, partner)).not.toBe('APPROVED')
    }
    expect(await approve('withdrawals', id, instance.checker)).toBe('APPROVED')
  })

  it("accept no approval of a proposal from the proposer's linked account, and no credit to one", async () => {
    const twin = await instance.person({ sponsorId: instance.maker.id, role: 'ADMIN' })
    const second = await instance.person({ sponsorId: instance.maker.id, specialRcm: true })
    for (const one of [twin, second]) await trace(one, instance.maker)
    const credit = (who: Person, amount: number, by = instance.maker) =>
      instance.post(`/staff/members/${who.publicId}/credit-rcm`, by, { amount, reason: 'x' })
    expect((await credit(second, 1)).body.message).toBe(TWO)
    const filed = (await credit(second, 200_000, instance.checker)).body.data.proposalId
    expect((await instance.post(`/staff/changes/${filed}/approve`, instance.maker)).body.message).toBe(TWO)
    expect((await instance.post(`/staff/changes/${filed}/approve`, instance.third)).status).toBe(200)
    const other = await instance.person({ specialRcm: true })
    const change = (await credit(other, 200_000)).body.data.proposalId
    expect((await instance.post(`/staff/changes/${change}/approve`, twin)).body.message).toBe(TWO)
    expect((await instance.post(`/staff/changes/${change}/approve`, instance.checker)).status).toBe(200)
    expect([await instance.balance(second, 'rcmWallet'), await instance.balance(other, 'rcmWallet')]).toEqual([
      200_000n * ONE,
      200_000n * ONE,
    ])
  })

  it('[I17] keep all approvers of a deposit, and the solo credits, when a later payment is decided', async () => {
    const id = await instance.deposit(puppet, 900n, 'usdc')
    expect(await approve('deposits', id, instance.maker, 900)).toBe('APPROVED')
    const flag = () =>
      instance.at.db
        .updateTable('provider_payment')
        .set({ review_reason: 'refunded', reviewed_at: null })
        .where('payment_id', '=', `p-${id}`)
        .execute()
    const alone = async () => approve('withdrawals', await instance.withdrawal(await instance.person(), 101n), instance.maker)
    expect(await alone()).toBe('WAITING')
    await flag()
    expect(await decide('deposits', id, instance.checker, 0)).toBe('APPROVED')
    expect(await alone()).toBe('WAITING')
    await flag()
    const row = await instance.at.db.selectFrom('deposit').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    const first = firstApproval(instance.at.deps.config, { ...row, credits: '0' }, instance.maker.id, instance.at.clock.now())
    await instance.at.db.updateTable('deposit').set(first).where('id', '=', row.id).execute()
    const entry = { at: instance.at.clock.now(), actorId: instance.maker.id, actorRole: 'ADMIN', outcome: 'ok' }
    await inTransaction(instance.at.db, (tx) =>
      recordAudit(tx, { ...entry, action: 'staff.request.first-approval', subject: { type: 'deposits', id } }),
    )
    expect(await alone()).toBe('WAITING')
    expect(await decide('deposits', id, instance.third, 0)).toBe('APPROVED')
    expect(await alone()).toBe('WAITING')
    const item = (await instance.get(`/staff/queues/deposits/${id}`, instance.third)).body.data
    const named = (rows: { by: { id: string } }[]) => rows.map((one) => one.by.id)
    expect(item.earlierDecisions.map((made: { by: { by: { id: string } }[] }) => named(made.by))).toEqual([
      [instance.maker.publicId],
      [instance.checker.publicId],
    ])
    expect(named(item.approvals)).toEqual([instance.maker.publicId, instance.third.publicId])
    expect((await runAudit(instance.at.db, auditChecks)).filter((result) => result.broken > 0)).toEqual([])
  })
})
