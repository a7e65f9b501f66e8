import { ONE, percentOf, quoteBuy, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import {
  byOne,
  fillSalesFund,
  FREE_TRANSFERS,
  fund,
  payIn,
  PAYOUT_ADDRESS,
  type TestMember,
  confirmPayoutAddress,
} from '../../../../test/members.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { balancesOf, postReversal, receiptOf, runAudit } from '../../../ledger/index.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { auditChecks as coinChecks, buyToken, reverseCoinPurchase } from '../../coin/index.ts'
import { applySettings } from '../../settings/index.ts'
import { moveBetweenWallets, sellCoin, sendToMember } from '../../transfers/index.ts'
import { approvePayout, rejectPayout, requestBridge, requestWithdrawal } from '../../withdrawals/index.ts'
import { listReferrals } from '../lists/list-rows.ts'
import { coverageOf } from '../pool/coverage.ts'
import { onCoinCameBack, onCoinSentOut, onDepositReversed } from './new-money.ts'
import { readRewardCounters } from './reward-counters.ts'
import { findReceipt } from '../../histories/index.ts'
import { UNEARNED_REASONS } from '../programme/referral.rules.ts'
import { addProgramme } from '../pool/add-programme.ts'
import { rewardHistories } from '../history.ts'
import { setCommitment } from '../../../../test/commitment.ts'

const PRICE = 800_000n
const coin = (count: number) => BigInt(count) * ONE
const usdFor = (amount: Units) => quoteBuy(amount, PRICE).charged

describe('new money', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, deps, clock } = instance
  await instance.fundPool('COIN', coin(10_000_000))
  await fillSalesFund(db, coin(10_000))
  // Members can sell bought coin at once: the shortest cycle.
  await inTransaction(db, (tx) =>
    applySettings(tx, deps, { changes: { buyTokenCreditWallet: 'icoWallet', ...FREE_TRANSFERS }, actorId: null, reason: 'test' }),
  )

  const pair = async (usd: Units) => {
    const sponsor = await instance.join()
    const buyer = await instance.join({ sponsor })
    if (usd > 0n) await fund(db, buyer.id, 'depositWallet', usd)
    return { sponsor, buyer }
  }
  const buy = (member: TestMember, coinAmount: Units) =>
    inTransaction(db, (tx) =>
      buyToken(tx, deps, { memberId: member.id, coinAmount, coinPrice: PRICE, totalPrice: quoteBuy(coinAmount, PRICE).totalPrice }),
    )
  const sell = (member: TestMember, amount: Units) =>
    inTransaction(db, (tx) => sellCoin(tx, deps, { memberId: member.id, wallet: 'icoWallet', amount }))
  const send = (from: TestMember, to: TestMember, amount: Units) =>
    inTransaction(db, (tx) => sendToMember(tx, deps, { senderId: from.id, amount, email: to.email }))
  const statuses = async (member: TestMember) => (await readRewardCounters(db, member.id, 'referral')).byStatus
  const newMoney = async (member: TestMember) => {
    const found = await sql<{ held: Units }>`select new_money as held from ledger_account where id = ${member.id * 16n + 1n}`.execute(db)
    return found.rows[0]?.held ?? 0n
  }
  /** Sums the rewards held for a sponsor, less the reversed parts. */
  const frozenFor = async (member: TestMember) => {
    const found = await sql<{ held: bigint }>`select coalesce(sum(amount - reversed), 0)::bigint as held from reward_instant
      where beneficiary_id = ${member.id} and status = 'held'`.execute(db)
    return found.rows[0]?.held
  }

  it('[RW-01] [RW-14] leaves no pending reward for coin that is bought and sold repeatedly', async () => {
    const { sponsor, buyer } = await pair(coin(1000))
    for (let cycle = 0; cycle < 10; cycle += 1) {
      await buy(buyer, coin(124_000))
      await sell(buyer, coin(124_000))
    }
    expect((await balancesOf(db, buyer.id)).depositWallet).toBe(coin(1000))
    expect(await frozenFor(sponsor)).toBe(0n)
    await instance.pass(31)
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(0n)
    expect(Object.keys(await statuses(sponsor))).toEqual(['reversed'])
  })

  it('reads only the pending rewards that the sold coin reaches', async () => {
    const { buyer } = await pair(coin(1000))
    for (let time = 0; time < 6; time += 1) await buy(buyer, coin(1000))
    const reached = await sql<{ given: bigint; before: bigint }>`
      select given, before from reward_newest_held(${[buyer.id]}::bigint[], ${[coin(1500)]}::bigint[], ${clock.now()})`.execute(db)
    expect(reached.rows).toEqual([
      { given: coin(1500), before: 0n },
      { given: coin(1500), before: coin(1000) },
    ])
  })

  it("reads a limited part of a long history, whatever the planner's statistics", async () => {
    const { buyer, sponsor } = await pair(coin(1000))
    await buy(buyer, coin(1000))
    // Buyers take turns, so that one buyer's rows lie all over the table. There the planner prefers a sort to an index.
    const reader = db.connection().execute(async (line) => {
      await sql`begin`.execute(line)
      await sql`alter table reward_instant disable trigger all`.execute(line)
      await sql`insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level,
          base, percent, amount, asset, programme_version, status, created_at, release_at)
        select r.kind, r.beneficiary_id, r.source_member_id + n % 64, r.cause_type, r.cause_id + 1000 + n, r.cause_public_id, r.cause_amount, r.level,
          r.base, r.percent, r.amount, r.asset, r.programme_version, r.status, r.created_at, r.release_at
        from reward_instant r, generate_series(1, 64 * 300) n where r.beneficiary_id = ${sponsor.id}`.execute(line)
      await sql`analyze reward_instant`.execute(line)
      const read = async () => {
        const { rows } = await sql<{ read: bigint }>`select (idx_tup_fetch + seq_tup_read)::bigint as read from pg_stat_xact_user_tables
          where relname = 'reward_instant'`.execute(line)
        return rows[0]?.read ?? 0n
      }
      const before = await read()
      await sql`select from reward_newest_held(${[buyer.id]}::bigint[], ${[coin(1500)]}::bigint[], ${clock.now()})`.execute(line)
      const after = await read()
      await sql`rollback`.execute(line)
      return Number(after - before)
    })
    // A loop fetches ten rows at a time.
    expect(await reader).toBeLessThanOrEqual(10)
  })

  it('[RW-01] [MF-17] earns a reward once, for the part of a purchase that it paid, and is spent first', async () => {
    const { sponsor, buyer } = await pair(coin(1000))
    await buy(buyer, coin(10_000))
    await instance.pass(31)
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(coin(500))
    await sell(buyer, coin(4000))
    // The deposit has 920 USD left, and the sale brought in 32 USD.
    expect(await newMoney(buyer)).toBe(usdFor(coin(115_000)))
    await buy(buyer, coin(115_000))
    expect(await frozenFor(sponsor)).toBe(coin(5750))
    await buy(buyer, coin(4000))
    expect(await frozenFor(sponsor)).toBe(coin(5750))
  })

  it('[RW-01] earns a reward for the part of a purchase that it paid', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(300)))
    await buy(buyer, coin(300))
    await instance.pass(29)
    clock.advance(2 * DAY_MS)
    await sell(buyer, coin(300))
    await fund(db, buyer.id, 'depositWallet', usdFor(coin(100)))
    await instance.job()
    await buy(buyer, coin(400))
    expect(await frozenFor(sponsor)).toBe(coin(5))
    const { data } = await listReferrals(db, sponsor.id, { page: 1, limit: 10 })
    expect(data.map(({ amount, reason }) => [amount, reason])).toEqual([
      [coin(5), 'For 100 of 400 coin: the rest was bought with money that was not deposited, or that earned a reward before'],
      [coin(15), undefined],
    ])
  })

  it('[RW-01] reverses pro rata, newest purchase first, and to the unit in the last part', async () => {
    const { sponsor, buyer } = await pair(coin(1000))
    await buy(buyer, coin(1000))
    await buy(buyer, 3333_333_333n)
    await sell(buyer, 1111_111_111n)
    await sell(buyer, 1111_111_111n)
    await instance.job('reward-totals')
    await sell(buyer, 1111_111_111n)
    expect(await statuses(sponsor)).toEqual({ held: coin(50), reversed: 166_666_666n })
    await sell(buyer, coin(400))
    expect(await frozenFor(sponsor)).toBe(coin(30))
    expect((await coverageOf(db, 'COIN')).promised).toBeGreaterThanOrEqual(coin(30))
    await buy(buyer, coin(100))
    expect(await frozenFor(sponsor)).toBe(coin(35))
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-14] earns nothing again when USD from rewarded coin buys in another account, directly or through several', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(10_000)))
    await buy(buyer, coin(10_000))
    await instance.pass(31)
    await sell(buyer, coin(10_000))
    const friend = await instance.join()
    const { sponsor: next, buyer: second } = await pair(0n)
    await send(buyer, friend, usdFor(coin(10_000)))
    await send(friend, second, usdFor(coin(10_000)))
    await buy(second, coin(10_000))
    expect(await frozenFor(next)).toBe(0n)
    // New money earns a reward as before, and so does the first account's.
    await fund(db, second.id, 'depositWallet', usdFor(coin(2000)))
    await buy(second, coin(2000))
    expect(await frozenFor(next)).toBe(coin(100))
    await fund(db, buyer.id, 'depositWallet', usdFor(coin(2000)))
    await buy(buyer, coin(2000))
    expect(await frozenFor(sponsor)).toBe(coin(100))
  })

  it('[RW-14] reverses rewards for coin that leaves over the bridge during the hold', async () => {
    const { sponsor, buyer } = await pair(coin(1000))
    const staff = await instance.join()
    await buy(buyer, coin(1000))
    await confirmPayoutAddress(db, buyer.id)
    const { id: payoutId } = await inTransaction(db, (tx) =>
      requestBridge(tx, deps, { memberId: buyer.id, amount: coin(250), address: PAYOUT_ADDRESS, network: 0 }),
    )
    expect(await frozenFor(sponsor)).toBe(coin(50))
    await inTransaction(db, (tx) => approvePayout(tx, deps, { payoutId, kind: 'bridge', staffId: staff.id, reason: 'test', ...byOne }))
    expect(await frozenFor(sponsor)).toBe(percentOf(coin(750), 5n * ONE, 'down'))
  })

  it('[RW-01] is restored when staff reverse a purchase, less the share of its sold coin', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(3000)))
    const { promised } = await coverageOf(db, 'COIN')
    const id = await buy(buyer, coin(3000))
    await sell(buyer, coin(1000))
    expect(await newMoney(buyer)).toBe(usdFor(coin(1000)))
    await fund(db, buyer.id, 'icoWallet', coin(1000))
    expect((await inTransaction(db, (tx) => reverseCoinPurchase(tx, deps, id))).taken).toEqual({ rewards: 1, reversedUnits: coin(100) })
    expect([await frozenFor(sponsor), await newMoney(buyer)]).toEqual([0n, usdFor(coin(3000))])
    expect(await coverageOf(db, 'COIN')).toMatchObject({ promised })
    await buy(buyer, coin(4000))
    expect(await frozenFor(sponsor)).toBe(coin(150))
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-01] is restored in full when the reversed purchase earned nothing', async () => {
    const alone = await instance.join()
    await fund(db, alone.id, 'depositWallet', usdFor(coin(500)))
    const id = await buy(alone, coin(500))
    expect(await newMoney(alone)).toBe(0n)
    await inTransaction(db, (tx) => reverseCoinPurchase(tx, deps, id))
    expect(await newMoney(alone)).toBe(usdFor(coin(500)))
  })

  it('[RW-01] gives the sponsor a row with the reason when a purchase earns nothing, and a receipt without figures', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(2000)))
    const rows = async () => (await listReferrals(db, sponsor.id, { page: 1, limit: 25 })).data
    const setActive = (isActive: boolean) => sql`update member set is_active = ${isActive} where id = ${sponsor.id}`.execute(db)
    await buy(buyer, coin(500))
    await setActive(false)
    const whileBlocked = await buy(buyer, coin(1000))
    await setActive(true)
    await inTransaction(db, (tx) => reverseCoinPurchase(tx, deps, whileBlocked))
    // The blocked sponsor's purchase earned nothing, so all of its money is new again.
    expect(await newMoney(buyer)).toBe(usdFor(coin(1500)))
    await buy(buyer, coin(1500))
    await fund(db, buyer.id, 'icoWallet', coin(3000))
    await instance.pass(31)
    await sell(buyer, coin(3000))
    await buy(buyer, coin(3000))
    expect((await rows()).map(({ amount, status, reason }) => [amount, status, reason])).toEqual([
      [0n, 'unearned', UNEARNED_REASONS['no-new-money']],
      [coin(75), 'paid', undefined],
      [0n, 'unearned', UNEARNED_REASONS['not-entitled']],
      [coin(25), 'paid', undefined],
    ])
    const [newest] = await rows()
    const receipt = await findReceipt(rewardHistories, db, sponsor.id, newest?.receipt ?? { kind: 'referral-reward', id: '0' })
    expect(receipt).toMatchObject({ status: 'unearned', amount: 0n, base: 0n })
    expect(receipt?.lines).toEqual([{ label: 'No reward', value: UNEARNED_REASONS['no-new-money'] }])
    expect(JSON.stringify(receipt, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(/3000/)
    // Another member, and a buyer without a sponsor, get no row.
    expect((await listReferrals(db, buyer.id, { page: 1, limit: 25 })).data).toEqual([])
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-01] gives a row to the sponsor only for a purchase while the share is 0 %, and finds a wrong reason', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(200)))
    const alone = await instance.join()
    await fund(db, alone.id, 'depositWallet', usdFor(coin(100)))
    const paused = (referralPercent: Units) => {
      clock.advance(1000)
      return inTransaction(db, (tx) =>
        addProgramme(tx, { rules: { referralPercent }, startsAt: clock.now(), at: clock.now(), reason: 'test', by: null }),
      )
    }
    await paused(0n)
    await Promise.all([buy(buyer, coin(100)), buy(buyer, coin(100)), buy(alone, coin(100))])
    await paused(5n * ONE)
    const { data, meta } = await listReferrals(db, sponsor.id, { page: 1, limit: 25 })
    expect(data.map(({ amount, reason }) => [amount, reason])).toEqual(Array.from({ length: 2 }, () => [0n, UNEARNED_REASONS['no-share']]))
    expect(meta).toMatchObject({ total: 2, sum: 0n })
    await instance.job('reward-totals')
    expect((await listReferrals(db, sponsor.id, { page: 1, limit: 25 })).meta).toMatchObject({ total: 2, sum: 0n })
    expect(await instance.damage()).toEqual([])
    const wrong = async () => (await runAudit(db, coinChecks)).filter(({ broken }) => broken > 0).map(({ check }) => check.title)
    expect(await wrong()).toEqual([])
    await sql`update reward_instant set unearned_reason = 'no-new-money' where beneficiary_id = ${sponsor.id}`.execute(db)
    expect(await wrong()).toEqual(['a purchase of coin that earned its sponsor nothing names the reason'])
    await sql`update reward_instant set unearned_reason = 'no-share' where beneficiary_id = ${sponsor.id}`.execute(db)
  })

  it('[RW-01] is restored up to the USD of the sale when the price fell, and up to the price paid when it rose', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(2000)))
    const changePrice = (coinPrice: Units) =>
      inTransaction(db, (tx) => applySettings(tx, deps, { changes: { coinPrice, convertRate: coinPrice }, actorId: null, reason: 'test' }))
    await buy(buyer, coin(2000))
    await changePrice(PRICE / 2n)
    await sell(buyer, coin(1000))
    expect(await newMoney(buyer)).toBe(usdFor(coin(500)))
    await changePrice(PRICE * 2n)
    await sell(buyer, coin(1000))
    expect(await newMoney(buyer)).toBe(usdFor(coin(1500)))
    await sql`alter table ledger_new_money_return disable trigger user`.execute(db)
    await sql`update ledger_new_money_return set amount = amount + 1`.execute(db)
    expect((await instance.damage()).join()).toContain('is the fold of its transfers')
    await sql`update ledger_new_money_return set amount = amount - 1`.execute(db)
    await sql`alter table ledger_new_money_return enable always trigger ledger_new_money_return_append_only`.execute(db)
    await changePrice(PRICE)
    expect(await frozenFor(sponsor)).toBe(0n)
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-01] is sent after other money, and only as far as the payment needs it', async () => {
    const { buyer } = await pair(usdFor(coin(1000)))
    const friend = await instance.join()
    await buy(buyer, coin(1000))
    await instance.pass(31)
    await sell(buyer, coin(1000))
    await fund(db, buyer.id, 'depositWallet', 10n * ONE)
    await send(buyer, friend, 7n * ONE)
    expect([await newMoney(buyer), await newMoney(friend)]).toEqual([10n * ONE, 0n])
    await send(buyer, friend, 5n * ONE)
    expect([await newMoney(buyer), await newMoney(friend)]).toEqual([6n * ONE, 4n * ONE])
  })

  it('[RW-01] is restored when a withdrawal comes back', async () => {
    const { buyer } = await pair(30n * ONE)
    await confirmPayoutAddress(db, buyer.id)
    const staff = await instance.join()
    const { id: payoutId } = await inTransaction(db, (tx) =>
      requestWithdrawal(tx, deps, { memberId: buyer.id, amount: 20n * ONE, address: PAYOUT_ADDRESS }),
    )
    expect(await newMoney(buyer)).toBe(10n * ONE)
    await inTransaction(db, (tx) => rejectPayout(tx, deps, { payoutId, staffId: staff.id, reason: 'test' }))
    expect(await newMoney(buyer)).toBe(30n * ONE)
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-01] reverses pending rewards when a reversed deposit was already spent, and later deposits cover the rest', async () => {
    const { sponsor, buyer } = await pair(0n)
    const friend = await instance.join()
    await payIn(db, deps, buyer.id, 20n * ONE)
    await payIn(db, deps, friend.id, 20n * ONE)
    // 8 USD bought coin, 7 USD went to another member, and USD that is not new fills the wallet again.
    await buy(buyer, coin(1000))
    await send(buyer, friend, 7n * ONE)
    await fund(db, buyer.id, 'nftWallet', 20n * ONE)
    await inTransaction(db, (tx) => moveBetweenWallets(tx, deps, { move: 'nftToDeposit', memberId: buyer.id, amount: 20n * ONE }))
    const { rows } = await sql<{ id: bigint }>`select max(id) as id from ledger_transfer where credit_account = ${buyer.id * 16n + 1n}
      and kind = 'deposit'`.execute(db)
    const deposit = await receiptOf(db, rows[0]?.id ?? 0n)
    if (deposit === undefined) throw new Error('no deposit')
    await inTransaction(db, async (tx) => {
      const { id, newMoney: taken } = await postReversal(tx, deposit, { proposalId: 'test', at: clock.now(), coversLoss: false })
      expect(taken).toBe(5n * ONE)
      await onDepositReversed(tx, clock.now(), { memberId: buyer.id, transferId: id, missing: deposit.amount - taken })
    })
    expect([await frozenFor(sponsor), await newMoney(buyer)]).toEqual([0n, 0n])
    // 20 USD, less the remaining 5 and the 8 whose reward was reversed.
    await payIn(db, deps, buyer.id, 10n * ONE)
    expect(await newMoney(buyer)).toBe(3n * ONE)
    expect(await instance.damage()).toEqual([])
    await sql`update ledger_new_money_debt set owed = owed + 1`.execute(db)
    expect((await instance.damage()).join()).toContain('a deposit of USD is new money, but for debts')
    await sql`update ledger_new_money_debt set owed = owed - 1`.execute(db)
  })

  it('[RW-14] restores the rewards that a returned bridge transfer had reversed', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(1000)))
    await buy(buyer, coin(1000))
    await instance.job('reward-totals')
    const sent = (payoutId: bigint, amount: Units) =>
      inTransaction(db, (tx) => onCoinSentOut(tx, { memberId: buyer.id, payoutId, coin: amount, at: clock.now() }))
    const cameBack = (payoutId: bigint) => inTransaction(db, (tx) => onCoinCameBack(tx, payoutId))
    await sent(1n, coin(400))
    await sent(2n, coin(600))
    expect([await frozenFor(sponsor), await newMoney(buyer)]).toEqual([0n, 0n])
    await sql`update reward_sent_coin set coin = coin + 1`.execute(db)
    expect((await instance.damage()).join()).toContain('the referral rewards reversed by a bridge')
    await sql`update reward_sent_coin set coin = coin - 1`.execute(db)
    await cameBack(1n)
    await cameBack(1n)
    expect(await frozenFor(sponsor)).toBe(coin(20))
    await cameBack(2n)
    expect(await frozenFor(sponsor)).toBe(coin(50))
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-01] counts parallel purchases and sales one after the other', async () => {
    const { sponsor, buyer } = await pair(usdFor(coin(8000)))
    await Promise.all(Array.from({ length: 8 }, () => buy(buyer, coin(1000))))
    await Promise.all([...Array.from({ length: 4 }, () => sell(buyer, coin(1000))), send(buyer, sponsor, 5n * ONE).catch(() => 0)])
    expect((await newMoney(buyer)) + (await newMoney(sponsor))).toBe(usdFor(coin(4000)))
    expect(await frozenFor(sponsor)).toBe(coin(200))
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-14] rejects a purchase whose reward is not covered, and accepts one without a reward', async () => {
    const { buyer } = await pair(coin(1000))
    const alone = await instance.join()
    await fund(db, alone.id, 'depositWallet', coin(1000))
    await instance.job('reward-totals')
    const pool = await instance.pool('COIN')
    await setCommitment(db, 0n)
    const { promised, owed } = await coverageOf(db, 'COIN')
    await sql`update reward_liability set amount = amount + ${pool - promised - owed - coin(1)}
      where (day, kind) = (select day, kind from reward_liability order by day desc limit 1)`.execute(db)
    await expect(buy(buyer, coin(100))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await buy(buyer, coin(20))
    await buy(alone, coin(100_000))
    await expect(buy(buyer, coin(20))).rejects.toMatchObject({ code: 'NOT_COVERED' })
  })
})
