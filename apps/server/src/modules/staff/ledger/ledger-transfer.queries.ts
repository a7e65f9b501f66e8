import type { ReplyOf } from '@tizara/contract'
import type { staffLedgerTransfer, staffTransferReceipts } from '@tizara/contract/staff-ledger'
import { sourceOfFunds, receiptOf, reversalOf, type Receipt, transfersOfCause } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import { receiptOfMovement } from '../../wallets/index.ts'
import { findCauses, type FoundCause } from './causes.queries.ts'
import { kindText, ownersOf, sideOf } from './ledger.queries.ts'
import { maskedAddress } from '../access/masked-address.ts'
import { personOf } from '../access/person.ts'
import { allTransfers, reversalRule } from '../access/transfer-kinds.ts'

type Transfer = ReplyOf<typeof staffLedgerTransfer>

/** Maximum steps back. A longer chain continues from the last transfer. */
const STEPS = 8

/**
 * Reads one transfer with both sides, its cause, and the cause's other transfers.
 * @throws AppError NOT_FOUND
 */
export async function readTransfer(db: Db, id: string): Promise<Transfer> {
  const line = await sourceOfFunds(db, BigInt(id), STEPS)
  const [receipt] = line
  if (receipt === undefined) throw new AppError('NOT_FOUND')
  const facts = await findCauses(
    db,
    line.map((one) => one.cause),
  )
  const [people, cause, same, reversal] = await Promise.all([
    ownersOf(db, [receipt.from.number, receipt.to.number]),
    causeChain(db, line, facts),
    sameCause(db, receipt, facts[0]?.memberId),
    reversalFacts(db, receipt),
  ])
  const leg = (side: Receipt['from'], sign: bigint) => ({
    ...sideOf(side.number, people),
    amount: sign * receipt.amount,
    before: side.balanceBefore,
    after: side.balanceAfter,
  })
  return {
    id,
    at: receipt.at,
    kind: receipt.kind,
    text: kindText(receipt.kind),
    asset: assetOf(receipt),
    amount: receipt.amount,
    pending: receipt.pending,
    legs: [leg(receipt.from, -1n), leg(receipt.to, 1n)],
    cause,
    ...(receipt.cause.type === 'reward_run' ? { run: receipt.cause.id } : {}),
    ...(receipt.ruleVersion === null ? {} : { ruleVersion: String(receipt.ruleVersion) }),
    sameCause: same,
    ...reversal,
  }
}

async function reversalFacts(db: Db, { kind, transferId }: Receipt): Promise<Pick<Transfer, 'reverses' | 'reversedBy' | 'reversal'>> {
  const known = await reversalOf(db, transferId)
  if (known === undefined) return { reversal: reversalRule(kind) }
  return known.reverses === transferId
    ? { reversedBy: String(known.reversedBy), reversal: { can: false, text: 'it was reversed' } }
    : { reverses: String(known.reverses), reversal: reversalRule(kind) }
}

const assetOf = (receipt: Receipt) => (receipt.asset === 'USD' ? 'usd' : 'coin')

/**
 * Explains a transfer by its cause and by the source of its money, back to an outside payment or a system account. The chain ends at a
 * transfer with a cause of its own.
 */
async function causeChain(db: Db, line: readonly Receipt[], facts: readonly FoundCause[]): Promise<Transfer['cause']> {
  const resting = facts.findIndex((fact) => fact.next !== undefined)
  const steps = line.flatMap(({ cause, transferId }, index) => {
    const fact = resting >= 0 && index > resting ? undefined : facts[index]
    return fact === undefined ? [] : [step(cause, fact, transferId)]
  })
  const next = facts[resting]?.next
  const [under] = next === undefined ? [] : await findCauses(db, [next])
  return next === undefined || under === undefined ? steps : [...steps, step(next, under)].slice(0, STEPS)
}

const step = ({ type, id }: Receipt['cause'], { text, detail, href, at }: FoundCause, transferId?: bigint): Transfer['cause'][number] => ({
  type,
  id,
  text,
  ...(detail === undefined ? {} : { detail }),
  ...(href === undefined ? {} : { href }),
  ...(at === undefined ? {} : { at }),
  ...(transferId === undefined ? {} : { transferId: String(transferId) }),
})

/** Lists the cause's other transfers for one member. */
async function sameCause(db: Db, receipt: Receipt, memberId: bigint | undefined): Promise<Transfer['sameCause']> {
  // Skips causes with an unbounded number of transfers, such as a member or a settings version.
  if (['member', 'setting', 'supply', 'reward_run'].includes(receipt.cause.type)) return []
  const owner = memberId ?? [receipt.from.account, receipt.to.account].flatMap((side) => ('owner' in side ? [side.owner] : []))[0]
  if (owner === undefined) return []
  return (await transfersOfCause(db, receipt, owner))
    .filter((row) => row.transferId !== receipt.transferId)
    .map((row) => ({ id: String(row.transferId), text: kindText(row.kind), asset: assetOf(row), amount: row.amount, at: row.at }))
}

/**
 * Reads a transfer's receipts, as each member sees them.
 * @throws AppError NOT_FOUND
 */
export async function readReceipts(db: Db, id: string): Promise<ReplyOf<typeof staffTransferReceipts>> {
  const transfer = await receiptOf(db, BigInt(id))
  if (transfer === undefined) throw new AppError('NOT_FOUND')
  const people = await ownersOf(db, [transfer.from.number, transfer.to.number])
  const read = await Promise.all(
    [...people.values()].map(async (member) => ({
      member: personOf(member),
      receipt: await receiptOfMovement(db, member.id, BigInt(id), allTransfers),
    })),
  )
  return read.flatMap(({ member, receipt }) =>
    receipt === undefined ? [] : [{ member, receipt: { ...maskedParties(receipt), kind: 'transfer' as const } }],
  )
}

/** Masks the payout address of a receipt. The member reads it in full. */
function maskedParties<R extends Pick<ReplyOf<typeof staffTransferReceipts>[number]['receipt'], 'from' | 'to'>>(receipt: R): R {
  const mask = <P extends { address?: string | undefined } | undefined>(party: P): P =>
    party?.address === undefined ? party : { ...party, address: maskedAddress(party.address) }
  return { ...receipt, from: mask(receipt.from), to: mask(receipt.to) }
}
