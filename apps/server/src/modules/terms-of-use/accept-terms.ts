import type { BodyOf } from '@tizara/contract'
import type * as wire from '@tizara/contract/terms-of-use'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { memberByPublicId } from '../members/index.ts'
import { readTermsToken } from './terms-token.ts'
import { termsAt } from './terms.queries.ts'

type Read = BodyOf<typeof wire.acceptTerms>
type Origin = Readonly<{ ip: string; requestId: string }>

/**
 * Records that a member accepted the terms in force, once. A repeat changes nothing.
 * @param read version and hash that the member read
 * @throws AppError TERMS_CHANGED for other terms than those in force
 */
export async function acceptTerms(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  member: { memberId: bigint; publicId: string; role: string },
  { read, how, ip, requestId }: Origin & { read: Read; how: 'app' | 'link' },
): Promise<void> {
  const now = clock.now()
  const current = await termsAt(tx, now)
  if (current === undefined || current.version !== read.version || current.hash !== read.hash) throw new AppError('TERMS_CHANGED')
  const { version, hash } = current
  const added = await tx
    .insertInto('terms_of_use_acceptance')
    .values({ member_id: member.memberId, version, hash, accepted_at: now, how })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  if (added === undefined) return
  await recordAudit(tx, {
    at: now,
    actorId: member.memberId,
    actorRole: member.role,
    action: 'terms.accept',
    subject: { type: 'member', id: member.publicId },
    outcome: 'ok',
    ip,
    requestId,
    detail: { version, hash, how },
  })
}

/**
 * Works like {@link acceptTerms}, for the member whom the token of a mailed link names.
 * @throws AppError TERMS_LINK_INVALID for an unknown token, other terms, or a blocked account; TERMS_CHANGED
 */
export async function acceptTermsByLink(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'config'>,
  token: string | undefined,
  input: Origin & { read: Read },
): Promise<void> {
  const subject = readTermsToken(deps, token)
  const member = subject === undefined ? undefined : await memberByPublicId(tx, subject.id)
  if (subject === undefined || member === undefined || !member.is_active) throw new AppError('TERMS_LINK_INVALID')
  // A link was mailed for one version, and accepts no later one.
  if (subject.version !== input.read.version || subject.hash !== input.read.hash) throw new AppError('TERMS_CHANGED')
  await acceptTerms(tx, deps, { memberId: member.id, publicId: member.public_id, role: member.role }, { ...input, how: 'link' })
}
