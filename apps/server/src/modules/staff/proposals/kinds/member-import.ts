import { importValue } from '@tizara/contract/staff-values'
import { ONE, type Units } from '@tizara/money'
import { type Asset, balanceSheetOf, systemBalances } from '../../../../ledger/index.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { approveImport, readImport } from '../../../import/index.ts'
import { coverageOf } from '../../../rewards/index.ts'
import { grouped } from '../../access/figures.ts'
import { coverageRows, freeCoverage } from '../shared/coverage-rows.ts'
import { noCurrent, noMembers, proposalKind } from '../shared/proposal-kind.ts'
import { textOf } from '../shared/title-text.ts'

/** Returns the coverage before and after new liabilities, whose uncovered part raises the commitment. */
async function raisedCommitment(db: Db, asset: Asset, promised: Units) {
  if (promised === 0n) return []
  const coverage = await coverageOf(db, asset)
  const missing = promised - freeCoverage(coverage)
  return coverageRows(db, asset, { promised, committed: coverage.committed + (missing > 0n ? missing : 0n) })
}

/**
 * Brings in the members, balances, stakes and NFTs of checked files. A job applies an approved import, and raises the commitment by the promised
 * rewards that are not covered then.
 */
export const memberImport = proposalKind({
  subject: 'import',
  value: importValue,
  members: noMembers,
  current: noCurrent,
  baseline: 'all-fields',
  isPendingOnce: true,
  async apply(tx, deps, { hash }) {
    await approveImport(tx, deps, hash)
    return {}
  },
  async effect(db, { hash }) {
    const { members, referrals, usd, coin, withoutAddress } = await readImport(db, hash)
    const { free } = balanceSheetOf(await systemBalances(db))
    return [
      { label: 'New members', after: grouped(BigInt(members) * ONE) },
      { label: 'Of them with a sponsor', after: grouped(BigInt(referrals) * ONE) },
      {
        label: 'Added without an email address, because an account here already has it',
        after: grouped(BigInt(withoutAddress.length) * ONE),
        good: withoutAddress.length === 0,
      },
      { label: 'Coin from the stock to the members', after: grouped(coin), unit: 'coin' },
      { label: 'Owed to the new members', after: grouped(usd), unit: 'USD' },
      { label: 'Reserves minus liabilities', before: grouped(free), after: grouped(free - usd), unit: 'USD', good: usd === 0n },
    ]
  },
  async coverage(db, { hash }) {
    const { promisedCoin, promisedUsd } = await readImport(db, hash)
    return [...(await raisedCommitment(db, 'COIN', promisedCoin)), ...(await raisedCommitment(db, 'USD', promisedUsd))]
  },
  title: (value) => `Import members, hash ${textOf(value['hash']).slice(0, 12)}`,
})
