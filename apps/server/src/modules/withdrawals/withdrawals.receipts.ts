import { fillText } from '@tizara/contract/response-texts'
import { formatUnits } from '@tizara/money'
import type { ReceiptFinder } from '../histories/index.ts'
import { amountLine, receiptFromTransfers } from '../wallets/index.ts'
import { settingsOf } from '../settings/index.ts'
import { entryOfRequest, type ProvenBy } from './addresses/address-mac.ts'

/** Labels for the outcome of a request. A rejected request pays no money and returns the whole amount. */
const OUTCOMES: Readonly<Record<string, string>> = { PENDING: 'Will arrive', REJECTED: 'Given back' }

/** States how the member proved the address. */
const PROVEN: Readonly<Record<ProvenBy, string>> = { key: 'Proven by its key', contract: 'Proven by its contract' }

const finder =
  (kind: 'withdrawal' | 'bridge', title: string): ReceiptFinder =>
  async (db, memberId, id) => {
    const row = await db
      .selectFrom('payout_request as p')
      .selectAll()
      .select(entryOfRequest.as('entry'))
      .where('public_id', '=', id)
      .where('kind', '=', kind)
      .where('member_id', '=', memberId)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const settings = await settingsOf(db, row.settings_version)
    const rule =
      kind === 'bridge'
        ? fillText('fee {fee} % of the amount, deducted from it; a rejected request returns the full amount', {
            fee: formatUnits(settings.bridgeFeePercent),
          })
        : fillText(
            'platform fee {platformFee} % and network fee {networkFee} % of the amount, deducted from it; a rejected request returns the full amount',
            { platformFee: formatUnits(settings.platformFeePercent), networkFee: formatUnits(settings.networkFeePercent) },
          )
    const outcome = OUTCOMES[row.status] ?? 'Arrives'
    return receiptFromTransfers(db, memberId, row.hold_id, {
      kind,
      id,
      title,
      status: row.status,
      to: { label: 'Address outside', address: row.address },
      fee: row.platform_fee + row.network_fee,
      rule,
      ruleVersion: String(row.settings_version),
      rounding: 'fees up',
      ...(row.tx_hash === null ? {} : { txHash: row.tx_hash }),
      ...(row.decided_at === null ? {} : { settledAt: row.decided_at }),
      lines: [
        ...(kind === 'bridge' ? [] : [amountLine('Platform fee', row.platform_fee), amountLine('Network fee', row.network_fee)]),
        amountLine(outcome, row.status === 'REJECTED' ? row.platform_fee + row.network_fee + row.received : row.received),
        ...(row.entry === null || row.entry.by === null ? [] : [{ label: 'Address', value: PROVEN[row.entry.by] }]),
        ...(row.reason === null ? [] : [{ label: 'Reason', value: row.reason }]),
      ],
    })
  }

export const findWithdrawalReceipt = finder('withdrawal', 'USD withdrawal')
export const findBridgeReceipt = finder('bridge', 'Bridge')
