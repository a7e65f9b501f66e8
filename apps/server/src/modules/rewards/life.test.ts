import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { dice } from '../../../test/dice.ts'
import type { TestMember } from '../../../test/members.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { moveBetweenWallets } from '../transfers/index.ts'
import { addProgramme } from './pool/add-programme.ts'
import { type ModelRules, openingRules, RewardModel } from '../../../test/reward-model.ts'
import { testInstance } from '../../../test/test-instance.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('long simulation of many members', async () => {
  const database = await testDatabase()
  const instance = await testInstance(database, '2027-09-20T06:00:00Z')
  // The embedded database shares the test's process, so its simulation is shorter.
  const [days, people] = database.url === undefined ? [60, 100] : [400, 1000]
  const isDay = (day: number, ofFourHundred: number) => day === Math.floor((ofFourHundred * days) / 400)
  const { db, deps, clock } = instance

  it('[MF-18] [MF-20] [MF-22] [CO-48] ends like the model to the unit, with all audits passing', async () => {
    const roll = dice(400)
    const model = new RewardModel(openingRules, 30)
    const members: TestMember[] = []
    const now = () => clock.now().getTime()
    const some = () => roll(members.length)

    const join = async () => {
      const sponsor = members.length === 0 || roll(25) === 0 ? null : some()
      const verified = roll(15) > 0
      members.push(await instance.join({ sponsor: sponsor === null ? undefined : members[sponsor], verified }))
      model.join(sponsor, verified)
    }
    const setEarning = async (index: number, earns: boolean) => {
      const member = members[index]
      const entry = model.members[index]
      if (member === undefined || entry === undefined) return
      await db.updateTable('member').set({ is_active: earns, is_verified: earns }).where('id', '=', member.id).execute()
      entry.earns = earns
    }
    const act = async () => {
      const index = some()
      const member = members[index]
      const entry = model.members[index]
      if (member === undefined || entry === undefined) return
      const what = roll(10)
      const amount = BigInt(roll(900_000_000) + 2) * 12_345n
      if (what < 4) {
        const apy = BigInt(roll(200) + 1) * 12_345_678n
        const length = roll(120) + 2
        await instance.stake(member, { amount: amount + ONE, apy, days: length, omega: roll(4) === 0 })
        model.stake(index, amount + ONE, apy, length, now())
      } else if (what < 5) {
        const percent = BigInt(roll(300) + 1) * 1_234_567_8n
        const months = roll(15) + 1
        await instance.buyNft(member, { price: amount / 10_000n + 1n, percent, months })
        model.buyNft(index, amount / 10_000n + 1n, percent, months, now())
      } else if (what < 7) {
        await instance.buyCoin(member, amount)
        model.buyCoin(index, amount, now())
      } else if (what < 9) {
        const spent = (await instance.wallet(member, 'nativeWallet')) / 2n
        if (spent > 0n)
          await inTransaction(db, (tx) => moveBetweenWallets(tx, deps, { move: 'swapNative', memberId: member.id, amount: spent }))
        entry.native -= spent
      } else await setEarning(index, !entry.earns)
    }
    const changeProgramme = async (percents: bigint[]) => {
      const rules: ModelRules = { ...openingRules, referral: percents[0] ?? 0n, level: percents.toReversed(), bounty: percents }
      const { referral, level, bounty } = rules
      await inTransaction(db, (tx) =>
        addProgramme(tx, {
          rules: {
            referralPercent: referral,
            levelPercents: level,
            stakeLogLevelPercents: level,
            nftLevelPercents: level,
            bountyPercents: bounty,
            stakeLogBountyPercents: bounty,
            nftBountyPercents: bounty,
          },
          startsAt: clock.now(),
          at: clock.now(),
          reason: 'test',
          by: null,
        }),
      )
      model.rules = rules
    }

    await instance.fundPool('COIN', coin(200 * people))
    await instance.fundPool('USD', coin(10))
    for (let day = 0; day < days; day += 1) {
      const joins = day < days / 8 ? (people * 8) / days : 0
      for (let count = 0; count < joins; count += 1) await join()
      for (let count = 0; count < 4; count += 1) await act()
      if (isDay(day, 90)) await changeProgramme([7n, 6n, 5n, 4n, 3n].map((one) => one * 123_450_000n))
      if (isDay(day, 230)) await changeProgramme([1n, 2n, 3n, 4n, 5n].map((one) => one * 50_000_000n))
      // The pool is empty by now; it is funded late, and again near the end.
      if (isDay(day, 260)) await instance.fundPool('COIN', coin(2_000_000))
      clock.advance(DAY_MS - 3_600_000 + roll(7200) * 1000)
      await instance.job()
      await instance.mature()
      model.work(now())
      if (isDay(day, 250)) expect((await instance.pool('COIN')) < coin(1000)).toBe(true)
    }
    for (const index of members.keys()) if (model.members[index]?.earns === false) await setEarning(index, true)
    await instance.fundPool('COIN', coin(1_000_000_000))
    await instance.fundPool('USD', coin(1_000_000_000))
    await instance.job()
    await instance.job()
    model.work(now())

    const differing: string[] = []
    for (const [index, member] of members.entries()) {
      const expected = model.members[index]
      const found = { native: await instance.wallet(member, 'nativeWallet'), nft: await instance.wallet(member, 'nftWallet') }
      if (found.native !== expected?.native || found.nft !== expected.nft)
        differing.push(`${index}: ${found.native} ${found.nft}, not ${expected?.native} ${expected?.nft}`)
    }
    expect(differing).toEqual([])
    expect(model.members.some((member) => member.filled.size > 0)).toBe(true)
    expect(await instance.damage()).toEqual([])
  }, 600_000)
})
