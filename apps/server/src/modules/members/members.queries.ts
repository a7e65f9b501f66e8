import { type Selectable, sql } from 'kysely'
import { type Db, executeDeferred, type Tx } from '../../platform/db/database.ts'
import type { MemberTable } from '../../platform/db/tables.generated.ts'

export type Member = Selectable<MemberTable>

/** The member with an e-mail address. */
export function memberByEmail(db: Db, email: string): Promise<Member | undefined> {
  return db.selectFrom('member').selectAll().where('email', '=', email).executeTakeFirst()
}

/** The members with some e-mail addresses, in any order. */
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

/** The member with an id of the database. */
export function memberById(db: Db, id: bigint): Promise<Member | undefined> {
  return db.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The member with an id of the wire. */
export function memberByPublicId(db: Db, publicId: string): Promise<Member | undefined> {
  return db.selectFrom('member').selectAll().where('public_id', '=', publicId).executeTakeFirst()
}

/**
 * The owner of a referral code, with a proved address; capital and small letters are the same. Staff bring nobody: they have
 * no wallets that a reward could go to, and decide about no team of theirs.
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
 * Locks a member's row until the transaction ends: everything that decides over one member's sessions, codes or limits
 * goes through here, one after the other. Rows that only name the member are still written, by whoever has locked more.
 * @returns the member as it is now
 */
export async function lockMember(tx: Tx, id: bigint): Promise<Member> {
  return tx.selectFrom('member').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** As `lockMember`, for many: in the order of their ids, so that nobody waits in a circle. */
export async function lockMembers(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await executeDeferred(tx, 'select from member where id = any ($1::bigint[]) order by id for no key update', [ids])
}

/** Whether anybody had joined before a moment and proved the address. */
export async function hadMembers(db: Db, before: Date): Promise<boolean> {
  const found = db.selectFrom('member').select('id').where('role', '=', 'MEMBER').where('is_verified', '=', true)
  return (await found.where('created_at', '<', before).limit(1).executeTakeFirst()) !== undefined
}
