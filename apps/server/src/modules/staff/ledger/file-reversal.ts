import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { wordsOf } from '../access/transfer-labels.ts'
import { proposeChange } from '../proposals/propose-change.ts'
import { reversibleTransfer } from '../proposals/kinds/reverse-transfer.ts'
import type { Receipt } from '../../../ledger/index.ts'
import { walletLabel } from '../../wallets/index.ts'

/**
 * Files that a transfer is taken back. It always takes a second person, whatever the amount.
 * @param input the transfer's id as text of digits, and why
 * @returns the change's id on the wire
 * @throws AppError STAFF_ONLY, NOT_FOUND, REVERSAL_REFUSED, FOUR_EYES for an own account, STOPPED, INVALID_INPUT when it waits
 *   for approval already
 */
export async function fileReversal(tx: Tx, deps: Deps, actor: StaffActor, input: { id: string; reason: string }): Promise<string> {
  await assertStaff(tx, actor, 'reverseTransfer')
  const transfer = await reversibleTransfer(tx, BigInt(input.id))
  const [from, to] = [await sideText(tx, transfer.to), await sideText(tx, transfer.from)]
  const asset = transfer.asset === 'USD' ? ('usd' as const) : ('coin' as const)
  const value = { transferId: input.id, what: wordsOf(transfer.kind), asset, amount: transfer.amount, from, to }
  if (await waits(tx, input.id)) throw new AppError('REVERSAL_REFUSED', { why: 'it waits under Changes for another person already' })
  return proposeChange(tx, deps, actor, { subject: 'reversal', value, reason: input.reason })
}

async function waits(tx: Tx, transferId: string): Promise<boolean> {
  const found =
    await sql`select from staff_change where status = 'PENDING' and subject = 'reversal' and value ->> 'transferId' = ${transferId}`.execute(
      tx,
    )
  return found.rows.length > 0
}

async function sideText(tx: Tx, { account }: Receipt['from']): Promise<string> {
  if ('house' in account) return account.house
  const owner = (await membersById(tx, [account.owner])).get(account.owner)
  return `${walletLabel(account.kind)} of ${owner?.email ?? 'a member'}`
}
