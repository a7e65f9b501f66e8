import { id } from '@tizara/contract'
import { sql } from 'kysely'
import * as v from 'valibot'
import { answerIncident, unclaimedAddresses } from '../../../../../gateways/chain/index.ts'
import type { Tx } from '../../../../../platform/db/database.ts'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import type { Deps } from '../../../../../platform/runtime/deps.ts'
import { claimAddress } from '../../../../deposits/index.ts'
import { memberByEmail } from '../../../../members/index.ts'
import { answerSending } from '../../../../withdrawals/index.ts'
import { memberWithEmail } from '../../shared/members-of.ts'
import { type ApplyResult, noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Resolves a chain incident or an unresolved payout, or credits a member for payments to an address without an invoice. */
export const chainResolution = proposalKind({
  subject: 'chain-answer',
  // `what` is the description that the proposer has seen.
  value: v.object({
    about: v.picklist(['incident', 'payout']),
    id,
    answer: v.picklist(['SEEN', 'CREDIT', 'GIVE_BACK', 'ARRIVED']),
    // For CREDIT: the address and the member's email.
    address: v.optional(v.string()),
    email: v.optional(v.string()),
    what: v.string(),
  }),
  async members(db, { about, id: publicId, answer, email = '' }) {
    if (answer === 'CREDIT') return memberWithEmail(db, { email })
    if (about !== 'payout') return []
    const { rows } = await sql<{ memberId: bigint }>`
      select member_id as "memberId" from payout_request where public_id = ${publicId}`.execute(db)
    return rows.map(({ memberId }) => memberId)
  },
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, deps, { about, id: publicId, answer, address = '', email = '' }) {
    if (about === 'incident' && answer === 'CREDIT') return creditAddress(tx, deps, { incident: publicId, address, email })
    const isPayout = about === 'payout' && (answer === 'GIVE_BACK' || answer === 'ARRIVED')
    if (isPayout) await answerSending(tx, deps, { payoutId: publicId, answer })
    else if (about !== 'incident' || answer !== 'SEEN' || !(await answerIncident(tx, publicId, deps.clock.now())))
      throw new AppError('CHANGE_OUTDATED')
    const subject = about === 'payout' ? { type: 'payout_request', id: publicId } : { type: 'platform', id: `chain-incident:${publicId}` }
    return { audit: [{ action: 'chain.answer', subject, detail: { answer } }] }
  },
  title: (value) =>
    value['answer'] === 'SEEN'
      ? `Resume after ${textOf(value['what'])}`
      : value['answer'] === 'CREDIT'
        ? `Credit ${textOf(value['what'])}`
        : `Payout ${textOf(value['id'])}: ${value['answer'] === 'ARRIVED' ? 'it has arrived' : 'refund it'}`,
})

/** Gives an address of an incident to a member. The incident ends with its last address. */
async function creditAddress(
  tx: Tx,
  deps: Deps,
  { incident, address, email }: { incident: string; address: string; email: string },
): Promise<ApplyResult> {
  const member = await memberByEmail(tx, email)
  if (member === undefined || !(await unclaimedAddresses(tx, incident)).includes(address)) throw new AppError('CHANGE_OUTDATED')
  const depositId = await claimAddress(tx, deps, { memberId: member.id, address })
  if ((await unclaimedAddresses(tx, incident)).length === 0) await answerIncident(tx, incident, deps.clock.now())
  return { audit: [{ action: 'chain.answer', subject: { type: 'deposit', id: depositId }, detail: { answer: 'CREDIT', address } }] }
}
