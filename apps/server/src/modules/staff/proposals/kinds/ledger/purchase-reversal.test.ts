import { coinPriceOf, dailyReward, ONE, quoteBuy } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { checksOfTests } from '../../../../../../test/audited-instance.ts'
import { fund } from '../../../../../../test/members.ts'
import { changeEverySetting } from '../../../../../../test/other-settings.ts'
import { runJob } from '../../../../../jobs/job.ts'
import { balanceOfSystemAccount, balancesOf, ledgerChecks, post, runAudit } from '../../../../../ledger/index.ts'
import { DAY_MS } from '../../../../../platform/runtime/clock.ts'
import { inTransaction, type Tx } from '../../../../../platform/db/database.ts'
import { listPurchases as listCoins } from '../../../../coin/coin.queries.ts'
import { findPurchaseReceipt } from '../../../../coin/coin.receipts.ts'
import { buyToken, reverseCoinPurchase } from '../../../../coin/index.ts'
import { buyNft, reverseNft } from '../../../../nfts/index.ts'
import { holdingsOf, listPurchases as listNfts } from '../../../../nfts/nfts.queries.ts'
import { coverageOf, rewardJobs, rewardTotals } from '../../../../rewards/index.ts'
import { listReferrals } from '../../../../rewards/lists/list-rows.ts'
import { applySettings, currentSettings } from '../../../../settings/index.ts'
import { openStake, stakingJobs, reverseStake } from '../../../../staking/index.ts'
import { branchTotals } from '../../../../team/index.ts'
import { exchangeToMyWallet } from '../../../../transfers/index.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../../../test/staff-instance.ts'
import { passDays } from '../../../../../../test/pass-days.ts'
import { setCommitment } from '../../../../../../test/commitment.ts'

const coin = (count: number) => BigInt(count) * ONE
const PRICE = 800_000n

let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
  const { db, clock } = instance.at
  await setCommitment(db)
  await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, status, created_at)
    values ('hundred', 'Hundred', 100, 0, ${100n * ONE}, 'ACTIVE', ${clock.now()}), ('two', 'Two', 2, 0, ${2n * ONE}, 'ACTIVE', ${clock.now()})`.execute(
    db,
  )
  await sql`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at)
    values ('wagon', 'wagon', 'Wagon', ${50n * ONE}, 12, ${100n * ONE}, 'ACTIVE', ${clock.now()})`.execute(db)
})

const job = async () => {
  for (const one of [...rewardJobs, ...stakingJobs]) await runJob(instance.at.db, instance.at.deps, one, 'test')
}
const pass = (days: number) => passDays(instance.at.clock, days, job)
/** Three members, each below the previous one. */
const line = async (): Promise<[Person, Person, Person]> => {
  const leader = await instance.person()
  const sponsor = await instance.person({ sponsorId: leader.id })
  return [leader, sponsor, await instance.person({ sponsorId: sponsor.id })]
}
/** Coin wallets for purchases, by their names in the API. */
const PAYS = { nativewallet: 'nativeWallet', mywallet: 'icoWallet' } as const
const stake = async (who: Person, amount: bigint, plan: 'hundred' | 'two' = 'hundred', wallet: keyof typeof PAYS = 'nativewallet') => {
  await fund(instance.at.db, who.id, PAYS[wallet], amount)
  const [duration, apy] = plan === 'hundred' ? [100, 100n * ONE] : [2, 2n * ONE]
  const { stakeId } = await inTransaction(instance.at.db, (tx) =>
    openStake(tx, instance.at.deps, {
      memberId: who.id,
      planId: plan,
      planName: plan === 'hundred' ? 'Hundred' : 'Two',
      duration,
      apy,
      stakeAmount: amount,
      dailyRoy: dailyReward(amount, apy, duration),
      wallet,
    }),
  )
  return stakeId
}
const buyCoin = async (who: Person, amount: bigint) => {
  const charged = (amount * PRICE) / ONE
  await fund(instance.at.db, who.id, 'depositWallet', charged)
  return inTransaction(instance.at.db, (tx) =>
    buyToken(tx, instance.at.deps, { memberId: who.id, coinAmount: amount, coinPrice: PRICE, totalPrice: charged }),
  )
}
const nft = async (who: Person, payby: keyof typeof PAYS | 'depositwallet' = 'depositwallet') => {
  await fund(
    instance.at.db,
    who.id,
    payby === 'depositwallet' ? 'depositWallet' : PAYS[payby],
    payby === 'depositwallet' ? coin(50) : coin(6250),
  )
  return inTransaction(instance.at.db, (tx) =>
    buyNft(tx, instance.at.deps, { memberId: who.id, nftId: 'wagon', walletName: 'wagon', payby }),
  )
}
/** Sessions expire as the clock advances by days, so each call signs in again. */
const call = async (path: string, who: Person, body: unknown, key?: string) =>
  instance.post(path, { ...who, token: (await instance.at.signIn(who.id)).token }, body, key)
const file = (kind: string, id: string, who = instance.maker, key?: string) =>
  call(`/staff/purchases/${kind}/${id}/reverse`, who, { reason: 'a mistake' }, key)
const filed = async (kind: string, id: string, who = instance.maker): Promise<string> => {
  const { body } = await file(kind, id, who)
  expect(body).toMatchObject({ success: true, message: 'Another staff member has to approve this' })
  return body.data.proposalId
}
const approve = (id: string, who = instance.checker) => call(`/staff/changes/${id}/approve`, who, { reason: 'agreed' })
const held = async (who: Person) => {
  const rows = await sql<{ status: string; left: bigint }>`
    select status, sum(amount - reversed)::bigint as left from reward_instant where beneficiary_id = ${who.id} group by 1`.execute(
    instance.at.db,
  )
  return Object.fromEntries(rows.rows.filter((row) => row.left > 0n).map((row) => [row.status, row.left]))
}
const damage = async () => (await runAudit(instance.at.db, [...ledgerChecks, ...checksOfTests])).filter((result) => result.broken > 0)

describe('purchase reversal', () => {
  it('[RW-03] [I17] returns a stake, and removes pending level rewards, future days and team volume', async () => {
    const { db } = instance.at
    const [leader, sponsor, who] = await line()
    const { promised } = await coverageOf(db, 'COIN')
    const id = await stake(who, coin(1000))
    await pass(1)
    expect([await held(sponsor), await held(leader)]).toEqual([{ held: (coin(50) * 100n) / 365n }, { held: (coin(30) * 100n) / 365n }])
    const change = await filed('stake', id)
    expect((await balancesOf(db, who.id)).stakeWallet).toBe(coin(1000))
    expect((await approve(change, instance.maker)).body.message).toBe('Another staff member has to approve this')
    expect((await approve(change)).status).toBe(200)
    // The paid day stays paid, for the staker and the members above.
    expect(await balancesOf(db, who.id)).toMatchObject({ stakeWallet: 0n, nativeWallet: coin(1010) })
    expect((await balancesOf(db, sponsor.id)).nativeWallet).toBe(coin(1))
    expect([await held(sponsor), await held(leader)]).toEqual([{}, {}])
    expect((await coverageOf(db, 'COIN')).promised).toBe(promised)
    expect((await branchTotals(db, [leader.id])).get(leader.id)?.stake).toBe(0n)
    await pass(31)
    expect((await coverageOf(db, 'COIN')).promised).toBe(promised)
    expect((await balancesOf(db, who.id)).nativeWallet).toBe(coin(1010))
    expect((await balancesOf(db, sponsor.id)).nativeWallet).toBe(coin(1))
    expect((await instance.audits(id)).map((one) => [one.action, one.actor_id, one.reason, one.outcome])).toEqual([
      ['staff.purchase.reverse', instance.maker.id, 'a mistake', 'ok'],
    ])
    expect((await instance.audits(change)).map((one) => [one.action, one.actor_id, one.outcome])).toEqual([
      ['staff.change.propose', instance.maker.id, 'ok'],
      ['staff.change.approve', instance.maker.id, 'FOUR_EYES'],
      ['staff.change.approve', instance.checker.id, 'ok'],
    ])
    expect(await damage()).toEqual([])
  })

  it('[RW-07] [MF-14] [I9] returns an NFT in its payment asset, and puts the unit on sale again', async () => {
    const { db } = instance.at
    const supply = () => db.selectFrom('nft_supply').selectAll().where('kind', '=', 'wagon').executeTakeFirstOrThrow()
    const { sold } = await supply()
    const [leader, sponsor, who] = await line()
    const ids = [await nft(who), await nft(who, 'nativewallet')]
    expect(await balancesOf(db, who.id)).toMatchObject({ depositWallet: 0n, nativeWallet: 0n })
    expect([await held(sponsor), await held(leader)]).toEqual([{ held: coin(5) }, { held: coin(3) }])
    for (const id of ids) expect((await approve(await filed('nft', id))).status).toBe(200)
    expect(await balancesOf(db, who.id)).toMatchObject({ depositWallet: coin(50), nativeWallet: coin(6250), nftWallet: 0n })
    expect([await held(sponsor), await held(leader)]).toEqual([{}, {}])
    expect((await supply()).sold).toBe(sold)
    expect((await holdingsOf(db, who.id)).wagon).toBe(0)
    const list = await listNfts(db, who.id, { page: 1, limit: 10 })
    expect(list.data.map((row) => row.status)).toEqual(['REVERSED', 'REVERSED'])
    expect(list.meta).toMatchObject({ total: 2, sum: 0n })
    expect((await coverageOf(db, 'USD')).promised).toBe(0n)
    await pass(40)
    expect((await balancesOf(db, who.id)).nftWallet).toBe(0n)
    expect(await damage()).toEqual([])
  })

  it('[RW-01] [MF-12] returns the coin if the wallet still holds it, and is rejected otherwise', async () => {
    const { db, deps } = instance.at
    const [, sponsor, who] = await line()
    const [id, other] = [await buyCoin(who, coin(1000)), await buyCoin(who, coin(500))]
    expect(await held(sponsor)).toEqual({ held: coin(75) })
    expect((await approve(await filed('coin', id))).status).toBe(200)
    expect(await balancesOf(db, who.id)).toMatchObject({ depositWallet: coin(8), newIcoWallet: coin(500) })
    expect(await held(sponsor)).toEqual({ held: coin(25) })
    // Reversed rewards appear in the list but not in the total.
    expect((await rewardTotals(db, sponsor.id)).transactionHistoryCount).toBe(coin(25))
    await job()
    expect((await rewardTotals(db, sponsor.id)).transactionHistoryCount).toBe(coin(25))
    for (const range of [{}, { from: '2026-01-01', to: '2027-01-01' }]) {
      const { data, meta } = await listReferrals(db, sponsor.id, { page: 1, limit: 10, ...range })
      expect(data.map((row) => row.status)).toEqual(['held', 'reversed'])
      expect(meta).toMatchObject({ total: 2, sum: coin(25), sumByStatus: { held: coin(25), reversed: coin(50) } })
    }
    const list = await listCoins(db, who.id, { page: 1, limit: 10 })
    expect(list.data.map((row) => [row.id, row.status])).toEqual([
      [other, undefined],
      [id, 'REVERSED'],
    ])
    expect(list.meta).toMatchObject({ total: 2, sum: coin(500) })
    expect(await findPurchaseReceipt(db, who.id, id)).toMatchObject({
      status: 'REVERSED',
      lines: expect.arrayContaining([expect.objectContaining({ label: 'Reversed' })]),
    })
    const late = await filed('coin', other)
    const { exchangeLimit } = await currentSettings(db, deps.clock.now())
    await inTransaction(db, (tx) => exchangeToMyWallet(tx, deps, { memberId: who.id, amount: (coin(500) * exchangeLimit) / (100n * ONE) }))
    expect((await approve(late)).body.message).toBe('Insufficient balance')
    expect((await file('coin', other)).body.message).toBe('Insufficient balance')
    expect(await held(sponsor)).toEqual({ held: coin(25) })
    expect(await damage()).toEqual([])
  })

  it('[MF-12] [MF-13] [MF-14] [I9] moves the amounts back along the accounts of the purchase', async () => {
    const [, , who] = await line()
    const bought: (readonly ['stake' | 'nft' | 'coin', string, string[]])[] = [
      ['stake', await stake(who, coin(10)), ['nativeWallet > stakeWallet']],
      ['stake', await stake(who, coin(11), 'hundred', 'mywallet'), ['icoWallet > stakeWallet']],
      ['nft', await nft(who), ['depositWallet > SYS-SALES']],
      ['nft', await nft(who, 'nativewallet'), ['nativeWallet > SYS-COIN']],
      ['nft', await nft(who, 'mywallet'), ['icoWallet > SYS-COIN']],
      ['coin', await buyCoin(who, coin(100)), ['SYS-COIN > newIcoWallet', 'depositWallet > SYS-SALES']],
    ]
    const moves = async (id: string) =>
      (
        await sql<{ way: string; back: string; amount: bigint; reversed: boolean }>`
          select d.kind || ' > ' || c.kind as way, c.kind || ' > ' || d.kind as back, t.amount, t.kind like '%Reversed' as reversed
          from ledger_transfer t join ledger_account d on d.id = t.debit_account join ledger_account c on c.id = t.credit_account
          where t.cause_id = ${id} and t.kind <> 'shardMove' order by d.kind || c.kind`.execute(instance.at.db)
      ).rows
    for (const [kind, id, wallets] of bought) {
      expect((await moves(id)).map(({ way }) => way).toSorted()).toEqual(wallets)
      expect((await approve(await filed(kind, id))).status).toBe(200)
      const [payment, back] = [(await moves(id)).filter(({ reversed }) => !reversed), (await moves(id)).filter(({ reversed }) => reversed)]
      expect(back.map(({ back: way, amount }) => `${amount} ${way}`).toSorted()).toEqual(
        payment.map(({ way, amount }) => `${amount} ${way}`).toSorted(),
      )
    }
    expect(await balancesOf(instance.at.db, who.id)).toMatchObject({
      nativeWallet: coin(6260),
      icoWallet: coin(6261),
      depositWallet: coin(50) + 100n * PRICE,
      newIcoWallet: 0n,
      stakeWallet: 0n,
    })
    expect(await damage()).toEqual([])
  })

  it.each([
    ['coin', 'depositwallet'],
    ['stake', 'nativewallet'],
    ['stake', 'mywallet'],
    ['nft', 'depositwallet'],
    ['nft', 'nativewallet'],
    ['nft', 'mywallet'],
  ] as const)('[MF-12] [MF-13] [MF-14] returns a %s paid from %s to the unit after every setting has changed', async (kind, payby) => {
    const { db, deps } = instance.at
    const changeAll = async () => onTestFinished(await changeEverySetting(db, deps))
    onTestFinished(async () => {
      await sql`update nft set price = ${50n * ONE}, duration_months = 12 where public_id = 'wagon'`.execute(db)
      await sql`update stake_plan set apy = ${100n * ONE}, duration_days = 100 where public_id = 'hundred'`.execute(db)
    })
    await changeAll()
    const { coinPrice } = await currentSettings(db, deps.clock.now())
    const [leader, sponsor, who] = await line()
    const [amount, price, apy] = [123_456_789_000n, coin(50) + 12_345_679n, 3_712_345_679n]
    const quote = quoteBuy(amount, coinPrice)
    expect(quote.charged).not.toBe(quote.totalPrice)
    await sql`update nft set price = ${price} where public_id = 'wagon'`.execute(db)
    await sql`update stake_plan set apy = ${apy} where public_id = 'hundred'`.execute(db)
    // All wallets hold money, so that a reversal to a wrong wallet or for a wrong amount would succeed.
    for (const wallet of ['depositWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet'] as const)
      await fund(db, who.id, wallet, coin(90_000) + 1n)
    const standing = async () => [
      await balancesOf(db, who.id),
      await balanceOfSystemAccount(db, 'SYS-SALES', 'USD'),
      await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN'),
      await held(sponsor),
      await held(leader),
    ]
    const before = await standing()
    const plan = { planId: 'hundred', planName: 'Hundred', duration: 100, apy, dailyRoy: dailyReward(amount, apy, 100) }
    const id = await inTransaction(db, async (tx) => {
      if (kind === 'coin') return buyToken(tx, deps, { memberId: who.id, coinAmount: amount, coinPrice, totalPrice: quote.totalPrice })
      if (kind === 'nft') return buyNft(tx, deps, { memberId: who.id, nftId: 'wagon', walletName: 'wagon', payby })
      const wallet = payby === 'mywallet' ? 'mywallet' : 'nativewallet'
      return (await openStake(tx, deps, { ...plan, memberId: who.id, stakeAmount: amount, wallet })).stakeId
    })
    expect(await standing()).not.toEqual(before)
    await changeAll()
    await sql`update nft set price = price * 2 + 1, duration_months = 7 where public_id = 'wagon'`.execute(db)
    await sql`update stake_plan set apy = apy * 2 + 1, duration_days = 77 where public_id = 'hundred'`.execute(db)
    expect(coinPriceOf(price, coinPrice)).not.toBe(coinPriceOf(price, (await currentSettings(db, deps.clock.now())).coinPrice))
    expect((await approve(await filed(kind, id))).status).toBe(200)
    expect(await standing()).toEqual(before)
    expect(await damage()).toEqual([])
  })

  it('is rejected when expired, already reversed, missing or older than its days for a reversal', async () => {
    const [, , who] = await line()
    const [short, long, land, bought] = [
      await stake(who, coin(10), 'two'),
      await stake(who, coin(10)),
      await nft(who),
      await buyCoin(who, coin(10)),
    ]
    const message = async (kind: string, id: string) => (await file(kind, id)).body.message
    await pass(2)
    expect(await message('stake', short)).toBe('This purchase cannot be reversed: the stake has run its time')
    expect((await file('stake', 'nothing')).status).toBe(404)
    expect((await file('coin', long)).status).toBe(404)
    expect((await file('house', long)).status).toBe(404)
    await pass(20)
    const change = await filed('stake', long)
    await pass(8)
    for (const [kind, id] of [
      ['stake', long],
      ['nft', land],
      ['coin', bought],
    ] as const)
      expect(await message(kind, id)).toBe('This purchase cannot be reversed: the 30 days for a reversal are over')
    expect((await approve(change)).body.message).toBe('This purchase cannot be reversed: the 30 days for a reversal are over')
    const again = await stake(who, coin(10))
    const [one, two] = [await filed('stake', again), await filed('stake', again, instance.third)]
    expect((await approve(one)).status).toBe(200)
    expect((await approve(two)).body.message).toBe('This purchase cannot be reversed: it was already reversed')
    expect(await message('stake', again)).toBe('This purchase cannot be reversed: it was already reversed')
    expect((await instance.audits(again)).map((row) => [row.action, row.outcome])).toEqual([
      ['staff.purchase.reverse', 'ok'],
      ['staff.purchase.reverse', 'PURCHASE_NOT_REVERSIBLE'],
    ])
    expect(await damage()).toEqual([])
  })

  it('has `reversalDays` for stakes and NFTs, and the hold period for coin, in the console and at the decision', async () => {
    const { db, deps, clock } = instance.at
    const set = (changes: { rewardHoldDays?: number; reversalDays?: number }) =>
      inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: null, reason: 'test' }))
    clock.advance(1000)
    const [, , who] = await line()
    const bought = { coin: await buyCoin(who, coin(10)), stake: await stake(who, coin(10)), nft: await nft(who) }
    const at = clock.now().getTime()
    const token = async () => (await instance.at.signIn(instance.support.id)).token
    const shown = async () => {
      const { body } = await instance.at.call('GET', `/staff/members/${who.publicId}/purchases?limit=10`, { token: await token() })
      const days = body.data.data.map((row: { kind: string; reversibleUntil?: string }) => [
        row.kind,
        row.reversibleUntil === undefined ? null : (Date.parse(row.reversibleUntil) - at) / DAY_MS,
      ])
      return Object.fromEntries(days)
    }
    const summary = async () =>
      (await instance.get(`/staff/members/${who.publicId}`, { ...instance.support, token: await token() })).body.data.reversible
    expect(await shown()).toEqual({ coin: 30, stake: 30, nft: 30 })
    await set({ reversalDays: 3 })
    expect(await shown()).toEqual({ coin: 30, stake: 3, nft: 3 })
    await set({ rewardHoldDays: 2 })
    expect(await shown()).toEqual({ coin: 2, stake: 3, nft: 3 })
    expect(await summary()).toEqual({ count: 3, until: new Date(at + 3 * DAY_MS).toISOString() })
    await pass(2)
    expect(await summary()).toEqual({ count: 2, until: new Date(at + 3 * DAY_MS).toISOString() })
    expect((await file('coin', bought.coin)).body.message).toBe('This purchase cannot be reversed: the 2 days for a reversal are over')
    const change = await filed('nft', bought.nft)
    clock.advance(DAY_MS - 1)
    expect((await approve(await filed('stake', bought.stake))).status).toBe(200)
    clock.advance(1)
    await job()
    expect((await approve(change)).body.message).toBe('This purchase cannot be reversed: the 3 days for a reversal are over')
    expect(await shown()).toEqual({ coin: null, stake: null, nft: null })
    expect(await summary()).toBeUndefined()
    await set({ reversalDays: 0 })
    const again = await stake(who, coin(10))
    expect((await file('stake', again)).body.message).toBe('This purchase cannot be reversed: the 0 days for a reversal are over')
    await set({ rewardHoldDays: 30, reversalDays: 30 })
    expect(await damage()).toEqual([])
  })

  it.each(['paid', 'owed'] as const)('is rejected when a reward of it is %s, although the hold period is longer now', async (status) => {
    const { db, deps, clock } = instance.at
    const hold = (rewardHoldDays: number) =>
      inTransaction(db, (tx) => applySettings(tx, deps, { changes: { rewardHoldDays }, actorId: null, reason: 'test' }))
    clock.advance(1000)
    await hold(1)
    const [, sponsor, who] = await line()
    const id = await buyCoin(who, coin(100))
    clock.advance(DAY_MS)
    await hold(30)
    const amount = await balanceOfSystemAccount(db, 'SYS-REWARD', 'COIN')
    const [ofPool, ofOperator] = [{ system: 'SYS-REWARD', asset: 'COIN' } as const, { system: 'SYS-OPERATOR', asset: 'COIN' } as const]
    const movePool = (from: typeof ofPool | typeof ofOperator, to: typeof from) =>
      post(db, { kind: 'testFunds', cause: { type: 'test', id: 'pool' }, at: clock.now(), transfers: [{ from, to, amount }] })
    if (status === 'owed') await movePool(ofPool, ofOperator)
    await job()
    expect(await held(sponsor)).toEqual({ [status]: coin(5) })
    expect((await file('coin', id)).body.message).toBe('This purchase cannot be reversed: rewards for it have been released already')
    if (status === 'owed') await movePool(ofOperator, ofPool)
    await job()
    expect(await held(sponsor)).toEqual({ paid: coin(5) })
    expect(await damage()).toEqual([])
  })

  it.each(['coin', 'stake', 'nft'] as const)('[I5] reverses a %s once when two people approve in parallel', async (kind) => {
    const { db, deps } = instance.at
    const [, sponsor, who] = await line()
    const id = await { coin: () => buyCoin(who, coin(50)), stake: () => stake(who, coin(50)), nft: () => nft(who) }[kind]()
    const undo = (tx: Tx) => ({ coin: reverseCoinPurchase, stake: reverseStake, nft: reverseNft })[kind](tx, deps, id)
    const waiting = async () =>
      (
        await sql<{
          pid: number
        }>`select pid from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
          db,
        )
      ).rows
    const second = await inTransaction(db, async (tx) => {
      await undo(tx)
      const other = inTransaction(db, undo).catch((error: unknown) => error)
      // The embedded database has one session, so the other transaction has not begun there.
      if (inject('testDatabase').kind === 'postgres') await expect.poll(waiting).toHaveLength(1)
      return { other }
    })
    expect(await second.other).toMatchObject({
      code: 'PURCHASE_NOT_REVERSIBLE',
      message: 'This purchase cannot be reversed: it was already reversed',
    })
    expect(await held(sponsor)).toEqual({})
    expect(await damage()).toEqual([])
  })

  it('[I5] [I7] has one effect when approved, filed and repeated in parallel, while its coin is spent', async () => {
    const { db, deps } = instance.at
    const [, sponsor, who] = await line()
    const id = await stake(who, coin(2000))
    const changes = [await filed('stake', id), await filed('stake', id, instance.third)]
    const replies = await Promise.all([
      approve(changes[0] ?? ''),
      approve(changes[0] ?? '', instance.third),
      approve(changes[1] ?? ''),
      approve(changes[1] ?? '', instance.maker),
      job(),
    ])
    expect(replies.filter((reply) => reply !== undefined && reply.status === 200)).toHaveLength(1)
    expect(await balancesOf(db, who.id)).toMatchObject({ stakeWallet: 0n, nativeWallet: coin(2000) })
    expect(await held(sponsor)).toEqual({})
    const token = (await instance.at.signIn(instance.maker.id)).token
    const other = await stake(who, coin(5))
    const repeat = () =>
      instance.at.call('POST', `/staff/purchases/stake/${other}/reverse`, { token, body: { reason: 'twice' }, key: 'undo-1' })
    const [first, second] = [await repeat(), await repeat()]
    expect(second.text).toBe(first.text)
    expect(first.status).toBe(200)
    // A reversal and an exchange of the same coin run at once: one of the two wins.
    const bought = await buyCoin(who, coin(100))
    const change = await filed('coin', bought)
    const { exchangeLimit } = await currentSettings(db, deps.clock.now())
    const [undone, moved] = await Promise.all([
      approve(change),
      inTransaction(db, (tx) =>
        exchangeToMyWallet(tx, deps, { memberId: who.id, amount: (coin(100) * exchangeLimit) / (100n * ONE) }),
      ).then(
        () => true,
        () => false,
      ),
    ])
    expect(moved).toBe(undone.status !== 200)
    expect(await damage()).toEqual([])
  })

  it('[RW-05] removes a rank that depended on the stake, and returns its rank budget', async () => {
    const { db } = instance.at
    const [leader, , who] = await line()
    const other = await instance.person({ sponsorId: leader.id })
    const rank = async () => (await db.selectFrom('member').select('rank').where('id', '=', leader.id).executeTakeFirstOrThrow()).rank
    const budgets = async () =>
      (
        await sql<{ amount: bigint }>`select coalesce(sum(amount), 0)::bigint as amount from (
          select amount from reward_liability where kind = 'rank' union all select amount * steps from reward_liability_pending where kind = 'rank') p`.execute(
          db,
        )
      ).rows[0]?.amount ?? 0n
    await stake(other, coin(50_000))
    const before = await budgets()
    const id = await stake(who, coin(100_000))
    await job()
    expect([await rank(), (await budgets()) - before]).toEqual(['bronze', coin(50_000) / 365n])
    expect((await approve(await filed('stake', id))).status).toBe(200)
    await job()
    expect([await rank(), (await budgets()) - before]).toEqual([null, 0n])
    await pass(101)
    const bonuses = await sql`select from reward_rank_bonus where member_id = ${leader.id}`.execute(db)
    expect([bonuses.rows, await damage()]).toEqual([[], []])
  })

  it('is denied to support, members and the buyer, and shows no purchases of others', async () => {
    const [, , who] = await line()
    const own = await stake(instance.checker, coin(5))
    expect((await file('stake', own, instance.checker)).body.message).toBe('Another staff member has to approve this')
    expect((await approve(await filed('stake', own))).body.message).toBe('Another staff member has to approve this')
    const id = await stake(who, coin(5))
    for (const other of [who, instance.support]) expect((await file('stake', id, other)).status).toBe(404)
    const list = async (reader: Person) =>
      instance.at.call('GET', `/staff/members/${who.publicId}/purchases?limit=10`, { token: (await instance.at.signIn(reader.id)).token })
    expect((await list(who)).status).toBe(404)
    const { body } = await list(instance.support)
    expect(body.data).toMatchObject({ meta: { total: 1 }, data: [{ id, kind: 'stake', asset: 'coin', amount: 5, status: 'ACTIVE' }] })
    expect(Date.parse(body.data.data[0].reversibleUntil)).toBe(instance.at.clock.now().getTime() + 30 * DAY_MS)
    const reversible = async () =>
      (
        await instance.get(`/staff/members/${who.publicId}`, {
          ...instance.support,
          token: (await instance.at.signIn(instance.support.id)).token,
        })
      ).body.data.reversible
    expect(await reversible()).toEqual({ count: 1, until: body.data.data[0].reversibleUntil })
    expect((await approve(await filed('stake', id))).status).toBe(200)
    expect(await reversible()).toBeUndefined()
    const after = (await list(instance.maker)).body.data.data[0]
    expect(after.status).toBe('REVERSED')
    expect(after).not.toHaveProperty('reversibleUntil')
  })
})
