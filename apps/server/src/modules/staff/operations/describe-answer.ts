import { formatUnits } from '@tizara/money'
import { chainIncidents, unclaimedAddresses } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { receivedAt } from '../../deposits/index.ts'
import { memberByEmail } from '../../members/index.ts'
import { assertAnswerable } from '../../withdrawals/index.ts'
import type { Proposal } from '../proposals/proposal.ts'

/** A chain incident or an unresolved payout, and its resolution. */
type ChainAnswer = Pick<Extract<Proposal, { subject: 'chain-answer' }>['value'], 'about' | 'id' | 'answer' | 'address' | 'email'>

/**
 * Describes an answer to a chain incident or an unclear payout. After the approval of another admin, payouts resume, or the payments to an
 * address are credited to a member, or the payout is returned or marked as arrived.
 * @throws AppError NOT_FOUND; CHANGE_OUTDATED if this answer does not apply
 */
export async function describeAnswer(tx: Tx, deps: Deps, { about, id, answer, address, email }: ChainAnswer): Promise<string> {
  if (about === 'payout' && (answer === 'GIVE_BACK' || answer === 'ARRIVED')) return (await assertAnswerable(tx, id, answer)).problem
  const incident = (await chainIncidents(tx)).find((one) => String(one.id) === id)
  if (incident === undefined) throw new AppError('NOT_FOUND')
  if (about === 'incident' && answer === 'CREDIT') return describeCredit(tx, deps, { id, address, email })
  if (about !== 'incident' || answer !== 'SEEN') throw new AppError('CHANGE_OUTDATED')
  return `${incident.kind} from block ${incident.fromBlock} on: ${incident.transfers.join(', ')}`.slice(0, 2000)
}

/** Describes the payments to an address and the member who is credited. */
async function describeCredit(
  tx: Tx,
  deps: Deps,
  { id, address = '', email = '' }: Pick<ChainAnswer, 'id' | 'address' | 'email'>,
): Promise<string> {
  if ((await memberByEmail(tx, email)) === undefined) throw new AppError('NOT_FOUND')
  if (!(await unclaimedAddresses(tx, id)).includes(address)) throw new AppError('NOT_FOUND')
  const received = await receivedAt(tx, deps, address)
  if (received.length === 0) throw new AppError('CHANGE_OUTDATED')
  const amounts = received.map(({ asset, amount }) => `${formatUnits(amount)} ${asset === 'USD' ? 'USD' : deps.config.tokenSymbol}`)
  return `${amounts.join(' and ')} at ${address} for ${email}`
}
