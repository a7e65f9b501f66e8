import { BOOK_SIZE } from '@tizara/contract/withdrawals-guard'
import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { rateLimitError } from '../../../http/calls/rate-limit.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { lockMember, type Member } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { addressKey, isPayable, type Network } from './address.rules.ts'
import { assertGenuine, entryMac, type ProvenBy, storedEntry } from './address-mac.ts'
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
    .select(storedEntry.as('stored'))
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
  const state = { id, confirmedAt: at, usableFrom: await usableFromOf(tx, at, false), by: null, provenAt: null }
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
      ...(input.proved ? signed(deps, { ...input, memberId: member.id }, state) : {}),
    })
    .execute()
  const data = { name: member.name, address: input.address, waits: !input.proved, at }
  const token = linkToken(deps, { about: 'address', id })
  await enqueueMail(tx, deps, { to: member.email, language: member.language, template: 'payoutAddress', data: { ...data, token } })
  await recordEvent(tx, deps, member.id, { event: 'payout-address', facts: { address: input.address } })
  await auditPayoutAction(tx, deps, by, 'payout.address-add', id)
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

/** Confirmation and proof of an entry. */
interface EntryState {
  /** Public id of the entry. */
  id: string
  confirmedAt: Date | null
  usableFrom: Date | null
  by: ProvenBy | null
  provenAt: Date | null
}

/** Returns the columns of a confirmation and a proof, with their MAC. Only this function sets them. */
function signed(
  { config }: Pick<Deps, 'config'>,
  target: { memberId: bigint; network: number; address: string },
  { id, confirmedAt, usableFrom, by, provenAt }: EntryState,
) {
  const [confirmed, usable, proven] = [confirmedAt, usableFrom, provenAt].map((time) => time?.getTime() ?? null)
  const state = { id, confirmedAt: confirmed ?? null, usableFrom: usable ?? null, by, at: proven ?? null }
  const entry_mac = entryMac(config, target, state)
  return { confirmed_at: confirmedAt, usable_from: usableFrom, proven_by: by, proven_at: provenAt, entry_mac }
}

/** Returns the end of the delay after a confirmation. A proof shortens it if the settings allow that. */
async function usableFromOf(tx: Tx, confirmedAt: Date, isProven: boolean): Promise<Date> {
  const { addressDelayHours, provenDelayHours } = await currentSettings(tx, confirmedAt)
  const hours = isProven ? Math.min(addressDelayHours, provenDelayHours) : addressDelayHours
  return new Date(confirmedAt.getTime() + hours * HOUR_MS)
}

/** Reads an entry of a member's book. @throws AppError NOT_FOUND, ADDRESS_FORGED */
async function ownEntry(tx: Tx, { config }: Pick<Deps, 'config'>, memberId: bigint, id: string) {
  const found = await tx
    .selectFrom('payout_address as a')
    .select(['id as rowId', 'public_id as id', 'network', 'address', 'member_id as memberId', 'confirmed_at as confirmedAt'])
    .select(['usable_from as usableFrom', 'proven_by as by', 'proven_at as provenAt', storedEntry.as('stored')])
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('NOT_FOUND')
  assertGenuine(config, found, found.stored)
  return { ...found, by: found.by as ProvenBy | null }
}

/**
 * Stores the proof of an entry. A proven entry has a shorter delay if the settings allow it. The caller has locked the member.
 * @throws AppError NOT_FOUND, ADDRESS_FORGED
 */
export async function setProof(tx: Tx, deps: Deps, memberId: bigint, { id, by }: { id: string; by: ProvenBy }): Promise<void> {
  const at = deps.clock.now()
  const entry = await ownEntry(tx, deps, memberId, id)
  const { confirmedAt, usableFrom } = entry
  const shortened = confirmedAt === null ? null : await usableFromOf(tx, confirmedAt, true)
  const earlier = shortened !== null && usableFrom !== null && shortened < usableFrom ? shortened : usableFrom
  await tx
    .updateTable('payout_address')
    .set(signed(deps, entry, { ...entry, usableFrom: earlier, by, provenAt: at }))
    .where('id', '=', entry.rowId)
    .execute()
}

/**
 * Confirms an address and starts its delay. A confirmed address does not change.
 * @throws AppError NOT_FOUND, PAYOUTS_STOPPED, ADDRESS_FORGED
 */
export async function confirmAddress(tx: Tx, deps: Deps, by: BookActor, id: string): Promise<void> {
  const at = deps.clock.now()
  assertNotStopped(await lockMember(tx, by.memberId))
  const entry = await ownEntry(tx, deps, by.memberId, id)
  if (entry.confirmedAt !== null) return
  const usableFrom = await usableFromOf(tx, at, entry.by !== null)
  await tx
    .updateTable('payout_address')
    .set(signed(deps, entry, { ...entry, confirmedAt: at, usableFrom }))
    .where('id', '=', entry.rowId)
    .execute()
  await auditPayoutAction(tx, deps, by, 'payout.address-confirm', id)
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
  await auditPayoutAction(tx, deps, by, 'payout.address-remove', id)
}

/** Writes a member's payout action to the audit log. Call it last in the transaction. */
export async function auditPayoutAction(tx: Tx, deps: Pick<Deps, 'clock'>, by: BookActor, action: string, id: string): Promise<void> {
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
