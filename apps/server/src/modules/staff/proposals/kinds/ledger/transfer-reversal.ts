import { coinInput } from '@tizara/contract'
import { noticeTexts } from '@tizara/contract/notice-text'
import type { NoticeOf } from '@tizara/contract/notices'
import { asset } from '@tizara/contract/wallets'
import { formatUnits } from '@tizara/money'
import * as v from 'valibot'
import { enqueueMails, mailLanguage, shownInMail } from '../../../../../gateways/mailer/index.ts'
import { postReversal, type Receipt, receiptOf, reversalOf } from '../../../../../ledger/index.ts'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../../../platform/db/database.ts'
import type { Deps } from '../../../../../platform/runtime/deps.ts'
import { holdCredit, reverseCredit } from '../../../../deposits/index.ts'
import { type Member, membersById } from '../../../../members/index.ts'
import { recordEvents } from '../../../../notices/index.ts'
import { onDepositReversed } from '../../../../rewards/index.ts'
import { walletLabel } from '../../../../wallets/index.ts'
import { reversalRule, wordsOf } from '../../../access/transfer-kinds.ts'
import { coverageRows } from '../../shared/coverage-rows.ts'
import { type ApplyResult, type Approval, noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { amountOf, textOf } from '../../shared/title-text.ts'

/** Reverses a ledger transfer. */
export const transferReversal = proposalKind({
  subject: 'reversal',
  // The id identifies the transfer. The other fields inform the approver.
  value: v.object({
    transferId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/)),
    what: v.string(),
    asset,
    amount: coinInput,
    from: v.string(),
    to: v.string(),
    coversLoss: v.optional(v.boolean()),
  }),
  async members(db, { transferId }) {
    const transfer = await receiptOf(db, BigInt(transferId))
    return transfer === undefined ? [] : ownersOf(transfer)
  },
  current: noCurrent,
  baseline: 'all-fields',
  apply: (tx, deps, { transferId, coversLoss }, approval) => reverseTransfer(tx, deps, { id: BigInt(transferId), coversLoss }, approval),
  // A reversed credit returns coin to the pool.
  async coverage(db, { transferId }) {
    const transfer = await receiptOf(db, BigInt(transferId))
    return transfer?.kind === 'rcmCredit' ? coverageRows(db, 'COIN', { pool: transfer.amount }) : []
  },
  title: (value) =>
    `Reverse transfer ${textOf(value['transferId'])}, ${amountOf(value)}${value['coversLoss'] === true ? '; the platform bears the shortfall' : ''}`,
})

/** Returns true for a credit of money from outside. */
export const isDeposit = (kind: string): boolean => kind === 'deposit' || kind === 'tokenDeposit'

const refused = (why: string) => new AppError('REVERSAL_REFUSED', { why })

/**
 * Returns a reversible transfer.
 * @throws AppError NOT_FOUND; REVERSAL_REFUSED with the alternative, or if it was already reversed
 */
export async function reversibleTransfer(db: Db, transferId: bigint): Promise<Receipt> {
  const transfer = await receiptOf(db, transferId)
  if (transfer === undefined) throw new AppError('NOT_FOUND')
  const { can, text } = reversalRule(transfer.kind)
  if (!can) throw refused(text)
  const known = await reversalOf(db, transferId)
  if (known !== undefined) throw refused(`it was reversed by transfer ${known.reversedBy}`)
  return transfer
}

const unitOf = ({ asset: of }: Receipt) => (of === 'USD' ? 'USD' : 'coin')
const ownersOf = ({ from, to }: Receipt): bigint[] =>
  [...new Set([from.account, to.account].flatMap((side) => ('owner' in side ? [side.owner] : [])))].toSorted((a, b) => (a < b ? -1 : 1))

/**
 * Reverses a transfer completely and once. Also corrects the totals of the deposit and the referral rewards that the money may earn.
 * @throws AppError NOT_FOUND, REVERSAL_REFUSED, STOPPED
 */
async function reverseTransfer(
  tx: Tx,
  deps: Deps,
  { id: transferId, coversLoss }: { id: bigint; coversLoss: boolean | undefined },
  approval: Approval,
): Promise<ApplyResult> {
  const transfer = await reversibleTransfer(tx, transferId)
  const owners = ownersOf(transfer)
  const credit = transfer.cause.type === 'deposit' ? await holdCredit(tx, transfer.cause.id, transfer.transferId) : undefined
  const at = deps.clock.now()
  const posting = { proposalId: approval.proposalId ?? 'dry run', at, coversLoss: coversLoss === true && isDeposit(transfer.kind) }
  const { id, newMoney, loss } = await postReversal(tx, transfer, posting).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE') throw refused(missingBalance(transfer))
    throw error
  })
  if (credit !== undefined) await reverseCredit(tx, credit)
  await reverseNewMoney(tx, at, transfer, { id, newMoney })
  if (approval.approverId === undefined) return {}
  const people = [...(await membersById(tx, owners)).values()]
  await enqueueMails(
    tx,
    deps,
    people.map((member) => mailFor(deps, transfer, member)),
  )
  await recordEvents(
    tx,
    at,
    people.map((member) => ({ ...noticeOf(transfer, member.id), memberId: member.id, cause: `${id}.${member.id}` })),
  )
  const detail = {
    transferId: String(transfer.transferId),
    reversal: String(id),
    kind: transfer.kind,
    amount: String(transfer.amount),
    ...(loss > 0n && { loss: String(loss) }),
  }
  return { audit: people.map((member) => ({ action: 'transfer.reverse', subject: { type: 'member', id: member.public_id }, detail })) }
}

const missingBalance = (transfer: Receipt): string => {
  const { account } = transfer.to
  const wallet = 'owner' in account ? walletLabel(account.kind) : account.system
  return `the ${wallet} that received it holds less than ${formatUnits(transfer.amount)} ${unitOf(transfer)}`
}

/**
 * Reverses pending referral rewards for the part of a reversed USD deposit that is no longer new money, or records a debt
 * [RW-01].
 */
async function reverseNewMoney(
  tx: Tx,
  at: Date,
  { to, amount, kind }: Receipt,
  { id, newMoney }: { id: bigint; newMoney: bigint },
): Promise<void> {
  if (kind !== 'deposit' || !('owner' in to.account) || newMoney === amount) return
  await onDepositReversed(tx, at, { memberId: to.account.owner, transferId: id, missing: amount - newMoney })
}

/** Returns the notification about the reversal for a member of the transfer. */
const noticeOf = (transfer: Receipt, memberId: bigint): NoticeOf<'staff'> => ({
  event: 'staff',
  amount: transfer.amount,
  asset: transfer.asset === 'USD' ? 'usd' : 'coin',
  facts: {
    what: 'reversal',
    transfer: String(transfer.transferId),
    kind: wordsOf(transfer.kind).toLowerCase(),
    made: transfer.at.toISOString(),
    way: directionOf(transfer, memberId),
  },
})

function mailFor(deps: Deps, transfer: Receipt, { email, name, id, language }: Member) {
  const words = mailLanguage(deps.config, language)
  const { t } = words
  const amount = `${formatUnits(transfer.amount)} ${transfer.asset === 'USD' ? 'USD' : deps.config.tokenSymbol}`
  const { title, text } = noticeTexts.staff(noticeOf(transfer, id).facts, shownInMail(words, deps.clock.now(), amount))
  return {
    to: email,
    language,
    template: 'notice' as const,
    data: {
      name,
      title,
      lines: [
        text,
        t('It is listed in your statement and under staff actions in your profile. If you think that it is wrong, please open a ticket.'),
      ],
    },
  }
}

const directionOf = ({ from, to }: Receipt, memberId: bigint): NoticeOf<'staff'>['facts']['way'] => {
  const [paid, got] = [from.account, to.account].map((side) => 'owner' in side && side.owner === memberId)
  if (paid === true && got === true) return 'own'
  return got === true ? 'out' : 'in'
}
