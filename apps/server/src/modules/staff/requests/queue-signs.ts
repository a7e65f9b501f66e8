import { isNearDayLimit } from '../../withdrawals/index.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Member } from '../../members/index.ts'
import { roundedAmount } from '../access/rounded-amount.ts'
import type { RequestContext, Request } from './request-context.ts'

export interface QueueSign {
  code: string
  text: string
  detail?: string | undefined
  since?: Date | undefined
  /** Expiry. */
  until?: Date | undefined
  /** Console path with the details. */
  href?: string | undefined
}

/** Time in ms after a password reset or a registration during which a payout gets a warning. */
export const FRESH_MS = 3 * DAY_MS

const days = (ms: number) => (ms < DAY_MS ? 'today' : ms < 2 * DAY_MS ? 'yesterday' : `${Math.floor(ms / DAY_MS)} days ago`)
const freshUntil = (at: Date) => new Date(at.getTime() + FRESH_MS)

/** Warns about a payout freeze and its end. No approval can pay out meanwhile. */
function restSign(member: Member, now: Date): QueueSign[] {
  const { payouts_stopped_at: stopped, payouts_frozen_until: until } = member
  if (stopped !== null) return [{ code: 'STOPPED', text: 'The member stopped all payouts', since: stopped }]
  if (until === null || until <= now) return []
  return [{ code: 'RESTS', text: 'Payouts of the member are on hold', until }]
}

/** Tab on the member's page with the details of a warning. */
const TABS: Readonly<Record<string, string>> = {
  NEW_ADDRESS: 'ledger',
  LOOKALIKE: 'ledger',
  MANY: 'ledger',
  DAY_LIMIT: 'ledger',
  RESET: 'sessions',
  RESTS: 'sessions',
  STOPPED: 'sessions',
  FRESH: 'timeline',
  BLOCKED: 'timeline',
}

function withSubject(sign: QueueSign, { public_id: id }: Member): QueueSign {
  if (sign.code === 'SCREENING') return { ...sign, href: `/staff/screening?member=${id}` }
  if (sign.code === 'TRACE') return { ...sign, href: `/staff/linked-accounts?member=${id}` }
  const tab = TABS[sign.code]
  return tab === undefined ? sign : { ...sign, href: `/staff/members/${id}/${tab}` }
}

/** Lists warnings about a request and its member. */
export function signsOf(row: Request, context: RequestContext): QueueSign[] {
  const { people, traced, screened, now } = context
  const signs: QueueSign[] = row.queue === 'deposits' ? row.reviews.map((text) => ({ code: 'REVIEW', text })) : payoutSigns(row, context)
  const member = people.get(row.memberId)
  if (member === undefined) return signs
  const age = (at: Date) => now.getTime() - at.getTime()
  if (row.queue !== 'deposits') signs.push(...restSign(member, now))
  if (screened.has(row.memberId))
    signs.push({ code: 'SCREENING', text: 'Matches the screening list', detail: 'Nothing is paid until two people have decided' })
  const { password_reset_at: reset, created_at: joined } = member
  if (!member.is_active) signs.push({ code: 'BLOCKED', text: 'The member is blocked' })
  if (reset !== null && age(reset) < FRESH_MS)
    signs.push({
      code: 'RESET',
      text: 'The password was reset in the last three days',
      detail: days(age(reset)),
      since: reset,
      until: freshUntil(reset),
    })
  if (age(joined) < FRESH_MS)
    signs.push({ code: 'FRESH', text: 'The account is less than three days old', since: joined, until: freshUntil(joined) })
  if (traced.has(row.memberId))
    signs.push({
      code: 'TRACE',
      text: 'May be the same person as a sponsor',
      detail: 'Same IP address, browser or payout address',
    })
  return signs.map((sign) => withSubject(sign, member))
}

type Payout = Exclude<Request, { queue: 'deposits' }>

/** Warns if this payout nearly uses up the member's 24-hour limit. */
function daySign({ queue, memberId, amount }: Payout, { day }: RequestContext): QueueSign[] {
  const kind = queue === 'bridges' ? 'bridge' : 'withdrawal'
  const paid = day.paid.find((one) => one.memberId === memberId && one.kind === kind)?.sum ?? 0n
  if (!isNearDayLimit(day, kind, paid + amount)) return []
  const limit = kind === 'bridge' ? day.payoutDayCoin : day.payoutDayUsd
  const detail = `${roundedAmount(paid + amount)} of ${roundedAmount(limit)} ${kind === 'bridge' ? 'coin' : 'USD'} with this one`
  return [{ code: 'DAY_LIMIT', text: 'Close to the 24-hour payout limit of a member', detail }]
}

function payoutSigns(row: Payout, context: RequestContext): QueueSign[] {
  const signs: QueueSign[] = []
  if (row.paidBefore === 0) signs.push({ code: 'NEW_ADDRESS', text: 'First payout to this address' })
  if (row.looksLikeKnown)
    signs.push({
      code: 'LOOKALIKE',
      text: 'The address begins and ends like another one of this member',
      detail: 'Compare it in full with the earlier payouts',
    })
  if (row.isBurst) signs.push({ code: 'MANY', text: 'Three payouts requested within 24 hours' })
  if (row.status === 'PENDING') signs.push(...daySign(row, context))
  return signs
}

/**
 * Lists the checks without findings.
 * @param clearedBy staff member who cleared the member's linked accounts, shown because this is the opinion of one person
 */
export function checksOf(
  row: Request,
  signs: readonly QueueSign[],
  { above, clearedBy, provenBy }: { above: boolean; clearedBy: string | undefined; provenBy: 'key' | 'contract' | undefined },
): string[] {
  const has = (code: string) => signs.some((sign) => sign.code === code)
  const checks: string[] = []
  if (row.queue !== 'deposits' && row.paidBefore > 0)
    checks.push(row.paidBefore === 1 ? 'Address paid once before' : `Address paid ${row.paidBefore} times before`)
  if (provenBy !== undefined) checks.push(provenBy === 'key' ? 'Address proven by its key' : 'Address proven by its contract')
  if (row.queue !== 'deposits' && !has('LOOKALIKE')) checks.push('Not similar to another address')
  if (row.queue !== 'deposits' && !has('DAY_LIMIT')) checks.push('Within the 24-hour limit')
  if (!has('RESET')) checks.push('No password reset in three days')
  if (!has('FRESH')) checks.push('Account older than three days')
  if (!has('TRACE')) checks.push(clearedBy === undefined ? 'Not linked to the upline' : `Linked to the upline, cleared by ${clearedBy}`)
  if (!has('BLOCKED')) checks.push('Member is active')
  if (!above) checks.push('At or below the limit')
  return checks
}
