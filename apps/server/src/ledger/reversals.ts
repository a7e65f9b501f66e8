import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/database.ts'
import { type AccountRef, type AnyAccountRef, walletId } from './chart-of-accounts.ts'
import { firstOf, post } from './post.ts'
import type { Receipt } from './statement.ts'

/** A reversal, with the ids of the reversed and the reversing transfer. */
export interface Reversal {
  reverses: bigint
  reversedBy: bigint
  proposalId: string
  at: Date
}

/** Reads the reversal of a transfer, from either side. */
export async function reversalOf(db: Db, transferId: bigint): Promise<Reversal | undefined> {
  const row = await db
    .selectFrom('ledger_reversal')
    .selectAll()
    .where((one) => one.or([one('reverses', '=', transferId), one('reversed_by', '=', transferId)]))
    .executeTakeFirst()
  return row && { reverses: row.reverses, reversedBy: row.reversed_by, proposalId: row.proposal_id, at: row.created_at }
}

/**
 * Reverses a transfer by an opposite one of the same amount. The database ensures one reversal per transfer. New money returns
 * first: all of the transfer's, or a deposit's whole amount (RW-01).
 * @param proposalId the proposal approved by a second person
 * @param coversLoss true if the operator bears the part of a deposit that the wallet no longer holds (SYS-LOSS)
 * @returns the opposite transfer, its new money and the loss, in units
 * @throws AppError INSUFFICIENT_BALANCE when the recipient no longer has the amount, STOPPED
 */
export async function postReversal(
  tx: Tx,
  transfer: Receipt,
  { proposalId, at, coversLoss }: { proposalId: string; at: Date; coversLoss: boolean },
): Promise<{ id: bigint; newMoney: Units; loss: Units }> {
  const [from, to] = [refOf(transfer.to.account), refOf(transfer.from.account)]
  const loss = coversLoss ? await bookLoss(tx, transfer, { proposalId, at }) : 0n
  const posted = await post(tx, {
    kind: 'reversal',
    cause: { type: 'reversal', id: proposalId },
    at,
    transfers: [{ from, to, amount: transfer.amount, newMoney: transfer.kind === 'deposit' ? transfer.amount : transfer.newMoney }],
  })
  const { id, newMoney } = firstOf(posted.transfers)
  await tx
    .insertInto('ledger_reversal')
    .values({ reverses: transfer.transferId, reversed_by: id, proposal_id: proposalId, created_at: at, loss })
    .execute()
  return { id, newMoney, loss }
}

/** Pays the missing part of a deposit into its wallet from SYS-LOSS. @returns units */
async function bookLoss(tx: Tx, { to, asset, amount }: Receipt, { proposalId, at }: { proposalId: string; at: Date }): Promise<Units> {
  const wallet = refOf(to.account)
  if (!('owner' in wallet)) throw new RangeError('a deposit goes to a wallet')
  const { rows } = await sql<{ balance: Units }>`
    select balance from ledger_account where id = ${walletId(wallet.owner, wallet.kind)} for no key update`.execute(tx)
  const missing = amount - (rows[0]?.balance ?? 0n)
  if (missing <= 0n) return 0n
  const transfers = [{ from: { system: 'SYS-LOSS' as const, asset }, to: wallet, amount: missing }]
  await post(tx, { kind: 'depositLoss', cause: { type: 'reversal', id: proposalId }, at, transfers })
  return missing
}

function refOf(account: AnyAccountRef): AccountRef {
  if (!('system' in account)) return account
  const { system, asset } = account
  if (system === 'SYS-HOLD') throw new RangeError('an amount on hold moves through holds only')
  return { system, asset }
}
