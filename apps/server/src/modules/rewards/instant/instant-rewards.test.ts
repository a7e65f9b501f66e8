import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { coverageOf } from '../pool/coverage.ts'
import { saleTerms } from '../pool/assert-covered.ts'
import { currentProgramme } from '../programme/programme.ts'
import { shareOf } from '../programme/rewards.rules.ts'
import { openSources } from './source-sales.ts'
import { readRewardCounters } from './reward-counters.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import type { SoldSource } from '../sources/source.ts'

const coin = (count: number) => BigInt(count) * ONE
const HOLD = 30 * DAY_MS

describe('instant rewards', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance
  await instance.fundPool('COIN', coin(10_000_000))
  await instance.fundPool('USD', coin(10_000_000))
  const statuses = async (memberId: bigint, kind: string) => (await readRewardCounters(db, memberId, kind)).byStatus

  it('[RW-01] [MF-17] hold 5 % of bought coin for the direct sponsor, and pay it after the hold', async () => {
    const top = await instance.join()
    const sponsor = await instance.join({ sponsor: top })
    const buyer = await instance.join({ sponsor })
    await instance.buyCoin(buyer, coin(100) + 19n)
    clock.advance(HOLD - 1)
    await instance.job()
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(0n)
    expect(await statuses(sponsor.id, 'referral')).toEqual({ held: coin(5) })
    clock.advance(1)
    await instance.job()
    await instance.job()
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(coin(5))
    expect(await instance.wallet(top, 'nativeWallet')).toBe(0n)
    expect(await statuses(sponsor.id, 'referral')).toEqual({ paid: coin(5) })
  })

  it('[RW-02] [RW-07] [MF-18] [MF-22] pay five levels of a stake when it matures, of an NFT with its first month, and pass on no level that earns nothing', async () => {
    const line = [await instance.join()]
    for (let level = 0; level < 6; level += 1) {
      const sponsor = line.at(-1)
      line.push(await instance.join({ sponsor, active: level !== 4 }))
    }
    const bottom = line.at(-1)
    if (bottom === undefined) throw new Error('no line')
    const above = line.slice(0, -1).toReversed()
    const wallets = (kind: 'nativeWallet' | 'nftWallet') => Promise.all(above.map((member) => instance.wallet(member, kind)))
    const none = above.map(() => 0n)
    const levels = (parts: readonly bigint[]) => [0n, ...parts, 0n]
    const bounties = (await currentProgramme(db, clock.now())).bountyPercents.slice(1)
    // Both pay a percent in their life, so a month of the NFT is 2 / 12 USD.
    await instance.stake(bottom, { amount: coin(1000), apy: 1n, days: 45 })
    await instance.buyNft(bottom, { price: coin(200), percent: ONE, months: 12 })
    const { sum } = await readRewardCounters(db, above[1]?.id ?? 0n, 'level')
    await instance.pass(29)
    expect([await wallets('nativeWallet'), await wallets('nftWallet')]).toEqual([none, none])
    expect((await statuses(above[1]?.id ?? 0n, 'nft-level'))['held']).toBe(coin(6))
    await instance.pass(1)
    // The direct sponsor was blocked at the time. The other uplines keep their levels.
    const month = coin(2) / 12n
    expect(await wallets('nftWallet')).toEqual(
      levels([6n, 4n, 2n, 2n].map((part, level) => part * ONE + shareOf(month, bounties[level] ?? 0n))),
    )
    await instance.pass(14)
    expect([await wallets('nativeWallet'), sum]).toEqual([none, (coin(30) * 45n) / 365n])
    await instance.pass(1)
    expect(await wallets('nativeWallet')).toEqual(levels([30n, 20n, 10n, 10n].map((part) => (part * ONE * 45n) / 365n)))
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-12] wait while the member is blocked', async () => {
    const sponsor = await instance.join()
    const buyer = await instance.join({ sponsor })
    await instance.buyCoin(buyer, coin(100))
    await instance.setActive(sponsor, false)
    await instance.pass(30)
    expect(await statuses(sponsor.id, 'referral')).toEqual({ held: coin(5) })
    await instance.setActive(sponsor, true)
    await instance.job()
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(coin(5))
  })

  it('[I10] are earned once per event, however often it is reported', async () => {
    const sponsor = await instance.join()
    const staker = await instance.join({ sponsor })
    const sale: SoldSource = {
      stream: 0,
      publicId: 'told-twice',
      label: 'Test plan',
      memberId: staker.id,
      principal: coin(1000),
      percent: ONE,
      amount: coin(1),
      steps: 10,
    }
    const open = () => inTransaction(db, async (tx) => openSources(tx, await saleTerms(tx, clock.now(), 'COIN'), clock.now(), [sale]))
    await open()
    await expect(open()).rejects.toThrow('reward_source_public_id_key')
    expect(await readRewardCounters(db, sponsor.id, 'level')).toMatchObject({ total: 1, sum: (coin(50) * 10n) / 365n })
  })

  it('[RW-05] need a rank that the team holds, with at most half of its threshold from one direct referral', async () => {
    const leader = await instance.join()
    const child = await instance.join({ sponsor: leader })
    const deep = await instance.join({ sponsor: child })
    const other = await instance.join({ sponsor: leader })
    const rank = async () => (await db.selectFrom('member').select('rank').where('id', '=', leader.id).executeTakeFirstOrThrow()).rank
    const rankAfter = async (member: { id: bigint }, count: number) => {
      await instance.stake(member, { amount: coin(count), apy: 1n, days: 10 })
      await instance.job()
      return rank()
    }
    expect(await rankAfter(leader, 5_000_000)).toBeNull()
    expect(await rankAfter(deep, 50_000)).toBeNull()
    expect(await rankAfter(other, 49_998)).toBeNull()
    expect(await rankAfter(other, 2)).toBe('bronze')
    expect(await rankAfter(child, 900_000)).toBe('bronze')
    expect(await rankAfter(other, 450_000)).toBe('gold')
    expect(await readRewardCounters(db, leader.id, 'rank')).toMatchObject({ total: 0 })
  })

  it('[MF-17] become owed when the pool is short, and are paid first after funding', async () => {
    const short = await testInstance(await testDatabase())
    const sponsor = await short.join()
    const buyer = await short.join({ sponsor })
    await short.buyCoin(buyer, coin(100))
    await short.buyCoin(buyer, coin(40))
    short.clock.advance(HOLD)
    await short.fundPool('COIN', coin(4))
    await short.job()
    expect(await short.wallet(sponsor, 'nativeWallet')).toBe(0n)
    expect((await readRewardCounters(short.db, sponsor.id, 'referral')).byStatus).toEqual({ owed: coin(7) })
    expect(await coverageOf(short.db, 'COIN')).toMatchObject({ pool: coin(4), owed: coin(7) })
    await short.fundPool('COIN', coin(3))
    await short.job()
    expect(await short.wallet(sponsor, 'nativeWallet')).toBe(coin(7))
    expect(await short.pool('COIN')).toBe(0n)
    expect(await short.damage()).toEqual([])
  })

  it('[RW-02] [RW-07] [I18] wait while the runs wait for a person, however far the clock has moved', async () => {
    const sponsor = await instance.join()
    const staker = await instance.join({ sponsor })
    await instance.stake(staker, { amount: coin(1000), apy: 1n, days: 40 })
    await instance.buyNft(staker, { price: coin(200), percent: ONE, months: 2 })
    await instance.buyCoin(staker, coin(100))
    await instance.job()
    clock.advance(90 * DAY_MS)
    await instance.job()
    await instance.job()
    expect(await statuses(sponsor.id, 'referral')).toEqual({ held: coin(5) })
    expect([await instance.wallet(sponsor, 'nativeWallet'), await instance.wallet(sponsor, 'nftWallet')]).toEqual([0n, 0n])
    expect([await statuses(sponsor.id, 'level'), await statuses(sponsor.id, 'nft-level')]).toEqual([
      { held: (coin(50) * 40n) / 365n },
      { held: coin(10) },
    ])
    await sql`update reward_instant set status = 'owed' where beneficiary_id = ${sponsor.id} and kind = 'level'`.execute(db)
    expect((await instance.damage()).join()).toContain('is not paid before that step was counted')
    await sql`update reward_instant set status = 'held' where beneficiary_id = ${sponsor.id} and kind = 'level'`.execute(db)
    await sql`update reward_instant set release_at = release_at - interval '1 second' where beneficiary_id = ${sponsor.id} and kind = 'nft-level'`.execute(
      db,
    )
    expect((await instance.damage()).join()).toContain('a level reward is due when its stake matures')
    await sql`update reward_instant set release_at = release_at + interval '1 second' where beneficiary_id = ${sponsor.id} and kind = 'nft-level'`.execute(
      db,
    )
  })
})
