import type { ledgerLine } from '@tizara/contract/staff-member-pages'
import type { WalletKey } from '@tizara/contract/wallets'
import { sql } from 'kysely'
import type { InferOutput } from 'valibot'
import { type StatementLine, statement, walletKinds, walletId } from '../../../ledger/index.ts'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { wordsOf } from '../access/transfer-kinds.ts'

export type LedgerLine = InferOutput<typeof ledgerLine>

const WALLETS: Readonly<Record<WalletKey, string>> = {
  depositWallet: 'Deposit',
  nativeWallet: 'Native',
  icoWallet: 'My Wallet',
  newIcoWallet: 'ICO',
  stakeWallet: 'Stake',
  nftWallet: 'NFT',
  rcmWallet: 'RCM',
}
export const walletName = (wallet: WalletKey): string => WALLETS[wallet]

/** Formats a statement entry for staff. */
export const asLedgerLine = (line: StatementLine): LedgerLine => ({
  transferId: String(line.transferId),
  at: line.at,
  kind: line.kind,
  text: wordsOf(line.kind),
  wallet: line.wallet,
  asset: line.asset === 'USD' ? 'usd' : 'coin',
  amount: line.amount,
  balanceAfter: line.balanceAfter,
  pending: line.pending,
})

const WINDOW_MS = 48 * HOUR_MS
/** Entries before and after the moment. */
const MAX_PER_SIDE = 6

/**
 * Lists a member's entries within 48 hours before and after a transfer, newest first. Without a transfer, the range is around the start of
 * the given UTC day.
 */
export async function entriesAround(
  db: Db,
  memberId: bigint,
  { at, transferId }: { at: Date; transferId?: bigint | undefined },
): Promise<LedgerLine[]> {
  const position = transferId ?? (await lastTransferBefore(db, at))
  const [after, upTo] = await Promise.all([
    linesAfter(db, memberId, position),
    statement(db, memberId, { before: { transferId: position + 1n, wallet: 'depositWallet' }, limit: MAX_PER_SIDE }),
  ])
  const near = (line: LedgerLine) => Math.abs(line.at.getTime() - at.getTime()) <= WINDOW_MS
  return [...after.toReversed(), ...upTo].map(asLedgerLine).filter(near)
}

/** Returns the last transfer of the previous day, which limits the search for any length of history. */
async function lastTransferBefore(db: Db, at: Date): Promise<bigint> {
  const found = await sql<{ id: bigint }>`
    select last_transfer_id as id from wallet_day where day < (${at}::timestamptz at time zone 'UTC')::date order by day desc limit 1`.execute(
    db,
  )
  return found.rows[0]?.id ?? 0n
}

/** Lists a member's entries after a transfer, oldest first. */
async function linesAfter(db: Db, memberId: bigint, transferId: bigint): Promise<StatementLine[]> {
  const accounts = walletKinds.map((kind: WalletKey) => walletId(memberId, kind))
  const side = (column: 'debit_account' | 'credit_account') => sql`(
    select id from ledger_transfer where ${sql.ref(column)} = w.account and id > ${transferId} order by id limit ${MAX_PER_SIDE})`
  const found = await sql<{ last: bigint | null }>`
    select max(id) as last from (
      select line.id from unnest(${accounts}::bigint[]) w (account)
      cross join lateral (${side('debit_account')} union all ${side('credit_account')}) line
      order by line.id limit ${MAX_PER_SIDE}) near`.execute(db)
  const last = found.rows[0]?.last
  if (last === undefined || last === null) return []
  const lines = await statement(db, memberId, { before: { transferId: last + 1n, wallet: 'depositWallet' }, limit: MAX_PER_SIDE * 2 })
  return lines.filter((line) => line.transferId > transferId).toReversed()
}
