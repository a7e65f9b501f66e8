import { id } from '@tizara/contract'
import { sql } from 'kysely'
import * as v from 'valibot'
import { answerIncident } from '../../../../gateways/chain/index.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { answerSending } from '../../../withdrawals/index.ts'
import { noCurrent, proposalKind } from '../shared/proposal-kind.ts'
import { textOf } from '../shared/title-text.ts'

/** Resolves a chain incident, or an unresolved payout. */
export const chainResolution = proposalKind({
  subject: 'chain-answer',
  // `what` is the description shown to the maker.
  value: v.object({
    about: v.picklist(['incident', 'payout']),
    id,
    answer: v.picklist(['SEEN', 'GIVE_BACK', 'ARRIVED']),
    what: v.string(),
  }),
  async members(db, { about, id: publicId }) {
    if (about !== 'payout') return []
    const { rows } = await sql<{ memberId: bigint }>`
      select member_id as "memberId" from payout_request where public_id = ${publicId}`.execute(db)
    return rows.map(({ memberId }) => memberId)
  },
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, deps, { about, id: publicId, answer }) {
    const isPayout = about === 'payout' && answer !== 'SEEN'
    if (isPayout) await answerSending(tx, deps, { payoutId: publicId, answer })
    else if (about !== 'incident' || answer !== 'SEEN' || !(await answerIncident(tx, publicId, deps.clock.now())))
      throw new AppError('CHANGE_OUTDATED')
    const subject = about === 'payout' ? { type: 'payout_request', id: publicId } : { type: 'platform', id: `chain-incident:${publicId}` }
    return { audit: [{ action: 'chain.answer', subject, detail: { answer } }] }
  },
  title: (value) =>
    value['answer'] === 'SEEN'
      ? `Resume after ${textOf(value['what'])}`
      : `Payout ${textOf(value['id'])}: ${value['answer'] === 'ARRIVED' ? 'it has arrived' : 'refund it'}`,
})
