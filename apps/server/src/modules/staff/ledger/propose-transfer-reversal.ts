import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { wordsOf } from '../access/transfer-kinds.ts'
import { isPendingAt } from '../proposals/proposal-status.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'
import { isDeposit, reversibleTransfer } from '../proposals/kinds/ledger/transfer-reversal.ts'
import type { Receipt } from '../../../ledger/index.ts'
import { walletLabel } from '../../wallets/index.ts'

/**
 * Proposes to reverse a transfer. It always requires a second person, whatever the amount.
 * @param input the transfer's id as digits, the reason, and whether the operator bears the missing part of a deposit
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, REVERSAL_REFUSED, FOUR_EYES for the actor's account, STOPPED, INVALID_INPUT if a
 * proposal is pending
 */
export async function proposeTransferReversal(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; reason: string; coversLoss?: boolean | undefined },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'reverseTransfer')
  const transfer = await reversibleTransfer(tx, BigInt(input.id))
  if (input.coversLoss === true && !isDeposit(transfer.kind))
    throw new AppError('REVERSAL_REFUSED', { why: 'only a deposit can be a loss' })
  const [from, to] = [await sideText(tx, transfer.to), await sideText(tx, transfer.from)]
  const asset = transfer.asset === 'USD' ? ('usd' as const) : ('coin' as const)
  const value = {
    transferId: input.id,
    what: wordsOf(transfer.kind),
    asset,
    amount: transfer.amount,
    from,
    to,
    ...(input.coversLoss === true && { coversLoss: true }),
  }
  if (await isPending(tx, deps.clock.now(), input.id))
    throw new AppError('REVERSAL_REFUSED', { why: 'a proposal for it is already pending' })
  return submitProposal(tx, deps, actor, { subject: 'reversal', value, reason: input.reason })
}

/** Returns true if a proposal to reverse the transfer is pending. An expired proposal does not count. */
async function isPending(tx: Tx, now: Date, transferId: string): Promise<boolean> {
  const found = await sql`select from staff_proposal
    where ${isPendingAt(now)} and subject = 'reversal' and value ->> 'transferId' = ${transferId}`.execute(tx)
  return found.rows.length > 0
}

async function sideText(tx: Tx, { account }: Receipt['from']): Promise<string> {
  if ('system' in account) return account.system
  const owner = (await membersById(tx, [account.owner])).get(account.owner)
  return `${walletLabel(account.kind)} of ${owner?.email ?? 'a member'}`
}
