import { chainIncidents } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertAnswerable } from '../../withdrawals/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import type { Proposal } from '../proposals/proposal.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/** A chain incident or an unresolved payout, and its resolution. */
type ChainAnswer = Pick<Extract<Proposal, { subject: 'chain-answer' }>['value'], 'about' | 'id' | 'answer'>

/**
 * Proposes a resolution. After another admin approves it, payouts resume, or the payout is returned or counts as arrived.
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND; CHANGE_OUTDATED if this resolution does not apply
 */
export async function proposeAnswer(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { reason, ...asked }: ChainAnswer & { reason: string },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'answerChain')
  return submitProposal(tx, deps, actor, { subject: 'chain-answer', value: { ...asked, what: await wordsFor(tx, asked) }, reason })
}

async function wordsFor(tx: Tx, { about, id, answer }: ChainAnswer): Promise<string> {
  if (about === 'payout' && answer !== 'SEEN') return (await assertAnswerable(tx, id, answer)).problem
  const incident = (await chainIncidents(tx)).find((one) => String(one.id) === id)
  if (incident === undefined) throw new AppError('NOT_FOUND')
  if (about !== 'incident' || answer !== 'SEEN') throw new AppError('CHANGE_OUTDATED')
  return `${incident.kind} from block ${incident.fromBlock} on: ${incident.transfers.join(', ')}`.slice(0, 2000)
}
