import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { asJson } from '../../platform/db/insert-rows.ts'

/** A member of another platform, with a reserved id. */
export interface ImportedMember {
  id: bigint
  public_id: string
  name: string
  email: string
  phone: string
  password_hash: string
  is_verified: boolean
  is_active: boolean
  is_special_rcm: boolean
  /** Rank, which counts as granted by staff; null for none. */
  rank: string | null
  referral_code: string
  /** Id of the sponsor, lower than the member's. */
  sponsor_id: bigint | null
  /** Join date on the other platform. */
  created_at: Date
}

/** Reserves ids of new members, in ascending order. An unused id stays unused. */
export async function reserveMemberIds(tx: Tx, count: number): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select nextval(pg_get_serial_sequence('member', 'id')) as id from generate_series(1, ${count}::int) order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Adds members of another platform. The caller opens the wallets.
 * @returns false, and adds nothing, if an account with one of the addresses was added meanwhile
 * @throws the database's error if a referral code is taken
 */
export async function addImportedMembers(tx: Tx, members: readonly ImportedMember[], at: Date): Promise<boolean> {
  await sql`savepoint import_members`.execute(tx)
  try {
    await sql`select add_imported_members(${asJson(members)}::json, ${at})`.execute(tx)
  } catch (error) {
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'member_email_key')) throw error
    await sql`rollback to savepoint import_members`.execute(tx)
    return false
  }
  await sql`release savepoint import_members`.execute(tx)
  return true
}

/**
 * Returns an address for an account whose own address another account has. Nobody can register it or get mail there. It starts with the old
 * one, so that staff find both accounts.
 */
export const unreachableAddress = ({ id, email }: Pick<ImportedMember, 'id' | 'email'>): string =>
  `${email.replace('@', '=')}.${id}@invalid`

/**
 * Returns the member without the address, because another account has it. The old password opens nothing, because no mail would tell the
 * member of a sign-in: two people recover the account.
 * @param unusable hash of a password that nobody knows
 */
export const withoutAddress = (member: ImportedMember, unusable: string): ImportedMember => ({
  ...member,
  email: unreachableAddress(member),
  password_hash: unusable,
})

/** Returns one password hash that another platform made and no sign-in has renewed yet, or undefined. */
export async function anyImportedHash(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`
    select password_hash as hash from member where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%' order by id limit 1`.execute(
    db,
  )
  return rows[0]?.hash
}
