import { ONE, parseUnits, type Units } from '@tizara/money'
import { expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { createTestMember, fillSalesFund, fund } from '../../members.ts'
import { testInstance } from '../../test-instance.ts'
import { balanceOfSystemAccount, balancesOf } from '../../../src/ledger/index.ts'
import { AppError } from '../../../src/platform/runtime/app-error.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { buyToken } from '../../../src/modules/coin/index.ts'
import { sellAll } from '../../../src/modules/transfers/sell-coin.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const instance = await testInstance(await testDatabase(12))
const { db, deps } = instance

const sell = (memberId: bigint, amount: Units) =>
  inTransaction(db, async (tx) => (await sellAll(tx, deps, [{ memberId, wallet: 'icoWallet', amount }]))[0])

const outcomeOf = (result: bigint | AppError | undefined) => (result instanceof AppError ? result.code : 'sold')

it('[MF-10] pays one of two sales that race for the last cent, and rejects the other with the available amount', async () => {
  for (let round = 0; round < 6; round += 1) {
    const sellers = await Promise.all(Array.from({ length: 2 }, () => createTestMember(db)))
    for (const { id } of sellers) await fund(db, id, 'icoWallet', u('1000'))
    await fillSalesFund(db, u('8'))
    const sold = await Promise.all(sellers.map(({ id }) => sell(id, u('1000'))))
    expect(sold.map(outcomeOf).toSorted()).toEqual(['SALES_FUND_SHORT', 'sold'])
    expect(sold.find((one) => one instanceof AppError)).toMatchObject({ message: expect.stringContaining('has 0 USD now') })
    expect(await balanceOfSystemAccount(db, 'SYS-SALES', 'USD')).toBe(0n)
  }
})

it('[MF-10] [MF-12] pays sales exactly the USD of the purchases that they race with', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => createTestMember(db)))
  for (const { id } of people) {
    await fund(db, id, 'icoWallet', u('1000'))
    await fund(db, id, 'depositWallet', u('8'))
  }
  const order = { coinAmount: u('1000'), coinPrice: u('0.008'), totalPrice: u('8') }
  const outcomes = await Promise.all(
    people.flatMap(({ id }) => [
      inTransaction(db, (tx) => buyToken(tx, deps, { memberId: id, ...order })).then(() => 'bought'),
      sell(id, u('1000')).then(outcomeOf),
    ]),
  )
  expect(outcomes.filter((one) => one !== 'SALES_FUND_SHORT' && one !== 'sold')).toEqual(people.map(() => 'bought'))
  const sold = BigInt(outcomes.filter((one) => one === 'sold').length)
  expect(await balanceOfSystemAccount(db, 'SYS-SALES', 'USD')).toBe((10n - sold) * 8n * ONE)
  let usd = 0n
  for (const { id } of people) usd += (await balancesOf(db, id)).depositWallet
  expect(usd).toBe(sold * 8n * ONE)
  expect(await instance.damage()).toEqual([])
})
