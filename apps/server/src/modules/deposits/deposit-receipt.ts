import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { fillText } from '@tizara/contract/response-texts'
import type { Db } from '../../platform/db/database.ts'
import type { ReceiptFinder } from '../histories/index.ts'
import { amountLine, type ReceiptFrame, receiptFromTransfers } from '../wallets/index.ts'

/** Maximum returns on a receipt. */
const MAX_RETURNS = 20

interface Part {
  label: string
  amount: bigint
  transferId: bigint
  at: Date
  /** Chain transfer's transaction hash. */
  hash?: string
}

/** Describes how a deposit differs from the request, and the consequence. */
function outcomeText(deposit: {
  method: string
  status: string
  state: string | null
  state_reason: string | null
  amount: bigint
  credited: bigint
}): string {
  const { status, state, state_reason: reason, amount, credited } = deposit
  if (reason === 'late') return 'Arrived after the invoice expired; credited anyway'
  if (credited > amount || reason === 'overpaid') return 'More than the invoiced amount arrived; all of it is credited'
  if (state === 'confirming') return fillText('Arrived; credited after {blocks} confirmations', { blocks: INVOICE_CONFIRMATIONS })
  if (credited === amount) return 'The exact amount arrived'
  if (credited > 0n || reason === 'underpaid') return 'Less than the invoiced amount arrived; it is credited'
  if (status !== 'REJECT') return 'Nothing has arrived yet'
  return deposit.method === 'hosted' ? 'The payment failed or was rejected' : 'Nothing arrived while the invoice was open'
}

/** Returns a deposit's credits, oldest first. */
async function partsOf(db: Db, depositId: bigint): Promise<Part[]> {
  const credits = await db
    .selectFrom('payment_credit')
    .innerJoin('provider_payment', 'provider_payment.payment_id', 'payment_credit.payment_id')
    .select(['payment_credit.payment_id', 'amount', 'transfer_id', 'credited_at'])
    .where('deposit_id', '=', depositId)
    .execute()
  const transfers = await db.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', depositId).execute()
  return [
    ...credits.map((one) => ({
      label: fillText('Payment {id}', { id: one.payment_id }),
      amount: one.amount,
      transferId: one.transfer_id,
      at: one.credited_at,
    })),
    ...transfers.flatMap(({ tx_hash: hash, amount, transfer_id: transferId, credited_at: at }) =>
      transferId === null || at === null ? [] : [{ label: fillText('Transaction {id}', { id: hash }), amount, transferId, at, hash }],
    ),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime() || Number(a.transferId - b.transferId))
}

/** Returns a line for each payment that was returned to its payer, or is on its way. */
async function returnLines(db: Db, deposit: string) {
  const rows = await db
    .selectFrom('payment_return')
    .innerJoin('payout_sending', 'payout_sending.request_id', 'payment_return.id')
    .select(['asset', 'received', 'address', 'state'])
    .where('deposit', '=', deposit)
    .where('state', 'not in', ['FAILED', 'CANCELLED'])
    .orderBy('payment_return.id', 'desc')
    .limit(MAX_RETURNS)
    .execute()
  return rows.map(({ asset, received, address, state }) =>
    amountLine(
      fillText(state === 'DONE' ? 'Returned to {address}' : 'Being returned to {address}', { address }),
      received,
      asset === 'USD' ? 'usd' : 'coin',
    ),
  )
}

/** Builds a deposit's receipt: the request, and each payment. */
export const findDepositReceipt: ReceiptFinder = async (db, memberId, id) => {
  const deposit = await db
    .selectFrom('deposit')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (deposit === undefined) return undefined
  const hosted = deposit.method === 'hosted'
  const usd = deposit.asset === 'USD'
  const parts = await partsOf(db, deposit.id)
  const last = parts.at(-1)
  const frame = {
    kind: 'deposit' as const,
    id,
    title: hosted ? 'Deposit' : fillText('Deposit {id}', { id: deposit.description }),
    status: deposit.status,
    amount: deposit.credited > 0n ? deposit.credited : deposit.amount,
    rule: 'the amount that arrived is credited, 1 to 1, without a fee',
    base: deposit.amount,
    baseLabel: 'Requested',
    baseAsset: usd ? ('usd' as const) : ('coin' as const),
    createdAt: deposit.created_at,
    ...(last?.hash === undefined ? {} : { txHash: last.hash }),
    ...(deposit.decided_at === null ? {} : { settledAt: deposit.decided_at }),
    lines: [
      { label: 'Outcome', value: outcomeText(deposit) },
      ...parts.map((part) => amountLine(part.label, part.amount)),
      ...(await returnLines(db, id)),
      ...(deposit.reversed_usd > 0n ? [amountLine('Reversed by staff', deposit.reversed_usd, 'usd')] : []),
    ],
  } satisfies ReceiptFrame
  if (last !== undefined) {
    const receipt = await receiptFromTransfers(db, memberId, last.transferId, frame)
    if (receipt === undefined || parts.length === 1) return receipt
    // Omits the balance before the last part, which is meaningless for the whole.
    const { balanceBefore: _, ...whole } = receipt
    return whole
  }
  return {
    ...frame,
    asset: frame.baseAsset,
    from: { label: hosted ? 'Payment page' : 'Invoice', ...(deposit.address === null ? {} : { address: deposit.address }) },
    to: usd ? { label: 'Deposit Wallet', wallet: 'depositWallet' } : { label: 'Native Wallet', wallet: 'nativeWallet' },
  }
}
