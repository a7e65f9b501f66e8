import { formatUnits } from '@tizara/money'
import type { ReceiptFinder } from '../wallets/index.ts'
import { receiptFromTransfers } from '../wallets/index.ts'

const finder =
  (kind: 'withdrawal' | 'bridge', title: string): ReceiptFinder =>
  async (db, memberId, id) => {
    const row = await db
      .selectFrom('payout_request')
      .selectAll()
      .where('public_id', '=', id)
      .where('kind', '=', kind)
      .where('member_id', '=', memberId)
      .executeTakeFirst()
    if (row === undefined) return undefined
    return receiptFromTransfers(db, memberId, row.hold_id, {
      kind,
      id,
      title,
      status: row.status,
      to: { label: 'Address outside', address: row.address },
      fee: row.platform_fee + row.network_fee,
      rule: 'the fees are taken from the amount; a rejected request gives the whole amount back',
      ruleVersion: String(row.settings_version),
      rounding: 'fees up',
      ...(row.tx_hash === null ? {} : { txHash: row.tx_hash }),
      ...(row.decided_at === null ? {} : { settledAt: row.decided_at }),
      lines: [
        { label: 'Platform fee', value: formatUnits(row.platform_fee) },
        { label: 'Network fee', value: formatUnits(row.network_fee) },
        { label: 'Arrives', value: formatUnits(row.received) },
        ...(row.reason === null ? [] : [{ label: 'Reason', value: row.reason }]),
      ],
    })
  }

/** The receipts of USD withdrawals and of bridges. */
export const findWithdrawalReceipt = finder('withdrawal', 'USD withdrawal')
export const findBridgeReceipt = finder('bridge', 'Bridge')
