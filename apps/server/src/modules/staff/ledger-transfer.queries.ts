import type { ReplyOf } from '@tizara/contract'
import type { staffLedgerTransfer } from '@tizara/contract/staff-ledger'
import { filledBy, type Receipt, receiptOf, transfersOfCause } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import type { MovingKind } from '../wallets/index.ts'
import { findCause } from './causes.queries.ts'
import { kindText, ownersOf, sideOf } from './ledger.queries.ts'

type Transfer = ReplyOf<typeof staffLedgerTransfer>
type Kinds = Readonly<Record<string, MovingKind>>

/** So many steps back; a chain that is longer goes on behind the last one's transfer. */
const STEPS = 8

/**
 * One transfer with both sides, why it happened, and what else the same cause moved.
 * @throws AppError NOT_FOUND
 */
export async function readTransfer(db: Db, kinds: Kinds, id: string): Promise<Transfer> {
  const receipt = await receiptOf(db, BigInt(id))
  if (receipt === undefined) throw new AppError('NOT_FOUND')
  const people = await ownersOf(db, [receipt.from.number, receipt.to.number])
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
    text: kindText(kinds, receipt.kind),
    asset: assetOf(receipt),
    amount: receipt.amount,
    pending: receipt.pending,
    legs: [leg(receipt.from, -1n), leg(receipt.to, 1n)],
    cause: await causeChain(db, receipt),
    ...(receipt.cause.type === 'reward_run' ? { run: receipt.cause.id } : {}),
    ...(receipt.ruleVersion === null ? {} : { ruleVersion: String(receipt.ruleVersion) }),
    sameCause: await sameCause(db, kinds, receipt),
  }
}

const assetOf = (receipt: Receipt) => (receipt.asset === 'USD' ? 'usd' : 'coin')

/**
 * Why it happened: the row behind the transfer, the rows that this one rests on, and then what had filled the wallet that
 * paid, until it came from outside or from the house.
 */
async function causeChain(db: Db, start: Receipt): Promise<Transfer['cause']> {
  const chain: Transfer['cause'] = []
  let transfer: Receipt | undefined = start
  let at: { type: string; id: string } | undefined = start.cause
  while (at !== undefined && chain.length < STEPS) {
    const found = await findCause(db, at.type, at.id)
    chain.push({
      type: at.type,
      id: at.id,
      text: found.text,
      ...(found.detail === undefined ? {} : { detail: found.detail }),
      ...(found.href === undefined ? {} : { href: found.href }),
      ...(found.at === undefined ? {} : { at: found.at }),
      ...(transfer === undefined ? {} : { transferId: String(transfer.transferId) }),
    })
    if (found.next !== undefined) {
      at = found.next
      transfer = undefined
      continue
    }
    transfer = transfer === undefined ? undefined : await filling(db, transfer)
    at = transfer?.cause
  }
  return chain
}

/** The transfer whose money this one passed on; undefined when it came from the house or from outside. */
async function filling(db: Db, transfer: Receipt): Promise<Receipt | undefined> {
  if (!('owner' in transfer.from.account)) return undefined
  const id = await filledBy(db, transfer.from.number, transfer.transferId)
  return id === undefined ? undefined : receiptOf(db, id)
}

/** Other transfers of the cause, as far as it is one member's own. */
async function sameCause(db: Db, kinds: Kinds, receipt: Receipt): Promise<Transfer['sameCause']> {
  const { cause } = receipt
  // Of a member or of the settings' version there are as many as there are moves.
  if (['member', 'setting', 'supply', 'reward_run'].includes(cause.type)) return []
  const fact = await findCause(db, cause.type, cause.id)
  const owner = fact.memberId ?? [receipt.from.account, receipt.to.account].flatMap((side) => ('owner' in side ? [side.owner] : []))[0]
  if (owner === undefined) return []
  const ids = (await transfersOfCause(db, cause, owner)).filter((id) => id !== receipt.transferId)
  const rows = await Promise.all(ids.map((id) => receiptOf(db, id)))
  return rows.flatMap((row) =>
    row === undefined
      ? []
      : [{ id: String(row.transferId), text: kindText(kinds, row.kind), asset: assetOf(row), amount: row.amount, at: row.at }],
  )
}
