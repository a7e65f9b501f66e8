import { BOOK_SIZE } from '@tizara/contract/withdrawals-guard'
import { sql } from 'kysely'
import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { rateLimitError } from '../../../http/calls/rate-limit.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { lockMember, type Member } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { currentSettings, type Settings } from '../../settings/index.ts'
import { addressKey, isPayable, type Network } from './address.rules.ts'
import { provenBy, storedProof } from './address-proof-mac.ts'
import { linkToken } from '../confirmation/payout-token.ts'

const HOUR_MS = 3_600_000

/** Actor for the audit log. */
export interface BookActor {
  memberId: bigint
  ip?: string | undefined
  requestId?: string | undefined
}

/**
 * Rejects while payouts are stopped. A confirmation during a stop would pay an attacker after payouts resume.
 * @throws AppError PAYOUTS_STOPPED
 */
export function assertNotStopped(owner: Pick<Member, 'payouts_stopped_at'> | undefined): void {
  if (owner !== undefined && owner.payouts_stopped_at !== null) throw new AppError('PAYOUTS_STOPPED')
}

/** Lists a member's addresses, oldest first. */
export const readBook = (db: Db, memberId: bigint) =>
  db
    .selectFrom('payout_address as a')
    .selectAll()
    .select(storedProof.as('proof'))
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()

/**
 * Adds an address to the book and mails the owner. The mail links to the confirmation and to the stop of payouts.
 * @param input the address, and `proved` if the member has just given a proof
 * @returns its public id
 * @throws AppError INVALID_ADDRESS, ADDRESS_IN_BOOK, ADDRESS_BOOK_FULL, PAYOUTS_STOPPED, TOO_MANY_REQUESTS
 */
export async function addAddress(
  tx: Tx,
  deps: Deps,
  by: BookActor,
  input: { address: string; network: Network; label: string; proved: boolean },
): Promise<string> {
  if (!isPayable(input.address, input.network)) throw new AppError('INVALID_ADDRESS')
  const member = await lockMember(tx, by.memberId)
  if (input.proved) assertNotStopped(member)
  const book = await readBook(tx, member.id)
  const key = addressKey(input.address, input.network)
  if (book.some((entry) => entry.network === input.network && entry.address_key === key)) throw new AppError('ADDRESS_IN_BOOK')
  if (book.length >= BOOK_SIZE) throw new AppError('ADDRESS_BOOK_FULL')
  const at = deps.clock.now()
  await assertRoomToday(tx, member.id, at)
  const id = deps.ids.publicId()
  await tx
    .insertInto('payout_address')
    .values({
      public_id: id,
      member_id: member.id,
      network: input.network,
      address: input.address,
      address_key: key,
      label: input.label,
      created_at: at,
      ...(input.proved ? await confirmedNow(tx, at) : {}),
    })
    .execute()
  const data = { name: member.name, address: input.address, waits: !input.proved, at }
  const token = linkToken(deps, { about: 'address', id })
  await enqueueMail(tx, deps, { to: member.email, language: member.language, template: 'payoutAddress', data: { ...data, token } })
  await recordEvent(tx, deps, member.id, { event: 'payout-address', facts: { address: input.address } })
  await note(tx, deps, by, 'payout.address-add', id)
  return id
}

/** Limits new entries per day. Each sends a mail with a confirmation link, and an attacker could tire the owner with them. */
async function assertRoomToday(tx: Tx, memberId: bigint, at: Date): Promise<void> {
  const added = await tx
    .selectFrom('payout_address')
    .select('created_at')
    .where('member_id', '=', memberId)
    .where('created_at', '>', new Date(at.getTime() - DAY_MS))
    .orderBy('created_at')
    .limit(BOOK_SIZE)
    .execute()
  const [oldest] = added
  if (oldest !== undefined && added.length === BOOK_SIZE) throw rateLimitError(new Date(oldest.created_at.getTime() + DAY_MS), at)
}

async function confirmedNow(tx: Tx, at: Date, isProven = false) {
  const settings = await currentSettings(tx, at)
  return { confirmed_at: at, usable_from: new Date(at.getTime() + delayHoursOf(settings, isProven) * HOUR_MS) }
}

/** Returns the hours from the confirmation of an address until it is usable. */
const delayHoursOf = ({ addressDelayHours, provenDelayHours }: Settings, isProven: boolean): number =>
  isProven ? Math.min(addressDelayHours, provenDelayHours) : addressDelayHours

/** Shortens the delay of a confirmed address that its member has just proven, if the settings allow it. */
export async function shortenDelay(tx: Tx, at: Date, id: string): Promise<void> {
  const hours = delayHoursOf(await currentSettings(tx, at), true)
  await sql`update payout_address set usable_from = least(usable_from, confirmed_at + make_interval(hours => ${hours}))
    where public_id = ${id} and confirmed_at is not null`.execute(tx)
}

/**
 * Confirms an address and starts its delay. A confirmed address does not change.
 * @throws AppError NOT_FOUND, PAYOUTS_STOPPED
 */
export async function confirmAddress(tx: Tx, deps: Deps, by: BookActor, id: string): Promise<void> {
  const at = deps.clock.now()
  assertNotStopped(await lockMember(tx, by.memberId))
  const found = await tx
    .selectFrom('payout_address as a')
    .select(['id', 'confirmed_at', 'network', 'address', 'member_id as memberId', storedProof.as('proof')])
    .where('public_id', '=', id)
    .where('member_id', '=', by.memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('NOT_FOUND')
  if (found.confirmed_at !== null) return
  await tx
    .updateTable('payout_address')
    .set(await confirmedNow(tx, at, provenBy(deps.config, found, found.proof) !== undefined))
    .where('id', '=', found.id)
    .execute()
  await note(tx, deps, by, 'payout.address-confirm', id)
}

/**
 * Removes an address from the book. Payouts to it then require a confirmation.
 * @throws AppError NOT_FOUND
 */
export async function removeAddress(tx: Tx, deps: Deps, by: BookActor, id: string): Promise<void> {
  const removed = await tx
    .updateTable('payout_address')
    .set({ removed_at: deps.clock.now() })
    .where('public_id', '=', id)
    .where('member_id', '=', by.memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (removed.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
  await note(tx, deps, by, 'payout.address-remove', id)
}

/** Writes a member's payout action to the audit log. Call it last in the transaction. */
export async function note(tx: Tx, deps: Pick<Deps, 'clock'>, by: BookActor, action: string, id: string): Promise<void> {
  await recordAudit(tx, {
    at: deps.clock.now(),
    actorId: by.memberId,
    actorRole: 'MEMBER',
    action,
    subject: { type: action.startsWith('payout.address') ? 'payout_address' : 'payout_request', id },
    outcome: 'ok',
    ip: by.ip,
    requestId: by.requestId,
  })
}
