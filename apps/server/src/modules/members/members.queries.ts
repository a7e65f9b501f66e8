import { type Selectable, sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, executeDeferred, type Tx } from '../../platform/db/database.ts'
import type { MemberTable } from '../../platform/db/tables.generated.ts'

export type Member = Selectable<MemberTable>

export function memberByEmail(db: Db, email: string): Promise<Member | undefined> {
  return db.selectFrom('member').selectAll().where('email', '=', email).executeTakeFirst()
}

/** Reads members by email address, in any order. */
export function membersByEmail(
  db: Db,
  emails: readonly string[],
): Promise<Pick<Member, 'id' | 'email' | 'is_verified' | 'is_active' | 'role'>[]> {
  return db
    .selectFrom('member')
    .select(['id', 'email', 'is_verified', 'is_active', 'role'])
    .where('email', '=', sql<string>`any(${emails})`)
    .execute()
}

/**
 * Returns true for an unfinished registration, which has no claim to its address: neither the address nor the author of the password is
 * proved. An imported member with an unproved address has balances, so the account is not unfinished.
 */
export const isUnfinished = (member: Pick<Member, 'is_verified' | 'password_proved'>): boolean =>
  !member.is_verified && !member.password_proved

/**
 * Locks the unfinished registrations with these addresses, in id order to prevent deadlocks. Returns them as locked. Owners stay unlocked,
 * so that an import does not delay their calls.
 */
export function lockUnfinished(tx: Tx, emails: readonly string[]): Promise<Member[]> {
  const found = tx
    .selectFrom('member')
    .selectAll()
    .where('email', '=', sql<string>`any(${emails})`)
    .where('is_verified', '=', false)
    .where('password_proved', '=', false)
  return found.orderBy('id').forNoKeyUpdate().execute()
}

/**
 * Returns those of the addresses whose account is not an unfinished registration. Leaves out a registration that was committed a moment
 * ago, which has no claim to its address either.
 */
export async function ownedAddresses(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const found = db
    .selectFrom('member')
    .select('email')
    .where('email', '=', sql<string>`any(${emails})`)
    .where((row) => row.or([row('is_verified', '=', true), row('password_proved', '=', true)]))
  return new Set((await found.execute()).map(({ email }) => email))
}

/** Returns true if an account has the address that is not an unfinished registration. */
export async function hasOwner(db: Db, email: string): Promise<boolean> {
  const holder = await memberByEmail(db, email)
  return holder !== undefined && !isUnfinished(holder)
}

/** Locks the members with these addresses, in id order to prevent deadlocks. Returns them as locked. */
export function lockMembersByEmail(tx: Tx, emails: readonly string[]): Promise<Member[]> {
  const found = tx
    .selectFrom('member')
    .selectAll()
    .where('email', '=', sql<string>`any(${emails})`)
  return found.orderBy('id').forNoKeyUpdate().execute()
}

/** Returns true if other members may send USD to this account. Staff have no wallets. */
export const mayReceiveTransfers = (member: Pick<Member, 'is_verified' | 'is_active' | 'role'>): boolean =>
  member.is_verified && member.is_active && member.role === 'MEMBER'

/** Reads a member by database id. */
export function memberById(db: Db, id: bigint): Promise<Member | undefined> {
  return db.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Reads a member by public id. */
export function memberByPublicId(db: Db, publicId: string): Promise<Member | undefined> {
  return db.selectFrom('member').selectAll().where('public_id', '=', publicId).executeTakeFirst()
}

/**
 * Reads a member by public id.
 * @throws AppError NOT_FOUND
 */
export async function requireMember(db: Db, publicId: string): Promise<Member> {
  const member = await memberByPublicId(db, publicId)
  if (member === undefined) throw new AppError('NOT_FOUND')
  return member
}

/**
 * Finds the owner of a referral code, ignoring case. The owner must have a verified email address. Staff cannot refer, because they have no
 * wallets for rewards and must not decide about their own teams.
 */
export function memberByReferralCode(db: Db, code: string): Promise<Member | undefined> {
  return db
    .selectFrom('member')
    .selectAll()
    .where('referral_code', '=', code.trim().toUpperCase())
    .where('is_verified', '=', true)
    .where('role', '=', 'MEMBER')
    .executeTakeFirst()
}

/**
 * Locks a member's row until the end of the transaction, so that decisions about the member's sessions, codes and limits run one after the
 * other. Rows that only reference the member can still be written.
 * @returns the member as locked
 */
export async function lockMember(tx: Tx, id: bigint): Promise<Member> {
  return tx.selectFrom('member').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Locks many members, in id order to prevent deadlocks. */
export async function lockMembers(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await executeDeferred(tx, 'select from member where id = any ($1::bigint[]) order by id for no key update', [ids])
}

/** Returns true if any member had joined before a moment and has proven the address. */
export async function hadMembers(db: Db, before: Date): Promise<boolean> {
  const found = db.selectFrom('member').select('id').where('role', '=', 'MEMBER').where('is_verified', '=', true)
  return (await found.where('created_at', '<', before).limit(1).executeTakeFirst()) !== undefined
}
