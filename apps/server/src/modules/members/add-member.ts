import type { StaffRole } from '@tizara/contract/staff'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Member } from './members.queries.ts'

/** A new account. */
export interface NewMember {
  name: string
  /** Normalized to lower case. */
  email: string
  phone: string
  passwordHash: string
  sponsorId: bigint | null
  isVerified?: boolean
  role?: 'MEMBER' | StaffRole
  /** False until the password's author has proved the address. */
  passwordProved?: boolean
  /** Language of the mails; null for English. */
  language?: string | null | undefined
}

/** Returns the sponsor, unless the sponsor has since become staff: staff have no team. */
async function standingSponsor(tx: Tx, sponsorId: bigint | null): Promise<bigint | null> {
  if (sponsorId === null) return null
  const found = tx.selectFrom('member').select('id').where('id', '=', sponsorId).where('role', '=', 'MEMBER').forKeyShare()
  return (await found.executeTakeFirst())?.id ?? null
}

const REFERRAL_CODE_LENGTH = 8

/**
 * Adds a member with a new referral code (GN-05). The caller opens the wallets and joins the team.
 * @returns the member, or undefined when the email address is taken
 */
export async function addMember(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, input: NewMember): Promise<Member | undefined> {
  const now = deps.clock.now()
  const sponsorId = await standingSponsor(tx, input.sponsorId)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const added = await tx
      .insertInto('member')
      .values({
        public_id: deps.ids.publicId(),
        name: input.name,
        email: input.email,
        phone: input.phone,
        password_hash: input.passwordHash,
        sponsor_id: sponsorId,
        is_verified: input.isVerified ?? false,
        role: input.role ?? 'MEMBER',
        password_proved: input.passwordProved ?? true,
        language: input.language ?? null,
        referral_code: deps.ids.code(REFERRAL_CODE_LENGTH),
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added !== undefined) return added
    const existing = await tx.selectFrom('member').select('id').where('email', '=', input.email).executeTakeFirst()
    if (existing !== undefined) return undefined
  }
  throw new Error('no free referral code was found')
}
