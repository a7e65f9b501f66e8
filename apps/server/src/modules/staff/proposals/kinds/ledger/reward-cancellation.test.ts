import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checksOfTests } from '../../../../../../test/audited-instance.ts'
import { fund } from '../../../../../../test/members.ts'
import { type Person, staffInstance } from '../../../../../../test/staff-instance.ts'
import { passDays } from '../../../../../../test/pass-days.ts'
import { runJob } from '../../../../../jobs/job.ts'
import { balanceOfSystemAccount, balancesOf, post, runAudit } from '../../../../../ledger/index.ts'
import { inTransaction } from '../../../../../platform/db/database.ts'
import { buyToken } from '../../../../coin/index.ts'
import { coverageOf, rewardJobs } from '../../../../rewards/index.ts'
import { instantReceipt } from '../../../../rewards/lists/instant-receipt.ts'
import { instantExtras, listInstant } from '../../../../rewards/lists/list-instant.ts'
import { currentSettings } from '../../../../settings/index.ts'

const instance = await staffInstance()

const coin = (count: number) => BigInt(count) * ONE
const FOUR_EYES = 'Another staff member has to approve this'
const REASON = 'bought below himself'

const work = async () => {
  for (const job of rewardJobs) await runJob(instance.at.db, instance.at.deps, job, 'test')
}
const pass = (days: number) => passDays(instance.at.clock, days, work)
const buy = async (who: Person, amount: bigint) => {
  const { coinPrice } = await currentSettings(instance.at.db, instance.at.clock.now())
  const totalPrice = (amount * coinPrice) / ONE
  await fund(instance.at.db, who.id, 'depositWallet', totalPrice)
  return inTransaction(instance.at.db, (tx) =>
    buyToken(tx, instance.at.deps, { memberId: who.id, coinAmount: amount, coinPrice, totalPrice }),
  )
}
/** Sessions expire as the clock advances by days, so each call signs in again. */
const call = async (path: string, who: Person, body: unknown) =>
  instance.post(path, { ...who, token: (await instance.at.signIn(who.id)).token }, body)
const cancel = (who: Person, by: Person, from?: Person) =>
  call(`/staff/members/${who.publicId}/cancel-rewards`, by, { reason: REASON, ...(from === undefined ? {} : { from: from.email }) })
const approve = (id: string, by: Person) => call(`/staff/changes/${id}/approve`, by, {})
/** Blocks or unblocks a member with two approvals. */
const setStatus = async (who: Person, status: boolean) => {
  const { body } = await call(`/staff/members/${who.publicId}/status`, instance.maker, { status, reason: 'suspicious' })
  if (status) expect((await approve(body.data.proposalId, instance.checker)).status).toBe(200)
}
const frozenFor = async (who: Person) => {
  const { token } = await instance.at.signIn(instance.support.id)
  return (await instance.get(`/staff/members/${who.publicId}/held-rewards`, { ...instance.support, token })).body.data
}
const promised = async () => (await coverageOf(instance.at.db, 'COIN')).promised
const damage = async () => (await runAudit(instance.at.db, checksOfTests)).filter((one) => one.broken > 0).map((one) => one.check.title)

describe('cancellation of pending rewards', () => {
  it('[I17] needs two staff members, covers one buyer, and shows the member the reason', async () => {
    const sponsor = await instance.person()
    const [puppet, friend] = [await instance.person({ sponsorId: sponsor.id }), await instance.person({ sponsorId: sponsor.id })]
    const before = await promised()
    await buy(puppet, coin(1000))
    await work()
    await buy(puppet, coin(600))
    await buy(friend, coin(200))
    expect(await promised()).toBe(before + coin(90))
    expect(await frozenFor(sponsor)).toMatchObject({
      data: [
        { kind: 'referral', from: { email: puppet.email }, asset: 'coin', amount: 50, promised: true },
        { from: { email: puppet.email }, amount: 30 },
        { from: { email: friend.email }, amount: 10 },
      ],
      meta: { total: 3 },
    })
    const { proposalId } = (await cancel(sponsor, instance.maker, puppet)).body.data
    // Rewards earned after the proposal are not affected.
    await buy(puppet, coin(40))
    expect((await approve(proposalId, instance.maker)).body.message).toBe(FOUR_EYES)
    expect((await approve(proposalId, instance.support)).status).toBe(404)
    expect((await approve(proposalId, instance.checker)).status).toBe(200)
    expect(await promised()).toBe(before + coin(12))
    const { rows } = await listInstant(instance.at.db, sponsor.id, 'referral', { page: 1, limit: 10 })
    expect(rows.map((row) => [row.amount, instantExtras('referral', row).status, row.reason])).toEqual([
      [coin(2), 'held', null],
      [coin(10), 'held', null],
      [coin(30), 'reversed', REASON],
      [coin(50), 'reversed', REASON],
    ])
    const head = { kind: 'referral-reward', id: String(rows.at(-1)?.id), title: 'Referral reward' } as const
    expect(await instantReceipt(instance.at.db, sponsor.id, 'referral', head)).toMatchObject({
      status: 'reversed',
      lines: expect.arrayContaining([{ label: 'Reason', value: REASON }]),
    })
    await pass(31)
    expect((await balancesOf(instance.at.db, sponsor.id)).nativeWallet).toBe(coin(12))
    const deeds = (await instance.audits(sponsor.publicId)).filter((row) => row.action !== 'staff.member.view')
    expect(deeds.map((row) => [row.action, row.actor_id, row.reason, row.outcome])).toEqual([
      ['staff.rewards.cancel', instance.maker.id, REASON, 'ok'],
    ])
    expect(await damage()).toEqual([])
  })

  it('covers owed rewards of a blocked member only', async () => {
    const sponsor = await instance.person()
    const pool = async (amount: bigint, back = false) => {
      const [from, to] = [{ system: 'SYS-REWARD', asset: 'COIN' } as const, { system: 'SYS-OPERATOR', asset: 'COIN' } as const]
      const transfers = [back ? { from: to, to: from, amount } : { from, to, amount }]
      await post(instance.at.db, { kind: 'testFunds', cause: { type: 'test', id: 'pool' }, at: instance.at.clock.now(), transfers })
    }
    const all = await balanceOfSystemAccount(instance.at.db, 'SYS-REWARD', 'COIN')
    await buy(await instance.person({ sponsorId: sponsor.id }), coin(1000))
    await pool(all)
    await pass(31)
    const owed = async () => (await coverageOf(instance.at.db, 'COIN')).owed
    const before = await owed()
    expect((await frozenFor(sponsor)).meta.total).toBe(0)
    expect((await cancel(sponsor, instance.maker)).status).toBe(400)
    await setStatus(sponsor, false)
    expect((await frozenFor(sponsor)).data).toMatchObject([{ amount: 50 }])
    const { proposalId } = (await cancel(sponsor, instance.maker)).body.data
    expect((await approve(proposalId, instance.checker)).status).toBe(200)
    expect(await owed()).toBe(before - coin(50))
    await pool(all, true)
    await setStatus(sponsor, true)
    await work()
    expect((await balancesOf(instance.at.db, sponsor.id)).nativeWallet).toBe(0n)
    expect(await damage()).toEqual([])
  })

  it("covers a blocked member's rewards, which are no longer a liability", async () => {
    const sponsor = await instance.person()
    const buyer = await instance.person({ sponsorId: sponsor.id })
    const before = await promised()
    await buy(buyer, coin(1000))
    const block = (status: boolean) => setStatus(sponsor, status)
    await block(false)
    expect(await promised()).toBe(before)
    expect((await frozenFor(sponsor)).data).toMatchObject([{ amount: 50, promised: false }])
    await block(true)
    expect(await promised()).toBe(before + coin(50))
    await block(false)
    const { proposalId } = (await cancel(sponsor, instance.maker)).body.data
    expect((await approve(proposalId, instance.checker)).status).toBe(200)
    await block(true)
    expect(await promised()).toBe(before)
    expect((await frozenFor(sponsor)).meta.total).toBe(0)
    expect(await damage()).toEqual([])
  })

  it('is rejected when nothing is pending, when it was paid meanwhile, or about one of the two people', async () => {
    const sponsor = await instance.person()
    const buyer = await instance.person({ sponsorId: sponsor.id })
    expect((await cancel(sponsor, instance.maker)).body.errorMessages).toEqual([{ path: 'id', message: 'No rewards are pending' }])
    await buy(buyer, coin(100))
    const { proposalId } = (await cancel(sponsor, instance.maker)).body.data
    await pass(31)
    expect((await approve(proposalId, instance.checker)).body.message).toMatch(/^The values have changed/)
    expect((await balancesOf(instance.at.db, sponsor.id)).nativeWallet).toBe(coin(5))
    // Staff accounts that had been used as members before.
    const earned = [await instance.person(), await instance.person()]
    for (const who of earned) {
      await buy(await instance.person({ sponsorId: who.id }), coin(100))
      await instance.at.db.updateTable('member').set({ role: 'ADMIN' }).where('id', '=', who.id).execute()
      who.token = (await instance.at.signIn(who.id)).token
      const own = who === earned[0]
      const { body } = await cancel(who, own ? who : instance.maker)
      const answer = own ? body : (await approve(body.data.proposalId, who)).body
      expect(answer.message).toBe(FOUR_EYES)
    }
    const cancelled = await sql`select 1 from reward_instant
      where cancel_reason is not null and beneficiary_id = any (${earned.map(({ id }) => id)}::bigint[])`.execute(instance.at.db)
    expect(cancelled.rows).toEqual([])
  })
})

describe('coverage of liabilities', () => {
  const propose = (value: object, by = instance.maker) => call('/staff/changes', by, { subject: 'commitment', value, reason: 'the year' })
  const commitment = async () => {
    const { token } = await instance.at.signIn(instance.maker.id)
    return (await instance.get('/staff/catalogue', { ...instance.maker, token })).body.data.commitment
  }

  it('is shown to staff, and changed by two people', async () => {
    expect(await commitment()).toEqual({ committedCoin: 0, committedUsd: 0 })
    const sponsor = await instance.person()
    const buyer = await instance.person({ sponsorId: sponsor.id })
    await buy(buyer, coin(10_000_000))
    const pool = await coverageOf(instance.at.db, 'COIN')
    const spare = pool.pool - pool.promised - pool.owed
    // 5 % of this purchase is one coin above the free pool balance.
    await expect(buy(buyer, 20n * (spare + ONE))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    const { id } = (await propose({ committedCoin: 1 })).body.data
    expect((await approve(id, instance.maker)).body.message).toBe(FOUR_EYES)
    const other = (await propose({ committedCoin: 5 })).body.data.id
    expect((await approve(id, instance.checker)).status).toBe(200)
    expect(await commitment()).toEqual({ committedCoin: 1, committedUsd: 0 })
    // The proposal's baseline has changed.
    expect((await approve(other, instance.checker)).body.message).toMatch(/^The values have changed/)
    expect((await propose({ committedCoin: 1 })).body.errorMessages).toMatchObject([{ message: 'Nothing would change' }])
    expect((await propose({ coverageMode: 'observe' })).status).toBe(400)
    expect((await propose({ committedCoin: -1 })).status).toBe(400)
    await buy(buyer, 20n * (spare + ONE))
    await expect(buy(buyer, coin(1))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    const policies = await sql<{
      by: bigint | null
      reason: string
    }>`select created_by as by, reason from reward_policy order by id`.execute(instance.at.db)
    expect(policies.rows.at(-1)).toEqual({ by: instance.checker.id, reason: 'the year' })
  })
})
