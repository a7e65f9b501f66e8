import { formatUnits } from '@tizara/money'
import { enqueueMails, mailTime } from '../../../../gateways/mailer/index.ts'
import { type Receipt, postReversal, receiptOf, reversalOf } from '../../../../ledger/index.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { holdCredit, reverseCredit } from '../../../deposits/index.ts'
import { type Member, membersById } from '../../../members/index.ts'
import { onDepositReversed } from '../../../rewards/index.ts'
import { walletLabel } from '../../../wallets/index.ts'
import { auditStaff } from '../../access/actor.ts'
import type { Change } from './change-subjects.ts'
import { wordsOf } from '../../access/transfer-labels.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import { reversalRule } from './reversal-kinds.ts'
import type { ChangeMakers } from '../../access/decider.ts'

const refused = (why: string) => new AppError('REVERSAL_REFUSED', { why })

/**
 * A transfer that can be taken back.
 * @throws AppError NOT_FOUND, REVERSAL_REFUSED with the way to take instead, or because it was taken back before
 */
export async function reversibleTransfer(db: Db, transferId: bigint): Promise<Receipt> {
  const transfer = await receiptOf(db, transferId)
  if (transfer === undefined) throw new AppError('NOT_FOUND')
  const { can, text } = reversalRule(transfer.kind)
  if (!can) throw refused(text)
  const known = await reversalOf(db, transferId)
  if (known !== undefined) throw refused(`it was taken back by transfer ${known.reversedBy}`)
  return transfer
}

const unitOf = ({ asset }: Receipt) => (asset === 'USD' ? 'USD' : 'coin')
const ownersOf = ({ from, to }: Receipt): bigint[] =>
  [...new Set([from.account, to.account].flatMap((side) => ('owner' in side ? [side.owner] : [])))].toSorted((a, b) => (a < b ? -1 : 1))

/**
 * Takes a transfer back, whole and once, with all that follows from it: what a deposit counts for, and which referral rewards
 * its money may earn. Nobody does it for an own account; without the second person only on trial.
 * @throws AppError NOT_FOUND, REVERSAL_REFUSED, FOUR_EYES, STOPPED
 */
export async function reverseTransfer(
  tx: Tx,
  deps: Deps,
  change: Extract<Change, { subject: 'reversal' }>,
  makers: ChangeMakers,
): Promise<void> {
  const transfer = await reversibleTransfer(tx, BigInt(change.value.transferId))
  const owners = ownersOf(transfer)
  for (const owner of owners) await assertNotOwn(tx, owner, makers)
  const credit = transfer.cause.type === 'deposit' ? await holdCredit(tx, transfer.cause.id, transfer.transferId) : undefined
  const at = deps.clock.now()
  const { id, newMoney } = await postReversal(tx, transfer, { changeId: makers.changeId ?? 'trial', at }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE') throw refused(lacks(transfer))
    throw error
  })
  if (credit !== undefined) await reverseCredit(tx, credit)
  await reverseNewMoney(tx, at, transfer, { id, newMoney })
  if (makers.checkerId !== undefined) await tellMembers(tx, deps, { transfer, owners, id, change, makers })
}

const lacks = (transfer: Receipt): string => {
  const { account } = transfer.to
  const wallet = 'owner' in account ? walletLabel(account.kind) : account.house
  return `the ${wallet} that got it no longer holds ${formatUnits(transfer.amount)} ${unitOf(transfer)}`
}

/** What a reversed USD deposit could not take along in new money reverses pending referral rewards, and is a debt then (RW-01). */
async function reverseNewMoney(
  tx: Tx,
  at: Date,
  { to, amount, kind }: Receipt,
  { id, newMoney }: { id: bigint; newMoney: bigint },
): Promise<void> {
  if (kind !== 'deposit' || !('owner' in to.account) || newMoney === amount) return
  await onDepositReversed(tx, at, { memberId: to.account.owner, transferId: id, missing: amount - newMoney })
}

interface Done {
  transfer: Receipt
  owners: readonly bigint[]
  id: bigint
  change: Extract<Change, { subject: 'reversal' }>
  makers: ChangeMakers
}

/** Whose wallets it touched hear of it, and find it among what staff did on their account. */
async function tellMembers(tx: Tx, deps: Deps, { transfer, owners, id, change, makers: { maker, checkerId } }: Done): Promise<void> {
  const people = await membersById(tx, owners)
  const amount = `${formatUnits(transfer.amount)} ${transfer.asset === 'USD' ? 'USD' : deps.config.tokenSymbol}`
  for (const member of people.values())
    await auditStaff(tx, deps, maker, {
      action: 'transfer.reverse',
      subject: { type: 'member', id: member.public_id },
      reason: change.reason,
      detail: {
        transferId: String(transfer.transferId),
        reversal: String(id),
        kind: transfer.kind,
        amount: String(transfer.amount),
        ...(checkerId === undefined ? {} : { approvedBy: String(checkerId) }),
      },
    })
  const what = wordsOf(transfer.kind).toLowerCase()
  const at = mailTime(deps.clock.now())
  const mailFor = ({ email, name, id: memberId }: Member) => ({
    to: email,
    template: 'notice' as const,
    data: {
      name,
      title: 'a transfer was taken back',
      lines: [
        `On ${at} two people of our staff took back a transfer of ${mailTime(transfer.at)} (${what}, number ${transfer.transferId}): ${amount} ${direction(transfer, memberId)}.`,
        'You find it in your statement and under what staff did on your account. If you think that it is wrong, please open a ticket.',
      ],
    },
  })
  await enqueueMails(tx, deps, [...people.values()].map(mailFor))
}

const direction = ({ from, to }: Receipt, memberId: bigint): string => {
  const [paid, got] = [from.account, to.account].map((side) => 'owner' in side && side.owner === memberId)
  if (paid === true && got === true) return 'went back to the wallet that it came from'
  return got === true ? 'left your wallet again' : 'came back into your wallet'
}
