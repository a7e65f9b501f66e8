import type { ReplyOf } from '@tizara/contract'
import { PAYEES_MAX, type payees } from '@tizara/contract/transfers'
import { movementsOf, type WalletMovement } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { mayReceiveTransfers, membersById } from '../members/index.ts'
import { initialsOf } from './find-receiver.ts'

/** Newest movements of the deposit wallet that a call reads, from each side of it. */
const SCAN = 300
const PERIOD_MS = 365 * DAY_MS

/**
 * Lists the people that a member last sent USD to (MF-09). The list is read from the ledger and not stored, so it names only people whose
 * address the member typed, and closing or blocking an account removes it from all lists (docs/decisions/0058-payees-from-the-ledger.md).
 */
export async function listPayees(db: Db, memberId: bigint, now: Date): Promise<ReplyOf<typeof payees>> {
  const period = { since: new Date(now.getTime() - PERIOD_MS), until: new Date(now.getTime() + DAY_MS) }
  const movements = await movementsOf(db, memberId, { wallet: 'depositWallet', ...period }, { limit: SCAN })
  const newest = new Map<bigint, WalletMovement>()
  for (const movement of movements)
    if (movement.kind === 'userToUser' && movement.direction === 'out' && 'owner' in movement.other && !newest.has(movement.other.owner))
      newest.set(movement.other.owner, movement)
  const people = await membersById(db, [...newest.keys()])
  const data = [...newest].flatMap(([id, { amount, at }]) => {
    const member = people.get(id)
    if (member === undefined || !mayReceiveTransfers(member)) return []
    return [{ email: member.email, initials: initialsOf(member.name), amount, sentAt: at }]
  })
  return { data: data.slice(0, PAYEES_MAX) }
}
