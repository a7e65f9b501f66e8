import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { balancesOf } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { openSources } from '../instant/source-sales.ts'
import { assertCovered, liabilityOf, saleTerms } from './assert-covered.ts'
import { coverageOf } from './coverage.ts'
import { creditRcm, fundRewardPool, setRewardPolicy } from './staff-money.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('coverage under parallel requests', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db, deps } = instance
  const sale = { kind: 'stake', amount: coin(1000), apy: 10n * ONE, durationDays: 10 } as const
  const left = async () => {
    const { pool, committed, promised, owed } = await coverageOf(db, 'COIN')
    return pool + committed - promised - owed
  }
  const enforce = (committed: Units) =>
    inTransaction(db, (tx) => setRewardPolicy(tx, { at: clock.now(), by: null, reason: 'test', committed: { COIN: committed, USD: 0n } }))
  /** The liability of a stake without a sponsor: rewards, bounties, and a rank budget of 0.5 % for 10 of 365 days. */
  const each = coin(121) + (coin(5) * 10n) / 365n
  /** Stakes whose transactions have all read the coverage before the first one writes. */
  const stakeAtOnce = async (members: readonly { id: bigint }[]) => {
    let [waiting, open] = [members.length, () => {}]
    const allHaveRead = new Promise<void>((resolve) => {
      open = resolve
    })
    return Promise.allSettled(
      members.map((member) =>
        inTransaction(db, async (tx) => {
          const terms = await saleTerms(tx, clock.now(), 'COIN')
          assertCovered(terms.capacity, [liabilityOf(sale, terms.programme)])
          waiting -= 1
          if (waiting === 0) open()
          await allHaveRead
          await openSources(tx, terms, clock.now(), [
            {
              stream: 0,
              publicId: deps.ids.publicId(),
              label: 'Test plan',
              memberId: member.id,
              principal: sale.amount,
              percent: sale.apy,
              amount: coin(10),
              steps: 10,
            },
          ])
        }),
      ),
    )
  }

  it('[RW-14] is given to one of three parallel stakes when it is enough for one', async () => {
    const members = [await instance.join(), await instance.join(), await instance.join()]
    await enforce(coin(200))
    const results = await stakeAtOnce(members)
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toMatchObject([{ code: 'NOT_COVERED' }, { code: 'NOT_COVERED' }])
    expect(await left()).toBe(coin(200) - each)
  })

  it('[RW-14] is given to all parallel stakes when it is enough for all', async () => {
    const members = [await instance.join(), await instance.join(), await instance.join()]
    await enforce(coin(600))
    expect((await stakeAtOnce(members)).map((one) => one.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(await left()).toBe(coin(600) - 4n * each)
  })

  it('[RW-10] [MF-25] is not used for an RCM credit when it is reserved for liabilities', async () => {
    const staff = await instance.join()
    const member = await instance.join()
    await instance.fundPool('COIN', 4n * each + coin(5))
    await enforce(0n)
    const credit = (amount: bigint) =>
      inTransaction(db, (tx) =>
        creditRcm(tx, deps, { by: { memberId: staff.id, role: 'ADMIN' }, reason: 'test', memberId: member.id, amount }),
      )
    await expect(credit(coin(6))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    expect(await instance.wallet(member, 'rcmWallet')).toBe(0n)
    await credit(coin(5))
    expect(await left()).toBe(0n)
  })
})

describe('reward pool', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, deps } = instance
  const staff = await instance.join()
  const act = { by: { memberId: staff.id, role: 'ADMIN' }, reason: 'because' }

  it('[MF-25] [RW-10] pays RCM credits up to its balance, and records the reason', async () => {
    const member = await instance.join()
    const credit = (amount: bigint) => inTransaction(db, (tx) => creditRcm(tx, deps, { ...act, memberId: member.id, amount }))
    await expect(credit(coin(1))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await inTransaction(db, (tx) => fundRewardPool(tx, deps, { ...act, asset: 'COIN', amount: coin(5), source: 'stock', into: 'rewards' }))
    await credit(coin(3))
    await expect(credit(coin(3))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    expect((await balancesOf(db, member.id)).rcmWallet).toBe(coin(3))
    const trail = await sql<{ action: string; reason: string }>`select action, reason from audit_event order by id`.execute(db)
    expect(trail.rows).toEqual([
      { action: 'rewards.fund-pool', reason: 'because' },
      { action: 'rewards.credit-rcm', reason: 'because' },
    ])
    expect(await instance.damage()).toEqual([])
  })

  it('takes USD from the sales fund only up to its balance', async () => {
    const fund = (source: 'stock' | 'operator') =>
      inTransaction(db, (tx) => fundRewardPool(tx, deps, { ...act, asset: 'USD', amount: coin(5), source, into: 'rewards' }))
    await expect(fund('stock')).rejects.toMatchObject({
      code: 'SALES_FUND_SHORT',
      message: 'The sales fund has 0 USD now, which is less than this needs',
    })
    await fund('operator')
    expect(await instance.pool('USD')).toBe(coin(5))
  })
})
