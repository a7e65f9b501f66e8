import { coinInput } from '@tizara/contract'
import { asset } from '@tizara/contract/wallets'
import * as v from 'valibot'
import { fundRewardPool } from '../../../../rewards/index.ts'
import { coverageRows, salesFundRows } from '../../shared/coverage-rows.ts'
import { noCurrent, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { moneyAction } from '../../shared/money-action.ts'
import { amountOf } from '../../shared/title-text.ts'

/** Funds the reward pool above the limit, from the operator's stock or from outside, or the sales fund from outside. */
export const poolFunding = proposalKind({
  subject: 'fund',
  value: v.object({ asset, amount: coinInput, source: v.picklist(['stock', 'operator']), into: v.picklist(['rewards', 'sales']) }),
  members: noMembers,
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, deps, { asset: of, amount, source, into }, approval) {
    await fundRewardPool(tx, deps, { ...moneyAction(approval), asset: of === 'usd' ? 'USD' : 'COIN', amount, source, into })
    return {}
  },
  async coverage(db, { asset: of, amount, source, into }) {
    if (into === 'sales') return salesFundRows(db, amount)
    const rows = await coverageRows(db, of === 'usd' ? 'USD' : 'COIN', { pool: amount })
    return of === 'usd' && source === 'stock' ? [...rows, ...(await salesFundRows(db, -amount))] : rows
  },
  title: (value) =>
    `${amountOf(value)} into the ${value['into'] === 'sales' ? 'sales fund' : 'pool'}${value['source'] === 'operator' ? ', from outside' : ''}`,
})
