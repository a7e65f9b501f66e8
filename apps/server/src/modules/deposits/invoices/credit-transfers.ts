import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { finalTransfersTo, type ChainTransfer } from '../../../gateways/chain/index.ts'
import { AppError, unwrapAll } from '../../../platform/runtime/app-error.ts'
import { type Units, usdForCoin } from '@tizara/money'
import { sql, type Selectable } from 'kysely'
import { postEach, type Posting } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { DepositTable, InvoiceTransferTable } from '../../../platform/db/tables.generated.ts'
import { IS_HELD } from '../decisions/deposit-queue.queries.ts'
import { recordEvents } from '../../notices/index.ts'
import { chainKeyOf, isCreditedAgain } from './transfer-keys.ts'
import { currentSettings } from '../../settings/index.ts'

type Deposit = Selectable<DepositTable>
type Transfer = Selectable<InvoiceTransferTable>

/** Returns why a transfer needs a staff decision, or undefined for an automatic credit. */
function heldReason(
  deposit: Pick<Deposit, 'asset' | 'watched_until' | 'created_at'>,
  { asset, block_time, transfer_key }: Pick<Transfer, 'asset' | 'block_time' | 'transfer_key'>,
  balanceFits: boolean,
): 'BALANCE_DIFFERS' | 'REVERSED' | 'OTHER_TOKEN' | 'TOO_LATE' | undefined {
  if (!balanceFits) return 'BALANCE_DIFFERS'
  if (isCreditedAgain(transfer_key)) return 'REVERSED'
  if (asset !== deposit.asset) return 'OTHER_TOKEN'
  return block_time > (deposit.watched_until ?? deposit.created_at) ? 'TOO_LATE' : undefined
}

/** Returns true if a transfer counts towards the invoice, either by rule or after a decision of two people. */
export const counts = (deposit: Deposit, transfer: Transfer): boolean =>
  transfer.asset === deposit.asset &&
  (transfer.credited_at !== null || heldReason(deposit, transfer, transfer.held !== 'BALANCE_DIFFERS') === undefined)

/** Sums the credited parts in USD, each valued at its arrival. */
export const creditedUsd = (transfers: readonly Transfer[]): Units =>
  transfers.reduce((total, { credited_at, usd_amount }) => total + (credited_at === null ? 0n : (usd_amount ?? 0n)), 0n)

/**
 * Maximum number of transfers that one poll of an invoice settles, in one posting call. The poll a second later continues. Many small
 * payments to one invoice therefore delay the credits of other members by at most 0.1 s.
 */
const MAX_SETTLED_PER_POLL = 200

/**
 * Credits final transfers once each, the largest first, and holds exceptions for staff. Also updates the passed rows.
 * @param transfers recorded rows of the deposit; a row without a chain transfer is not credited
 * @param arrived transfers shown by the chain
 * @returns true if anything was credited or held
 */
export async function settleFinal(
  tx: Tx,
  deps: Deps,
  deposit: Deposit,
  transfers: Transfer[],
  arrived: readonly ChainTransfer[],
): Promise<boolean> {
  const now = deps.clock.now()
  const final = new Map(arrived.filter(({ confirmations }) => confirmations >= INVOICE_CONFIRMATIONS).map((one) => [one.key, one]))
  const due = transfers
    .filter(
      (transfer) =>
        transfer.credited_at === null && transfer.held === null && isLike(transfer, final.get(chainKeyOf(transfer.transfer_key))),
    )
    .toSorted((one, other) => Number(other.amount - one.amount))
    .slice(0, MAX_SETTLED_PER_POLL)
  if (due.length === 0) return false
  const { coinPrice } = await currentSettings(tx, now)
  const valued = due.map((transfer) => {
    const usd_amount = transfer.asset === 'USD' ? transfer.amount : usdForCoin(transfer.amount, coinPrice)
    const held = heldReason(deposit, transfer, final.get(chainKeyOf(transfer.transfer_key))?.balanceFits !== false)
    return { transfer: Object.assign(transfer, { usd_amount }), held }
  })
  await creditAll(
    tx,
    deposit,
    valued.flatMap(({ transfer, held }) => (held === undefined ? [transfer] : [])),
    now,
  )
  await holdAll(
    tx,
    valued.flatMap(({ transfer, held }) => (held === undefined ? [] : [Object.assign(transfer, { held, held_at: now })])),
  )
  return true
}

/**
 * Credits held transfers after approval, in the received asset, at their value at the time of the hold.
 * @returns the sum in the invoice's asset, and the first ledger transfer
 * @throws AppError TRANSFER_FORGED if a row lacks a valid watcher MAC
 */
export async function creditHeld(
  tx: Tx,
  deps: Deps,
  deposit: Deposit,
  at: Date,
): Promise<{ own: Units; usd: Units; transferId: bigint | undefined }> {
  const held = await openHeld(tx, deposit.id)
  const final = await finalTransfersTo(tx, deps.config, deposit.address ?? '')
  if (!held.every((transfer) => isLike(transfer, final.get(chainKeyOf(transfer.transfer_key))))) throw new AppError('TRANSFER_FORGED')
  if (!(await areReversedBefore(tx, held))) throw new AppError('TRANSFER_FORGED')
  await creditAll(tx, deposit, held, at)
  const own = held.reduce((sum, { asset, amount }) => (asset === deposit.asset ? sum + amount : sum), 0n)
  const usd = held.reduce((sum, { usd_amount }) => sum + (usd_amount ?? 0n), 0n)
  return { own, usd, transferId: held[0]?.transfer_id ?? undefined }
}

/** Returns true if the earlier credit of each transfer was reversed. */
async function areReversedBefore(tx: Tx, held: readonly Transfer[]): Promise<boolean> {
  const again = held.map(({ transfer_key }) => transfer_key).filter(isCreditedAgain)
  if (again.length === 0) return true
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(t.transfer_key, '#', 1) as key from invoice_transfer t join ledger_reversal r on r.reverses = t.transfer_id
    where split_part(t.transfer_key, '#', 1) = any(${again.map(chainKeyOf)}::text[]) and t.deposit_id = ${held[0]?.deposit_id ?? null}`.execute(
    tx,
  )
  const reversed = new Set(rows.map(({ key }) => key))
  return again.every((key) => reversed.has(chainKeyOf(key)))
}

const isLike = ({ asset, amount }: Transfer, seen: Pick<ChainTransfer, 'asset' | 'amount'> | undefined): boolean =>
  seen?.asset === asset && seen.amount === amount

/** Records the decision about the held transfers. */
export async function decideHeld(tx: Tx, depositId: bigint, at: Date): Promise<void> {
  await tx.updateTable('invoice_transfer').set({ decided_at: at }).where('deposit_id', '=', depositId).where(IS_HELD).execute()
}

const openHeld = (tx: Tx, depositId: bigint): Promise<Transfer[]> =>
  tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', depositId).where(IS_HELD).orderBy('transfer_key').execute()

/** Holds transfers for a staff decision, in one statement for any number of transfers. */
async function holdAll(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return
  const column = <T>(of: (transfer: Transfer) => T) => transfers.map(of)
  await sql`
    update invoice_transfer t set usd_amount = h.usd, held = h.held, held_at = h.at
    from unnest(${column((one) => one.transfer_key)}::text[], ${column((one) => one.usd_amount)}::bigint[], ${column((one) => one.held)}::text[],
      ${column((one) => one.held_at)}::timestamptz[]) h (key, usd, held, at)
    where t.transfer_key = h.key`.execute(tx)
}

/**
 * Credits transfers in one call of the ledger, and records one notification per asset with the sum. The number of statements does not
 * depend on the number of transfers. Each transfer has a separate posting, so that two people can reverse a single transfer after a reorg.
 * @throws AppError STOPPED during an emergency pause
 */
async function creditAll(tx: Tx, deposit: Deposit, transfers: readonly Transfer[], at: Date): Promise<void> {
  if (transfers.length === 0) return
  const postings = transfers.map((transfer) => creditOf(deposit, transfer, at))
  const posted = unwrapAll(await postEach(tx, postings))
  const credited = transfers.map((transfer, index) => ({ transfer, transferId: posted[index]?.transfers[0]?.id ?? null }))
  await sql`
    update invoice_transfer t set credited_at = ${at}, usd_amount = c.usd, transfer_id = c.posted,
      decided_at = case when t.held is null then t.decided_at else ${at} end
    from unnest(${transfers.map((one) => one.transfer_key)}::text[], ${transfers.map((one) => one.usd_amount)}::bigint[],
      ${credited.map(({ transferId }) => transferId)}::bigint[]) c (key, usd, posted)
    where t.transfer_key = c.key`.execute(tx)
  for (const { transfer, transferId } of credited)
    Object.assign(transfer, { credited_at: at, transfer_id: transferId, ...(transfer.held === null ? {} : { decided_at: at }) })
  const byAsset = Map.groupBy(credited, ({ transfer }) => transfer.asset)
  await recordEvents(
    tx,
    at,
    [...byAsset].map(([asset, group]) => ({
      memberId: deposit.member_id,
      event: 'deposit',
      cause: String(group[0]?.transferId),
      amount: group.reduce((sum, { transfer }) => sum + transfer.amount, 0n),
      asset: asset === 'USD' ? 'usd' : 'coin',
      facts: { deposit: deposit.public_id },
    })),
  )
}

function creditOf({ member_id: owner, public_id: id }: Deposit, { asset, amount, transfer_key }: Transfer, at: Date): Posting {
  const base = { cause: { type: 'deposit', id }, at, key: `chain:${transfer_key}` }
  return asset === 'USD'
    ? {
        ...base,
        kind: 'deposit',
        transfers: [{ from: { system: 'SYS-DEPOSIT', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount, newMoney: amount }],
      }
    : {
        ...base,
        kind: 'tokenDeposit',
        transfers: [{ from: { system: 'SYS-DEPOSIT', asset: 'COIN' }, to: { owner, kind: 'nativeWallet' }, amount }],
      }
}
