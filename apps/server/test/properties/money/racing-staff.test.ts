import { dailyReward, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { checksOfTests } from '../../audited-instance.ts'
import { fund } from '../../members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../staff-instance.ts'
import { runJob } from '../../../src/jobs/job.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { buyNft } from '../../../src/modules/nfts/index.ts'
import { rewardJobs } from '../../../src/modules/rewards/index.ts'
import { openStake, stakingJobs } from '../../../src/modules/staking/index.ts'
import { sendToMember } from '../../../src/modules/transfers/index.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { setCommitment } from '../../commitment.ts'

const coin = (count: number) => BigInt(count) * ONE
const REASON = { reason: 'as it has to be' }
const PLAN = { planName: 'Hundred', duration: 100, minimum: 1, omega: false, status: 'ACTIVE' }
const WAGON = { nftId: 'wagon', name: 'Wagon', title: 'Wagon', walletName: 'wagon', duration: 12, dailyRoi: 100, status: 'ACTIVE' }

let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
  const { db, clock } = instance.at
  await setCommitment(db)
  await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, status, created_at)
    values ('hundred', 'Hundred', 100, ${ONE}, ${100n * ONE}, 'ACTIVE', ${clock.now()}), ('steady', 'Hundred', 100, ${ONE}, ${7n * ONE}, 'ACTIVE', ${clock.now()})`.execute(
    db,
  )
  await sql`insert into nft (public_id, kind, name, title, price, duration_months, total_percent, status, created_at)
    values ('wagon', 'wagon', 'Wagon', 'Wagon', ${50n * ONE}, 12, ${100n * ONE}, 'ACTIVE', ${clock.now()})`.execute(db)
})

/** Opens a session per call, because the clock moves by days and sessions expire. */
const post = async (path: string, who: Person, body: object) =>
  instance.post(path, { ...who, token: (await instance.at.signIn(who.id)).token }, body)
const propose = async (subject: string, value: object): Promise<string> =>
  (await post('/staff/changes', instance.maker, { subject, value, ...REASON })).body.data.id
const approve = (proposalId: string) => post(`/staff/changes/${proposalId}/approve`, instance.checker, REASON)
const stake = (who: Person, apy: bigint, planId = 'hundred', amount = coin(100)) =>
  inTransaction(instance.at.db, (tx) =>
    openStake(tx, instance.at.deps, {
      memberId: who.id,
      planId,
      planName: 'Hundred',
      duration: 100,
      apy,
      stakeAmount: amount,
      dailyRoy: dailyReward(amount, apy, 100),
      wallet: 'nativewallet',
    }),
  )
const buy = (who: Person) =>
  inTransaction(instance.at.db, (tx) =>
    buyNft(tx, instance.at.deps, { memberId: who.id, nftId: 'wagon', walletName: 'wagon', payby: 'depositwallet' }),
  )
const codeOf = (error: { code?: string }) => error.code ?? 'no code'
const runRewardJobs = async () => {
  for (const one of [...rewardJobs, ...stakingJobs]) await runJob(instance.at.db, instance.at.deps, one, 'test')
}
const damage = async () => (await runAudit(instance.at.db, [...ledgerChecks, ...checksOfTests])).filter((result) => result.broken > 0)
const people = async (count: number, usd = 0, nativeCoin = 0): Promise<Person[]> => {
  const members: Person[] = []
  for (let number = 0; number < count; number += 1) {
    const who = await instance.person()
    if (usd > 0) await fund(instance.at.db, who.id, 'depositWallet', coin(usd))
    if (nativeCoin > 0) await fund(instance.at.db, who.id, 'nativeWallet', coin(nativeCoin))
    members.push(who)
  }
  return members
}

describe('change approved by two staff members while members act', () => {
  it('[RW-09] [VA-66] opens no stake with mixed values, and none with the old ones after the approval', async () => {
    for (const [old, next] of [
      [100, 40],
      [40, 250],
    ] as const) {
      const staking = await people(6, 0, 200)
      const change = await propose('plan', { ...PLAN, planId: 'hundred', apy: next })
      const [approved, ...ends] = await Promise.all([
        approve(change),
        ...staking.map((who, index) => stake(who, BigInt(index % 2 === 0 ? old : next) * ONE).then(() => 'opened', codeOf)),
      ])
      expect(approved?.status).toBe(200)
      expect(ends.filter((end) => end !== 'opened' && end !== 'FIGURES_CHANGED')).toEqual([])
      for (const [index, who] of staking.entries()) {
        const rows = await instance.at.db.selectFrom('stake').select(['apy', 'daily_reward']).where('member_id', '=', who.id).execute()
        const apy = BigInt(index % 2 === 0 ? old : next) * ONE
        const expected = { apy, daily_reward: dailyReward(coin(100), apy, 100) }
        expect(rows).toEqual(ends[index] === 'opened' ? [expected] : [])
        expect((await balancesOf(instance.at.db, who.id)).stakeWallet).toBe(rows.length === 1 ? coin(100) : 0n)
      }
      const [late] = await people(1, 0, 200)
      if (late === undefined) throw new Error('nobody')
      expect(await stake(late, BigInt(old) * ONE).catch(codeOf)).toBe('FIGURES_CHANGED')
      expect(await stake(late, BigInt(next) * ONE)).toMatchObject({ isOmega: false })
    }
    expect(await damage()).toEqual([])
  })

  it('[MF-14] sells an NFT at the price in its row, and at the new one only after the approval', async () => {
    for (const price of [70, 20]) {
      const buyers = await people(5, 100)
      const change = await propose('nft', { ...WAGON, price })
      const before = (await instance.at.db.selectFrom('nft').select('price').executeTakeFirstOrThrow()).price
      const [approved, ...ends] = await Promise.all([approve(change), ...buyers.map((who) => buy(who).then(() => 'bought', codeOf))])
      expect([approved?.status, new Set(ends)]).toEqual([200, new Set(['bought'])])
      for (const who of buyers) {
        const paid = await instance.at.db
          .selectFrom('nft_purchase')
          .select(['price', 'paid_amount'])
          .where('member_id', '=', who.id)
          .execute()
        expect([before, coin(price)]).toContain(paid[0]?.price)
        expect(paid).toEqual([{ price: paid[0]?.price, paid_amount: paid[0]?.price }])
        expect((await balancesOf(instance.at.db, who.id)).depositWallet).toBe(coin(100) - (paid[0]?.price ?? 0n))
      }
      const [late] = await people(1, 100)
      if (late === undefined) throw new Error('nobody')
      await buy(late)
      expect((await balancesOf(instance.at.db, late.id)).depositWallet).toBe(coin(100) - coin(price))
    }
    expect(await damage()).toEqual([])
  })
})

it('[I7] [RO-17] has no deadlock when proposals about one member are filed and decided in parallel', async () => {
  const colleague = await instance.person({ role: 'ADMIN' })
  const file = (who: Person, act: string, input: object, by: Person) =>
    instance.post(`/staff/members/${who.publicId}/${act}`, by, { ...input, ...REASON })
  for (let round = 0; round < 6; round += 1) {
    const who = await instance.person()
    const filed = [
      await file(who, 'special-rcm', { isSpecialRcm: true }, instance.maker),
      await file(who, 'rank', { rank: 'gold' }, instance.maker),
      await file(colleague, 'end-sessions', {}, instance.maker),
    ]
    const ends = await Promise.all([
      ...filed.map((reply) => approve(reply.body.data.proposalId)),
      ...[1, 2, 3].flatMap(() => [
        file(who, 'special-rcm', { isSpecialRcm: true }, instance.third),
        file(who, 'rank', { rank: 'silver' }, instance.third),
        file(who, 'status', { status: false }, instance.third),
        file(who, 'status', { status: true }, instance.third),
        file(colleague, 'status', { status: false }, instance.third),
        file(colleague, 'end-sessions', {}, instance.third),
      ]),
    ])
    expect(ends.filter(({ status }) => ![200, 400].includes(status)).map(({ text }) => text)).toEqual([])
  }
})

describe('reversal while rewards are paid', () => {
  it('[RW-03] pays a stake for a day or reverses it, never both or half', async () => {
    const leader = await instance.person()
    const staking = await Promise.all([1, 2, 3].map(() => instance.person({ sponsorId: leader.id })))
    for (const who of staking) await fund(instance.at.db, who.id, 'nativeWallet', coin(100))
    const ids = await Promise.all(staking.map((who) => stake(who, 7n * ONE, 'steady')))
    instance.at.clock.advance(DAY_MS)
    const changes: string[] = []
    for (const { stakeId } of ids) {
      const { body } = await post(`/staff/purchases/stake/${stakeId}/reverse`, instance.maker, REASON)
      changes.push(body.data.proposalId)
    }
    const [, ...undone] = await Promise.all([runRewardJobs(), ...changes.map((change) => approve(change))])
    expect(undone.map((reply) => reply?.status)).toEqual([200, 200, 200])
    await runRewardJobs()
    const after = await Promise.all([leader, ...staking].map((who) => balancesOf(instance.at.db, who.id)))
    for (const wallets of after.slice(1)) {
      expect(wallets.stakeWallet).toBe(0n)
      // The principal alone, or with one full day's reward.
      expect([coin(100), coin(100) + dailyReward(coin(100), 7n * ONE, 100)]).toContain(wallets.nativeWallet)
    }
    instance.at.clock.advance(2 * DAY_MS)
    await runRewardJobs()
    expect(await Promise.all([leader, ...staking].map((who) => balancesOf(instance.at.db, who.id)))).toEqual(after)
    expect(await damage()).toEqual([])
  })

  it('[I1] [I7] moves each amount of a chain of transfers back once or not at all, in parallel', async () => {
    const chain = await people(4)
    const [first] = chain
    if (first === undefined) throw new Error('nobody')
    await fund(instance.at.db, first.id, 'depositWallet', coin(40))
    for (const [index, who] of chain.slice(0, -1).entries()) {
      const to = chain[index + 1]
      if (to !== undefined)
        await inTransaction(instance.at.db, (tx) =>
          sendToMember(tx, instance.at.deps, { senderId: who.id, email: to.email, amount: coin(40 - index * 10) }),
        )
    }
    const { rows } = await sql<{ id: bigint }>`select id from ledger_transfer where kind = 'userToUser' order by id`.execute(instance.at.db)
    const file = (id: bigint) => post(`/staff/ledger/transfers/${id}/reverse`, instance.maker, REASON)
    const filed = await Promise.all(rows.flatMap(({ id }) => [file(id), file(id)]))
    const changes = [...new Set(filed.flatMap((reply) => (reply.status === 200 ? [String(reply.body.data.proposalId)] : [])))]
    expect(changes.length).toBeGreaterThan(0)
    const before = await Promise.all(chain.map((who) => balancesOf(instance.at.db, who.id)))
    const ends = await Promise.all(changes.flatMap((change) => [approve(change), approve(change)]))
    expect(ends.filter(({ status }) => status >= 500)).toEqual([])
    const after = await Promise.all(chain.map((who) => balancesOf(instance.at.db, who.id)))
    const total = (all: typeof after) => all.reduce((sum, { depositWallet }) => sum + depositWallet, 0n)
    expect(total(after)).toBe(total(before))
    const taken = await sql<{ reverses: bigint }>`select reverses from ledger_reversal`.execute(instance.at.db)
    expect(new Set(taken.rows.map((row) => row.reverses)).size).toBe(taken.rows.length)
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(taken.rows.length)
    expect(await damage()).toEqual([])
  })
})
