import type { ReplyOf } from '@tizara/contract'
import { PAYEE_NAMES_MAX, PAYEES_MAX, type payees } from '@tizara/contract/transfers'
import { movementsOf, type WalletMovement } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { initialsOf, lockMember, mayReceiveTransfers, type Member, membersById } from '../members/index.ts'

/** Newest movements of the deposit wallet that a call reads, from each side of it. */
const SCAN = 300
const PERIOD_MS = 365 * DAY_MS

interface Payee {
  member: Member
  newest: WalletMovement | undefined
  name: string | undefined
}

/**
 * Finds the people that a member last sent USD to, from the ledger, and those with a name. It finds only people whose address the member
 * typed, and closing or blocking an account removes it from all lists (docs/decisions/0058-payees-from-the-ledger.md).
 */
async function findPayees(db: Db, memberId: bigint, now: Date): Promise<Payee[]> {
  const period = { since: new Date(now.getTime() - PERIOD_MS), until: new Date(now.getTime() + DAY_MS) }
  const movements = await movementsOf(db, memberId, { wallet: 'depositWallet', ...period }, { limit: SCAN })
  const newest = new Map<bigint, WalletMovement>()
  for (const movement of movements)
    if (movement.kind === 'userToUser' && movement.direction === 'out' && 'owner' in movement.other && !newest.has(movement.other.owner))
      newest.set(movement.other.owner, movement)
  const given = await db
    .selectFrom('payee_name')
    .select(['receiver_id', 'name'])
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .limit(PAYEE_NAMES_MAX)
    .execute()
  const names = new Map(given.map((row) => [row.receiver_id, row.name]))
  const ids = [...new Set([...newest.keys(), ...names.keys()])]
  const people = await membersById(db, ids)
  return ids.flatMap((id) => {
    const member = people.get(id)
    return member !== undefined && mayReceiveTransfers(member) ? [{ member, newest: newest.get(id), name: names.get(id) }] : []
  })
}

/** Lists all people with a name, and the newest others up to `PAYEES_MAX` (MF-09). */
export async function listPayees(db: Db, memberId: bigint, now: Date): Promise<ReplyOf<typeof payees>> {
  const found = await findPayees(db, memberId, now)
  const recent = new Set(found.slice(0, PAYEES_MAX))
  const data = found
    .filter((payee) => payee.name !== undefined || recent.has(payee))
    .map(({ member: { email, name }, newest, name: given }) => ({
      email,
      initials: initialsOf(name),
      ...(newest === undefined ? {} : { amount: newest.amount, sentAt: newest.at }),
      ...(given === undefined ? {} : { name: given }),
    }))
  return { data }
}

/**
 * Gives a name to a person of the list. Other addresses are not found, whether they have an account or not.
 * @param input the person's normalised address, and the name; an empty one removes the name
 * @throws AppError NOT_FOUND, PAYEE_NAMES_FULL
 */
export async function namePayee(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  memberId: bigint,
  { email, name }: { email: string; name: string },
): Promise<void> {
  await lockMember(tx, memberId)
  const now = clock.now()
  const found = await findPayees(tx, memberId, now)
  const payee = found.find(({ member }) => member.email === email)
  if (payee === undefined) throw new AppError('NOT_FOUND')
  const row = { member_id: memberId, receiver_id: payee.member.id }
  if (name === '') {
    await tx.deleteFrom('payee_name').where('member_id', '=', memberId).where('receiver_id', '=', row.receiver_id).execute()
    return
  }
  if (payee.name === undefined) await assertRoom(tx, memberId)
  await tx
    .insertInto('payee_name')
    .values({ ...row, name, created_at: now })
    .onConflict((conflict) => conflict.columns(['member_id', 'receiver_id']).doUpdateSet({ name }))
    .execute()
}

/** Counts also names of people who cannot receive money now. These names return with the account. */
async function assertRoom(tx: Tx, memberId: bigint): Promise<void> {
  const { count } = await tx
    .selectFrom('payee_name')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= PAYEE_NAMES_MAX) throw new AppError('PAYEE_NAMES_FULL')
}
