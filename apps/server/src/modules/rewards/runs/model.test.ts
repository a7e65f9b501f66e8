import { ONE } from '@tizara/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchParameters, searchTimeout } from '../../../../../../test/search.ts'
import { testDatabase } from '../../../../test/database.ts'
import type { TestMember } from '../../../../test/members.ts'
import { listBounties } from '../lists/list-bounties.ts'
import { listOwn } from '../lists/list-own.ts'
import { openingRules, RewardModel } from '../../../../test/reward-model.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const HOUR = 3_600_000

const amount = fc.bigInt({ min: 100_000_001n, max: 300_000n * ONE })
const who = fc.nat({ max: 30 })
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), sponsor: fc.option(who, { freq: 6 }), verified: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('stake' as const),
      who,
      amount,
      apy: fc.integer({ min: 1, max: 40_000 }),
      days: fc.integer({ min: 1, max: 9 }),
      omega: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('nft' as const),
      who,
      amount,
      percent: fc.integer({ min: 1, max: 500 }),
      months: fc.integer({ min: 1, max: 14 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('coin' as const), who, amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), who, active: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 70 }) }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

describe('rewards compared with an independent model', async () => {
  const instance = await testInstance(await testDatabase())
  await instance.fundPool('COIN', 1_000_000_000n * ONE)
  await instance.fundPool('USD', 1_000_000_000n * ONE)

  const play = async (actions: readonly Action[]) => {
    const model = new RewardModel(openingRules, 30)
    const members: TestMember[] = []
    const join = async (sponsor: number | null, verified: boolean) => {
      const above = sponsor === null ? undefined : members[sponsor % Math.max(1, members.length)]
      members.push(await instance.join({ sponsor: above, verified }))
      model.join(above === undefined ? null : members.indexOf(above), verified)
    }
    const now = () => instance.clock.now().getTime()
    await join(null, true)
    for (const one of [...actions, { do: 'wait', hours: 70 } as const]) {
      const index = 'who' in one ? one.who % members.length : 0
      const member = members[index]
      if (member === undefined) continue
      if (one.do === 'join') await join(one.sponsor, one.verified)
      if (one.do === 'stake') {
        const apy = BigInt(one.apy) * 1_000_000n
        await instance.stake(member, { amount: one.amount, apy, days: one.days, omega: one.omega })
        model.stake(index, one.amount, apy, one.days, now())
      }
      if (one.do === 'nft') {
        await instance.buyNft(member, { price: one.amount, percent: BigInt(one.percent) * ONE, months: one.months })
        model.buyNft(index, one.amount, BigInt(one.percent) * ONE, one.months, now())
      }
      if (one.do === 'coin') {
        await instance.buyCoin(member, one.amount)
        model.buyCoin(index, one.amount, now())
      }
      if (one.do === 'block') {
        await instance.setActive(member, one.active)
        const verified = (
          await instance.db.selectFrom('member').select('is_verified').where('id', '=', member.id).executeTakeFirstOrThrow()
        ).is_verified
        const entry = model.members[index]
        if (entry !== undefined) entry.earns = one.active && verified
      }
      if (one.do === 'wait') {
        instance.clock.advance(one.hours * HOUR)
        await instance.job()
        await instance.mature()
        model.work(now())
      }
    }
    for (const [index, member] of members.entries()) {
      const expected = model.members[index]
      expect(await instance.wallet(member, 'nativeWallet')).toBe(expected?.native)
      expect(await instance.wallet(member, 'nftWallet')).toBe(expected?.nft)
      await listsAddUp(member)
    }
    // Finishes this forest's days before the next one starts.
    instance.clock.advance(24 * HOUR)
    await instance.job()
  }

  /** Checks, page by page, that each list's rows add up to its sum. */
  const listsAddUp = async (member: TestMember) => {
    for (const stream of [0, 1, 2] as const) {
      for (const list of [
        async (page: number) => {
          const { rows, meta } = await listBounties(instance.db, member.id, stream, { page, limit: 3 })
          return { amounts: rows.map((row) => row.profit), meta }
        },
        async (page: number) => {
          const { rows, meta } = await listOwn(instance.db, member.id, stream, { page, limit: 3 })
          return { amounts: rows.map((row) => row.amount), meta }
        },
      ]) {
        const { meta } = await list(1)
        const pages = Array.from({ length: Math.ceil(meta.total / 3) }, (_, index) => index + 1)
        const amounts: bigint[] = []
        for (const page of pages) amounts.push(...(await list(page)).amounts)
        expect(amounts.length).toBe(meta.total)
        expect(amounts.reduce((total, one) => total + one, 0n)).toBe(meta.sum)
      }
    }
  }

  it(
    '[MF-15] [MF-16] [MF-19] [MF-21] [MF-23] are paid for random forests as in the model, and the lists add up',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 30 }), play), {
        ...searchParameters('rewards by the model', { short: 6, long: 60, seed: 20_260_302 }),
        endOnFailure: true,
      })
      expect(await instance.damage()).toEqual([])
    },
    searchTimeout(120_000),
  )
})
