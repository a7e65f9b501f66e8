import { array, assert, asyncProperty, bigInt, constantFrom, integer, oneof, option, record } from 'fast-check'
import { expect, it } from 'vitest'
import { searchParameters } from '../../../../test/search.ts'
import { testDatabase } from '../../test/database.ts'
import { ledgerChecks } from './audit-checks.ts'
import { assetOf } from './chart-of-accounts.ts'
import { balancesOf, systemBalances, isRejected, openAccountsOf, postBatch, runAudit, walletKinds } from './index.ts'
import { accountKey, createOracle } from '../../test/ledger-simulator/oracle.ts'

const { db } = await testDatabase(4)
const at = new Date('2026-03-01T10:00:00Z')

it('[RW-13] matches an in-memory reference ledger on random batches', async () => {
  const owners = [1n, 2n, 3n]
  await openAccountsOf(db, owners)
  const oracle = createOracle()
  for (const row of await systemBalances(db)) {
    const system = { system: row.system, asset: row.asset }
    const difference = row.balance - oracle.balance(system)
    if (difference !== 0n) oracle.move({ system: 'SYS-OPERATOR', asset: row.asset }, system, difference)
  }
  const houses = ['SYS-DEPOSIT', 'SYS-FEE', 'SYS-SALES'] as const
  const assets = ['USD', 'COIN'] as const
  const account = oneof(
    { weight: 4, arbitrary: record({ owner: constantFrom(...owners), kind: constantFrom(...walletKinds) }) },
    { weight: 1, arbitrary: record({ system: constantFrom(...houses), asset: constantFrom(...assets) }) },
  )
  const transfer = record({ from: account, to: account, amount: bigInt({ min: 1n, max: 60n }) }).filter(
    ({ from, to }) => assetOf(from) === assetOf(to) && accountKey(from) !== accountKey(to),
  )
  const keys = option(
    integer({ min: 0, max: 30 }).map((index) => `property-${index}`),
    { nil: undefined },
  )
  const step = array(record({ transfers: array(transfer, { minLength: 1, maxLength: 4 }), key: keys }), { minLength: 1, maxLength: 6 })
  await assert(
    asyncProperty(step, async (batch) => {
      const postings = batch.map(({ transfers, key }) => ({ kind: 'test' as const, cause: { type: 'test', id: '1' }, at, key, transfers }))
      // Two postings with one key in one batch are decided together; the oracle takes them one by one.
      const seen = new Set<string>()
      const unique = postings.filter(({ key }) => key === undefined || (!seen.has(key) && seen.add(key)))
      const expected = unique.map((entry) => oracle.apply(entry))
      const got = (await postBatch(db, unique)).map((result) =>
        isRejected(result) ? result.refused : result.repeated ? 'repeated' : 'posted',
      )
      expect(got).toEqual(expected)
      for (const owner of owners) {
        const stored = await balancesOf(db, owner)
        for (const kind of walletKinds) expect(stored[kind]).toBe(oracle.balance({ owner, kind }))
      }
    }),
    searchParameters('postings', { short: 150, long: 1_500 }),
  )
  for (const row of await systemBalances(db)) {
    if (row.system === 'SYS-FEE' || row.system === 'SYS-SALES')
      expect(row.balance).toBe(oracle.balance({ system: row.system, asset: row.asset }))
  }
  expect((await runAudit(db, ledgerChecks)).filter((result) => result.broken > 0)).toEqual([])
})
