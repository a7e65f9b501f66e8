import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { finalAt, type ChainTransfer } from '../../gateways/chain/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Units, usdForCoin } from '@tizara/money'
import { sql, type Selectable } from 'kysely'
import { post } from '../../ledger/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { DepositTable, InvoiceTransferTable } from '../../platform/db/tables.generated.ts'
import { IS_HELD } from './deposit-queue.queries.ts'
import { recordEvents } from '../notices/index.ts'
import { chainKeyOf, isCreditedAgain } from './transfer-keys.ts'
import { currentSettings } from '../settings/index.ts'

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

/** Returns true if a transfer counts towards the invoice: by rule, or by two people's decision. */
export const counts = (deposit: Deposit, transfer: Transfer): boolean =>
  transfer.asset === deposit.asset &&
  (transfer.credited_at !== null || heldReason(deposit, transfer, transfer.held !== 'BALANCE_DIFFERS') === undefined)

/** Sums the credited parts in USD, each valued at its arrival. */
export const creditedUsd = (transfers: readonly Transfer[]): Units =>
  transfers.reduce((total, { credited_at, usd_amount }) => total + (credited_at === null ? 0n : (usd_amount ?? 0n)), 0n)

/**
 * Maximum transfers settled per poll of an invoice. The next poll, a second later, continues. A flood of small payments to one invoice
 * therefore delays the credits of other members by at most 0.1 s.
 */
const MAX_SETTLED_PER_POLL = 20

/**
 * Credits final transfers once each, the largest first, and holds exceptions for staff. It also updates the rows passed in.
 * @param transfers recorded rows of the deposit; a row without a chain transfer credits nothing
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
  for (const transfer of due) {
    const worth = { usd_amount: transfer.asset === 'USD' ? transfer.amount : usdForCoin(transfer.amount, coinPrice) }
    const held = heldReason(deposit, transfer, final.get(chainKeyOf(transfer.transfer_key))?.balanceFits !== false)
    if (held === undefined) await credit(tx, deposit, Object.assign(transfer, worth), now)
    else await hold(tx, transfer, { ...worth, held, held_at: now })
  }
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
  const final = await finalAt(tx, deps.config, deposit.address ?? '')
  if (!held.every((transfer) => isLike(transfer, final.get(chainKeyOf(transfer.transfer_key))))) throw new AppError('TRANSFER_FORGED')
  if (!(await areReversedBefore(tx, held))) throw new AppError('TRANSFER_FORGED')
  let [own, usd] = [0n, 0n]
  for (const transfer of held) {
    await credit(tx, deposit, transfer, at)
    if (transfer.asset === deposit.asset) own += transfer.amount
    usd += transfer.usd_amount ?? 0n
  }
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

async function hold(tx: Tx, transfer: Transfer, held: Pick<Transfer, 'usd_amount' | 'held' | 'held_at'>): Promise<void> {
  await tx.updateTable('invoice_transfer').set(held).where('transfer_key', '=', transfer.transfer_key).execute()
  Object.assign(transfer, held)
}

async function credit(tx: Tx, deposit: Deposit, transfer: Transfer, at: Date): Promise<void> {
  const { asset, amount, usd_amount, transfer_key } = transfer
  const usd = asset === 'USD'
  const posted = await post(tx, {
    kind: usd ? 'deposit' : 'tokenDeposit',
    cause: { type: 'deposit', id: deposit.public_id },
    at,
    key: `chain:${transfer_key}`,
    transfers: [
      usd
        ? {
            from: { system: 'SYS-DEPOSIT', asset: 'USD' },
            to: { owner: deposit.member_id, kind: 'depositWallet' },
            amount,
            newMoney: amount,
          }
        : { from: { system: 'SYS-DEPOSIT', asset: 'COIN' }, to: { owner: deposit.member_id, kind: 'nativeWallet' }, amount },
    ],
  })
  await recordEvents(tx, at, [
    {
      memberId: deposit.member_id,
      event: 'deposit',
      cause: String(posted.transfers[0]?.id),
      amount,
      asset: usd ? 'usd' : 'coin',
      facts: { deposit: deposit.public_id },
    },
  ])
  const credited = {
    credited_at: at,
    usd_amount,
    transfer_id: posted.transfers[0]?.id ?? null,
    ...(transfer.held === null ? {} : { decided_at: at }),
  }
  await tx.updateTable('invoice_transfer').set(credited).where('transfer_key', '=', transfer_key).execute()
  Object.assign(transfer, credited)
}
