import { errorCatalogue } from '@tizara/contract'
import { ONE } from '@tizara/money'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordAudit } from '../../audit/index.ts'
import { buyToken } from '../../coin/index.ts'
import { currentAnnouncement } from '../../announcements/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { memberById } from '../../members/index.ts'
import { planValues } from '../../staking/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { fillSalesFund, fund } from '../../../../test/members.ts'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { auditChecks } from '../audit-log/audit-checks.ts'
import { sql } from 'kysely'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MOVED = 'The values have changed since this was proposed, please propose it again'

let instance: StaffInstance
beforeEach(async () => {
  instance = await staffInstance()
})

const now = () => instance.at.clock.now()
/** Advances the clock and signs everyone in again, because sessions expire meanwhile. */
const wait = async (until: Date | string | number) => {
  instance.at.clock.set(typeof until === 'number' ? new Date(now().getTime() + until) : until)
  for (const who of [instance.maker, instance.checker, instance.third, instance.support])
    who.token = (await instance.at.signIn(who.id)).token
}
const after = (ms: number) => new Date(now().getTime() + ms).toISOString()
const propose = async (who: Person, subject: string, value: unknown, startsAt?: string) => {
  const simulation = subject === 'programme' ? { simulation: await instance.simulate(who, value as object) } : {}
  return instance.post('/staff/changes', who, {
    subject,
    value,
    reason: 'because',
    ...simulation,
    ...(startsAt === undefined ? {} : { startsAt }),
  })
}
const approve = (id: string, who = instance.checker, seen?: string) =>
  instance.post(`/staff/changes/${id}/approve`, who, seen === undefined ? {} : { seen })
const cancel = (id: string, who: Person) => instance.post(`/staff/changes/${id}/cancel`, who, { reason: 'not now' })
const detail = async (id: string, who = instance.checker) => (await instance.get(`/staff/changes/${id}`, who)).body.data
const statusOf = async (id: string): Promise<string> => (await detail(id)).status
const proposed = async (subject: string, value: unknown, startsAt?: string): Promise<string> => {
  const { body } = await propose(instance.maker, subject, value, startsAt)
  expect(body).toMatchObject({ success: true })
  return body.data.id
}
const planned = async (subject: string, value: unknown, startsAt: string): Promise<string> => {
  const id = await proposed(subject, value, startsAt)
  expect((await approve(id)).status).toBe(200)
  expect(await statusOf(id)).toBe('PLANNED')
  return id
}
const price = async () => (await currentSettings(instance.at.db, now())).coinPrice
const step = (coinPrice: number) => ({ coinPrice })
const faults = async () => {
  const found: string[] = []
  for (const check of auditChecks) if ((await sql.raw(check.sql).execute(instance.at.db)).rows.length > 0) found.push(check.title)
  return found
}

const plan = { planName: 'Autumn', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' }
const nft = { name: 'Dome 1', title: 'A dome', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' }

describe('proposal with a start', () => {
  it('[I13] [I17] applies from its start to the millisecond, without a worker, and is listed', async () => {
    const start = after(DAY)
    const id = await planned('price', step(0.0079), start)
    expect(await price()).toBe(800_000n)
    await wait(new Date(Date.parse(start) - 1))
    expect([await price(), await statusOf(id)]).toEqual([800_000n, 'PLANNED'])
    await wait(start)
    expect([await price(), await statusOf(id)]).toEqual([790_000n, 'IN_FORCE'])
    const input = { memberId: instance.member.id, coinAmount: 1000n * ONE, coinPrice: 790_000n, totalPrice: (79n * ONE) / 10n }
    // Members buy at the higher price for 24 more hours.
    await expect(inTransaction(instance.at.db, (tx) => buyToken(tx, instance.at.deps, input))).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
    })
    expect(
      (await instance.get('/staff/changes?status=IN_FORCE', instance.third)).body.data.data.map((row: { id: string }) => row.id),
    ).toContain(id)
    expect((await cancel(id, instance.third)).body.message).toBe('This request has already been decided')
    expect(await faults()).toEqual([])
  })

  it('is rejected with a past start, at the proposal and at the approval', async () => {
    for (const start of [after(0), after(-1), '2020-01-01T00:00:00Z'])
      expect((await propose(instance.maker, 'price', step(0.0079), start)).body.message).toBe('The start must be in the future')
    expect((await propose(instance.maker, 'price', step(0.0079), after(400 * DAY))).status).toBe(400)
    expect((await propose(instance.maker, 'price', step(0.0079), 'tomorrow')).status).toBe(400)
    expect((await propose(instance.maker, 'commitment', { committedCoin: 5 }, after(DAY))).status).toBe(400)
    const id = await proposed('price', step(0.0079), after(HOUR))
    await wait(HOUR)
    expect((await approve(id)).body.message).toBe('The start must be in the future')
    expect(await statusOf(id)).toBe('OUTDATED')
    expect((await instance.get('/staff/changes?status=PENDING', instance.third)).body.data.data).toEqual([])
    expect(await price()).toBe(800_000n)
  })

  it('[RW-09] [EN-19] [EN-36] starts and changes plans, NFTs, the announcement and the programme', async () => {
    const start = after(DAY)
    const plans = await planned('plan', plan, start)
    await planned('nft', nft, start)
    await planned('popup', { title: 'Soon', message: 'It begins', isActive: true }, start)
    await planned('programme', { referralPercent: 4 }, start)
    await planned('limits', { openInvoices: 3 }, start)
    const later = after(2 * DAY)
    const dearer = await proposed('plan', { ...plan, planId: plans, apy: 15 }, later)
    expect((await approve(dearer)).status).toBe(200)
    const shown = async () => (await instance.get('/staff/catalogue', instance.third)).body.data
    expect(await shown()).toMatchObject({
      plans: [],
      nfts: [],
      popup: null,
      programme: { referralPercent: 5 },
      limits: { openInvoices: 5 },
    })
    expect(await currentAnnouncement(instance.at.db, now())).toBeNull()
    await wait(start)
    expect(await shown()).toMatchObject({
      plans: [{ id: plans, apy: 12 }],
      nfts: [{ name: 'Dome 1', price: 50 }],
      popup: { title: 'Soon' },
      programme: { referralPercent: 4 },
      limits: { openInvoices: 3 },
    })
    await wait(later)
    expect((await shown()).plans).toMatchObject([{ id: plans, apy: 15 }])
    // An immediate change overrides an earlier schedule that has begun.
    expect((await approve(await proposed('plan', { ...plan, planId: plans, apy: 20 }))).status).toBe(200)
    expect((await planValues(instance.at.db, plans, now())).apy).toBe(20n * ONE)
    await wait(DAY)
    expect((await planValues(instance.at.db, plans, now())).apy).toBe(20n * ONE)
  })

  it('is cancelled by one person before it starts, together with proposals that depend on it', async () => {
    const first = await planned('price', step(0.0078), after(DAY))
    const second = await planned('price', step(0.0076), after(2 * DAY))
    const other = await planned('settings', { exchangeLimit: 20 }, after(2 * DAY))
    expect((await cancel(first, instance.support)).status).toBe(404)
    expect((await cancel(first, instance.maker)).status).toBe(200)
    expect([await statusOf(first), await statusOf(second), await statusOf(other)]).toEqual(['CANCELLED', 'OUTDATED', 'PLANNED'])
    expect((await cancel(first, instance.maker)).status).toBe(400)
    await wait(3 * DAY)
    expect(await currentSettings(instance.at.db, now())).toMatchObject({ coinPrice: 800_000n, exchangeLimit: 20n * ONE })
    expect((await instance.audits(first)).map((row) => row.action)).toEqual([
      'staff.change.propose',
      'staff.change.approve',
      'staff.change.cancel',
      'staff.change.cancel',
      'staff.change.cancel',
    ])
    expect(await faults()).toEqual([])
  })

  it('for a new plan has no effect when cancelled, nor do changes planned for it', async () => {
    const proposal = await planned('plan', plan, after(DAY))
    const change = await planned('plan', { ...plan, planId: proposal, apy: 15 }, after(2 * DAY))
    expect((await cancel(proposal, instance.third)).status).toBe(200)
    expect(await statusOf(change)).toBe('OUTDATED')
    await wait(3 * DAY)
    expect((await instance.get('/staff/catalogue', instance.third)).body.data.plans).toEqual([])
    expect(await instance.at.db.selectFrom('stake_plan').selectAll().execute()).toEqual([])
  })
})

describe('planned tightening', () => {
  it.each<[string, string, object]>([
    ['a lower limit', 'limits', { payoutDayUsd: 1 }],
    ['a lower limit of one', 'limits', { fourEyesAboveUsd: 1 }],
    ['a longer hold', 'limits', { payoutHoldHours: 720 }],
    ['a lower share', 'settings', { exchangeLimit: 1 }],
  ])('[CO-47] [I7] needs two people to cancel when it is %s', async (_, subject, value) => {
    const id = await planned(subject, value, after(DAY))
    for (const who of [instance.maker, instance.maker]) expect((await cancel(id, who)).body.message).toContain('Another staff member')
    expect(await statusOf(id)).toBe('PLANNED')
    expect((await cancel(id, instance.checker)).status).toBe(200)
    expect(await statusOf(id)).toBe('CANCELLED')
    const trail = (await instance.audits(id)).filter(({ action }) => action === 'staff.change.cancel')
    expect(trail.map(({ outcome }) => outcome)).toEqual(['FOUR_EYES', 'FOUR_EYES', 'ok'])
  })

  it.each<[string, string, object, object]>([
    ['a looser limit', 'limits', { payoutDayUsd: 90_000 }, { payoutDayUsd: 1 }],
    ['a shorter hold', 'limits', { payoutHoldHours: 1 }, { payoutHoldHours: 720 }],
    ['other values', 'values', { networkFeePercent: 4, payoutDayUsd: 90_000 }, { payoutDayUsd: 1 }],
  ])('[CO-47] [I7] needs two people to cancel %s that it depends on', async (_, subject, looser, stricter) => {
    const first = await planned(subject, looser, after(DAY))
    const id = await planned('limits', stricter, after(2 * DAY))
    for (const who of [instance.maker, instance.maker]) expect((await cancel(first, who)).body.message).toContain('Another staff member')
    expect([await statusOf(first), await statusOf(id)]).toEqual(['PLANNED', 'PLANNED'])
    expect((await cancel(first, instance.checker)).status).toBe(200)
    expect([await statusOf(first), await statusOf(id)]).toEqual(['CANCELLED', 'OUTDATED'])
  })

  it('[CO-47] [I7] is not cancelled by an attempt before its approval to cancel a proposal that it depends on', async () => {
    const looser = await planned('limits', { payoutDayUsd: 90_000 }, after(2 * DAY))
    const ended = await planned('limits', { payoutDayUsd: 1 }, after(3 * DAY))
    expect((await cancel(looser, instance.third)).status).toBe(400)
    for (const who of [instance.maker, instance.checker]) await cancel(ended, who)
    expect(await statusOf(ended)).toBe('CANCELLED')
    await wait(HOUR)
    const stricter = await planned('limits', { payoutDayUsd: 2 }, after(3 * DAY))
    expect((await cancel(looser, instance.maker)).body.message).toContain('Another staff member')
    expect([await statusOf(looser), await statusOf(stricter)]).toEqual(['PLANNED', 'PLANNED'])
    expect((await cancel(looser, instance.third)).status).toBe(200)
    expect([await statusOf(looser), await statusOf(stricter)]).toEqual(['CANCELLED', 'OUTDATED'])
  })

  it('[CO-47] is not cancelled by an attempt of a person who has lost the right', async () => {
    const id = await planned('limits', { payoutDayUsd: 1 }, after(DAY))
    await cancel(id, instance.third)
    await instance.at.db.updateTable('member').set({ role: 'SUPPORT' }).where('id', '=', instance.third.id).execute()
    expect((await cancel(id, instance.maker)).status).toBe(400)
    expect(await statusOf(id)).toBe('PLANNED')
    expect((await rejectionsOf(instance.at.db, instance.maker)).at(-1)).toBe('staff.change.cancel FOUR_EYES')
  })

  it('[CO-47] is cancelled by two people although a third, who is new, tried first', async () => {
    const id = await planned('limits', { payoutDayUsd: 1 }, after(DAY))
    const added = await memberById(instance.at.db, instance.checker.id)
    await inTransaction(instance.at.db, (tx) =>
      recordAudit(tx, {
        at: now(),
        actorId: instance.maker.id,
        actorRole: 'ADMIN',
        action: 'staff.role.grant',
        subject: { type: 'member', id: added?.public_id ?? '' },
        outcome: 'ok',
      }),
    )
    for (const who of [instance.checker, instance.third]) expect((await cancel(id, who)).body.message).toContain('Another staff member')
    expect((await cancel(id, instance.maker)).status).toBe(200)
    expect(await statusOf(id)).toBe('CANCELLED')
  })

  it('[CO-47] excludes looser limits, which one person may cancel', async () => {
    const id = await planned('limits', { openInvoices: 100, payoutHoldHours: 0 }, after(DAY))
    expect((await cancel(id, instance.maker)).status).toBe(200)
  })
})

describe('undecided proposal', () => {
  it.each([undefined, 30 * DAY])('[CO-47] [I7] expires after 14 days, with a start after %s ms', async (start) => {
    const id = await proposed('limits', { openInvoices: 7 }, start === undefined ? undefined : after(start))
    await wait(14 * DAY - 1)
    expect(await statusOf(id)).toBe('PENDING')
    const waiting = async () => (await instance.get('/staff/overview', instance.maker)).body.data.waiting.changes
    const before = await waiting()
    await wait(1)
    expect([await statusOf(id), await waiting()]).toEqual(['OUTDATED', before - 1])
    for (const status of ['PENDING', 'OUTDATED']) {
      const { data } = (await instance.get(`/staff/changes?status=${status}`, instance.third)).body.data
      expect(data.map((row: { id: string }) => row.id)).toEqual(status === 'PENDING' ? [] : [id])
    }
    expect((await approve(id)).body.message).toBe(MOVED)
    expect((await currentSettings(instance.at.db, now())).openInvoices).not.toBe(7)
  })
})

describe('two proposals for one value', () => {
  it.each([
    ['the earlier first', [DAY, 2 * DAY]],
    ['the later first', [2 * DAY, DAY]],
  ])('are planned only if each starts from the other: %s', async (_, [one = 0, two = 0]) => {
    const first = await planned('price', step(0.0079), after(one))
    const second = await proposed('price', step(0.0078), after(two))
    expect((await approve(second)).status).toBe(200)
    const expected = one < two ? ['PLANNED', 'PLANNED'] : ['OUTDATED', 'PLANNED']
    expect([await statusOf(first), await statusOf(second)]).toEqual(expected)
    await wait(3 * DAY)
    expect(await price()).toBe(780_000n)
  })

  it('expire when the value changes before the start, while others stay', async () => {
    const start = after(DAY)
    const dearer = await planned('price', step(0.0079), start)
    const other = await planned('limits', { openInvoices: 9 }, start)
    expect((await approve(await proposed('price', step(0.0077)))).status).toBe(200)
    expect([await statusOf(dearer), await statusOf(other)]).toEqual(['OUTDATED', 'PLANNED'])
    expect((await detail(dearer)).endReason).toBe('The values that it was based on have changed')
    await wait(start)
    expect(await currentSettings(instance.at.db, now())).toMatchObject({ coinPrice: 770_000n, openInvoices: 9 })
    expect(await faults()).toEqual([])
  })

  it('warn of each other in the preview, the answer and the page', async () => {
    const first = await proposed('price', step(0.0079), after(DAY))
    const preview = await instance.post('/staff/changes/preview', instance.third, { subject: 'price', value: step(0.0078) })
    expect(preview.body.data.overlaps).toMatchObject([{ id: first, status: 'PENDING', title: 'Coin 0.0080 → 0.0079 USD' }])
    const second = await propose(instance.third, 'price', step(0.0078))
    expect(second.body.data.overlaps).toMatchObject([{ id: first, by: { email: instance.maker.email } }])
    expect((await detail(second.body.data.id)).overlaps).toMatchObject([{ id: first }])
    expect(
      (await instance.post('/staff/changes/preview', instance.third, { subject: 'limits', value: { openInvoices: 2 } })).body.data.overlaps,
    ).toEqual([])
  })

  it('[CO-15] are rejected at once if they contradict a planned one', async () => {
    await planned('settings', { convertRate: 0.009 }, after(DAY))
    await planned('price', step(0.0088), after(2 * DAY))
    expect((await propose(instance.maker, 'price', step(0.0088), after(HOUR))).body.message).toMatch(/convert rate/)
    const preview = await instance.post('/staff/changes/preview', instance.maker, { subject: 'settings', value: { convertRate: 0.0085 } })
    expect(preview.body.data.blocks).toEqual(['CONVERT_RATE_TOO_LOW'])
    await wait(3 * DAY)
    expect(await currentSettings(instance.at.db, now())).toMatchObject({ coinPrice: 880_000n, convertRate: 900_000n })
  })

  it('have one effect when approved, cancelled and overtaken in parallel', async () => {
    const start = after(DAY)
    const ids = [await proposed('price', step(0.0079), start), await proposed('price', step(0.0078), start)] as const
    await Promise.all([approve(ids[0], instance.checker), approve(ids[1], instance.third), approve(ids[0], instance.third)])
    const states = [await statusOf(ids[0]), await statusOf(ids[1])].toSorted()
    expect(states).toEqual(['OUTDATED', 'PLANNED'])
    const kept = (await statusOf(ids[0])) === 'PLANNED' ? ids[0] : ids[1]
    const replies = await Promise.all([cancel(kept, instance.maker), cancel(kept, instance.checker)])
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    await wait(2 * DAY)
    expect(await price()).toBe(800_000n)
  })
})

describe('people behind a planned proposal', () => {
  it.each([
    ['maker', 'MEMBER'],
    ['maker', 'SUPPORT'],
    ['approver', 'AUDITOR'],
    ['maker', 'blocked'],
  ])('[I14] [I17] expire it and what depends on it when its %s becomes %s', async (who, how) => {
    const gone = await instance.person({ role: 'FINANCE' })
    const [maker, approver] = who === 'maker' ? [gone, instance.checker] : [instance.maker, gone]
    const id = (await propose(maker, 'price', step(0.0079), after(DAY))).body.data.id
    expect((await approve(id, approver)).status).toBe(200)
    const { proposalId } =
      how === 'blocked'
        ? (await instance.post(`/staff/members/${gone.publicId}/status`, instance.maker, { status: false, reason: 'left' })).body.data
        : (await instance.post('/staff/roles', instance.maker, { email: gone.email, role: how, reason: 'left' })).body.data
    expect((await approve(proposalId, instance.third)).status).toBe(200)
    expect(await statusOf(id)).toBe('OUTDATED')
    await wait(2 * DAY)
    expect(await price()).toBe(800_000n)
  })

  it('[I17] expire only the subjects that the new role may not change', async () => {
    const turning = await instance.person({ role: 'ADMIN' })
    const limits = (await propose(turning, 'limits', { openInvoices: 2 }, after(DAY))).body.data.id
    const money = (await propose(turning, 'price', step(0.0079), after(DAY))).body.data.id
    for (const id of [limits, money]) expect((await approve(id, instance.checker)).status).toBe(200)
    const { body } = await instance.post('/staff/roles', instance.maker, { email: turning.email, role: 'FINANCE', reason: 'moves' })
    expect((await approve(body.data.proposalId, instance.third)).status).toBe(200)
    expect([await statusOf(limits), await statusOf(money)]).toEqual(['OUTDATED', 'PLANNED'])
  })
})

describe("approver's view", () => {
  it('[I17] is calculated by the server, dated, and has another hash when the effect changes', async () => {
    const start = after(2 * DAY)
    const id = await proposed('price', step(0.0079), start)
    const first = await detail(id)
    expect(first).toMatchObject({ canDecide: true, title: 'Coin 0.0080 → 0.0079 USD', startsAt: start, blocks: [] })
    expect(first.effect.hash).toBe(first.effectNow.hash)
    expect((await detail(id, instance.maker)).whyNot).toBe('OWN')
    expect((await detail(id, instance.support)).whyNot).toBe('ROLE')
    const buyer = await instance.person()
    await fund(instance.at.db, buyer.id, 'depositWallet', 100n * ONE)
    const input = { memberId: buyer.id, coinAmount: 1000n * ONE, coinPrice: 800_000n, totalPrice: 8n * ONE }
    await inTransaction(instance.at.db, (tx) => buyToken(tx, instance.at.deps, input))
    expect((await detail(id)).seen).toBe(first.seen)
    await wait(DAY)
    const next = await detail(id)
    expect(next.effectNow.hash).not.toBe(next.effect.hash)
    expect(next.effectNow.rows[1]).toMatchObject({ label: 'Coin for the 1 purchase of 30 days', before: '1,000', after: '1,012.65' })
    expect((await approve(id, instance.checker, first.seen)).body.message).toBe(MOVED)
    expect((await approve(id, instance.checker, next.seen)).status).toBe(200)
  })

  it('[RW-10] shows the coverage before and after, for each kind that changes it', async () => {
    const { at, maker } = instance
    // The pool of this instance has 1,000,000 coin.
    const special = await instance.person({ specialRcm: true })
    await fillSalesFund(at.db, 700_000n * ONE)
    const act = async (path: string, body: object): Promise<string> =>
      (await instance.post(path, maker, { ...body, reason: 'because' })).body.data.proposalId
    const coverageEffect = async (id: string) => {
      const rows: { label: string; before: string; after: string }[] = (await detail(id)).coverage
      return Object.fromEntries(rows.map((row) => [row.label, [row.before, row.after]]))
    }
    const promise = (amount: bigint) =>
      at.db.insertInto('reward_liability_pending').values({ kind: 'daily', step: 'day', starts_at: now(), steps: 1, amount }).execute()
    const credit = await act(`/staff/members/${special.publicId}/credit-rcm`, { amount: 400_000 })
    expect(await coverageEffect(credit)).toEqual({
      'Reward pool and commitment in coin': ['1,000,000', '600,000'],
      'Promised and owed rewards in coin': ['0', '0'],
      'Free coverage in coin': ['1,000,000', '600,000'],
      'Coverage in coin': ['none promised', 'none promised'],
    })
    await promise(500_000n * ONE)
    const { coverage, seen } = await detail(credit)
    expect(coverage).toContainEqual({ label: 'Coverage in coin', before: '200 %', after: '120 %', good: false })
    const stock = await act('/staff/reward-pool/fund', { asset: 'usd', amount: 300_000, source: 'stock' })
    expect(await coverageEffect(stock)).toMatchObject({
      'Reward pool and commitment in USD': ['0', '300,000'],
      'Sales fund': ['700,000', '400,000'],
    })
    const sales = await act('/staff/reward-pool/fund', { asset: 'usd', amount: 3, source: 'operator', into: 'sales' })
    expect(await coverageEffect(sales)).toEqual({ 'Sales fund': ['700,000', '700,003'] })
    expect(await coverageEffect(await proposed('commitment', { committedCoin: 2 }))).toMatchObject({
      'Free coverage in coin': ['500,000', '500,002'],
    })
    const { body } = await instance.post('/staff/changes/preview', maker, { subject: 'commitment', value: { committedUsd: 9 } })
    expect(body.data.coverage[0]).toMatchObject({ before: '0', after: '9', unit: 'USD' })
    expect(await coverageEffect(await proposed('programme', { referralPercent: 4 }))).toMatchObject({
      'Coverage in coin': ['200 %', '200 %'],
    })
    // Other sales change the coverage all the time; only too little of it refuses the approval.
    await promise(100_000n * ONE)
    expect((await detail(credit)).coverage).toContainEqual({ label: 'Coverage in coin', before: '166.66 %', after: '100 %', good: false })
    expect((await approve(credit, instance.checker, seen)).status).toBe(200)
    const unit = { amount: 0.00000001, reason: 'because' }
    const { body: refused } = await instance.post(`/staff/members/${special.publicId}/credit-rcm`, maker, unit)
    expect(refused.message).toBe(errorCatalogue.NOT_COVERED.message)
  })

  it('[RW-14] previews the obstacles and the largest group gain, and leaves no trace', async () => {
    const before = await instance.at.db.selectFrom('setting').selectAll().execute()
    const { data } = (await instance.post('/staff/changes/preview', instance.maker, { subject: 'price', value: step(5) })).body
    expect(data).toMatchObject({ blocks: ['CONVERT_RATE_TOO_LOW'], before: { coinPrice: 0.008 } })
    const good = (await instance.post('/staff/changes/preview', instance.maker, { subject: 'plan', value: plan, startsAt: after(DAY) }))
      .body.data
    expect(good.maxGain.perMonth).toBeGreaterThan(12)
    expect(good.rows[0]).toMatchObject({ label: 'Typical stake, 10 coin, earns', after: '1.20' })
    expect(await instance.at.db.selectFrom('setting').selectAll().execute()).toEqual(before)
    expect(await instance.at.db.selectFrom('staff_proposal').selectAll().execute()).toEqual([])
  })

  it('shows for each value its start, its author and planned changes', async () => {
    const first = await proposed('price', step(0.0079))
    expect((await approve(first)).status).toBe(200)
    const next = await planned('price', step(0.0078), after(DAY))
    const waiting = await proposed('limits', { openInvoices: 2 })
    const { decisions } = (await instance.get('/staff/catalogue', instance.maker)).body.data
    expect(decisions.coinPrice).toMatchObject({
      since: now().toISOString(),
      by: [{ email: instance.maker.email }, { email: instance.checker.email }],
      pending: [{ proposalId: next, status: 'PLANNED', startsAt: after(DAY), mine: true, value: { coinPrice: 0.0078 } }],
    })
    expect(decisions.openInvoices).toMatchObject({ since: null, pending: [{ proposalId: waiting, status: 'PENDING' }] })
    expect(decisions.minCoin).toBeUndefined()
    const days = (await instance.get('/staff/price-history?days=3', instance.third)).body.data
    expect(days.map((row: { coinPrice: number }) => row.coinPrice)).toEqual([0.008, 0.008, 0.0079])
    await wait(2 * DAY)
    const later = (await instance.get('/staff/catalogue', instance.third)).body.data.decisions.coinPrice
    expect([later.pending, later.since]).toEqual([[], new Date(now().getTime() - DAY).toISOString()])
  })

  it('pages by keyset while new proposals arrive', async () => {
    const ids: string[] = []
    for (const n of [1, 2, 3, 4, 5]) ids.unshift(await proposed('popup', { title: `T${n}`, message: 'M', isActive: true }))
    const page = async (query: string) =>
      (await instance.get(`/staff/changes?limit=2${query}`, instance.third)).body.data.data.map((row: { id: string }) => row.id)
    expect(await page('')).toEqual(ids.slice(0, 2))
    await proposed('popup', { title: 'New', message: 'M', isActive: true })
    expect(await page(`&before=${ids[1]}`)).toEqual(ids.slice(2, 4))
    expect(await page(`&before=${ids[3]}&subject=popup`)).toEqual(ids.slice(4))
    expect(await page('&before=unknown')).toEqual([])
  })
})

describe('proposal of several values', () => {
  const both = { coinPrice: 0.009, convertRate: 0.0095 }
  const rate = async () => (await currentSettings(instance.at.db, now())).convertRate
  /** The three values now: price and convert rate in units, and the open invoices of a member. */
  const values = async () => [await price(), await rate(), (await currentSettings(instance.at.db, now())).openInvoices]

  it('[CO-47] [I13] [I17] raises price and convert rate together from one start, which neither may do alone', async () => {
    const start = after(DAY)
    const alone = await propose(instance.maker, 'price', { coinPrice: both.coinPrice }, start)
    expect(alone.body.message).toBe(errorCatalogue.CONVERT_RATE_TOO_LOW.message)
    const id = await proposed('values', { ...both, openInvoices: 9 }, start)
    const shown = await detail(id)
    expect(shown.before).toEqual({ coinPrice: 0.008, convertRate: 0.008, openInvoices: expect.any(Number) })
    expect(shown.effectNow.rows.map((row: { label: string }) => row.label)).toEqual(
      expect.arrayContaining(['100 USD buy', 'Conversion rate of the NFT wallet']),
    )
    expect(shown.effectNow.rows.find((row: { label: string }) => row.label.startsWith('Conversion')).after).toContain('0.0095')
    expect((await approve(id, instance.maker)).status).toBe(400)
    expect((await approve(id, instance.checker, shown.seen)).status).toBe(200)
    await wait(new Date(Date.parse(start) - 1))
    expect((await values()).slice(0, 2)).toEqual([800_000n, 800_000n])
    await wait(start)
    expect(await values()).toEqual([900_000n, 950_000n, 9])
    expect(await faults()).toEqual([])
  })

  it('applies none of its values when one was changed meanwhile, or is invalid', async () => {
    const before = await values()
    const id = await proposed('values', { convertRate: 0.0082, openInvoices: 9 })
    expect((await approve(await proposed('limits', { openInvoices: 7 }))).status).toBe(200)
    expect(await statusOf(id)).toBe('OUTDATED')
    expect((await approve(id)).body.message).toBe(MOVED)
    expect(await values()).toEqual([before[0], before[1], 7])
    for (const value of [
      { coinPrice: 0.0081, convertRate: 0.0001 },
      { coinPrice: 0.0081, openInvoices: 0 },
      { coinPrice: 0.0081, apy: 3 },
      {},
    ])
      expect((await propose(instance.maker, 'values', value)).status).toBe(400)
    expect(await values()).toEqual([before[0], before[1], 7])
  })

  it('[I14] takes the role of all its values, also for approval, and cannot split a price step', async () => {
    const finance = await instance.person({ role: 'FINANCE' })
    expect((await propose(finance, 'price', { coinPrice: 0.0079 })).status).toBe(200)
    expect((await propose(finance, 'values', { coinPrice: 0.0079 })).status).toBe(404)
    const id = await proposed('values', { coinPrice: 0.0082, convertRate: 0.0082, openInvoices: 9 })
    expect((await approve(id, finance)).status).toBe(404)
    expect((await approve(id)).status).toBe(200)
    // 2.5 % are used up, so another 2.5 % is too much without notice.
    const more = await propose(instance.maker, 'values', { coinPrice: 0.00842, convertRate: 0.0085, openInvoices: 10 })
    expect(more.body.message).toContain('5 %')
  })

  it('expires with a value that another planned proposal sets before its start, and cancelling a stricter limit takes two', async () => {
    const rateBefore = await rate()
    const id = await planned('values', { convertRate: 0.0095, openInvoices: 9 }, after(2 * DAY))
    await planned('limits', { openInvoices: 8 }, after(DAY))
    expect(await statusOf(id)).toBe('OUTDATED')
    await wait(3 * DAY)
    expect((await values()).slice(1)).toEqual([rateBefore, 8])
    const stricter = await planned('values', { convertRate: 0.0097, payoutDayUsd: 1 }, after(DAY))
    expect((await cancel(stricter, instance.maker)).status).toBe(400)
    expect((await cancel(stricter, instance.third)).status).toBe(200)
  })
})
