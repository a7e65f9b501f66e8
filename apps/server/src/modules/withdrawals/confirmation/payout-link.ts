import type { linkStates } from '@tizara/contract/withdrawals-guard'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { revokeSessionsOf, deleteDevices, type Origin } from '../../auth/index.ts'
import { lockMember, memberById } from '../../members/index.ts'
import { assertNotStopped, confirmAddress, auditPayoutAction, removeAddress } from '../addresses/address-book.ts'
import { confirmPayout } from './confirm-payout.ts'
import { readLinkToken } from './payout-token.ts'
import { auditRevokedApprovals, STOPPED } from './revoke-confirmations.ts'
import { stopPayouts } from './stop-payouts.ts'
import { returnToOwner } from '../cancel-payout.ts'

/** Days during which a mailed link works. */
const LINK_DAYS = 30

type State = (typeof linkStates)[number]
type Caller = Pick<Origin, 'ip' | 'requestId'>

/** Returns the payout or address named by a mailed link. */
async function findSubject(db: Db, deps: Pick<Deps, 'config' | 'clock'>, token: string | undefined) {
  const subject = readLinkToken(deps, token)
  const found =
    subject === undefined ? undefined : await (subject.about === 'payout' ? findPayout(db, subject.id) : findAddress(db, subject.id))
  if (found === undefined || found.createdAt.getTime() + LINK_DAYS * DAY_MS <= deps.clock.now().getTime()) {
    throw new AppError('PAYOUT_LINK_INVALID')
  }
  return found
}

async function findPayout(db: Db, id: string) {
  const row = await db.selectFrom('payout_request').selectAll().where('public_id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const { amount, address, network } = row
  const asset: 'usd' | 'coin' = row.kind === 'bridge' ? 'coin' : 'usd'
  const common = { id, rowId: row.id, memberId: row.member_id, createdAt: row.created_at, address, network }
  return { ...common, about: 'payout' as const, row, amount, asset }
}

async function findAddress(db: Db, id: string) {
  const row = await db.selectFrom('payout_address').selectAll().where('public_id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const { address, network } = row
  return { id, rowId: row.id, memberId: row.member_id, createdAt: row.created_at, address, network, about: 'address' as const, row }
}

function stateOf(found: Awaited<ReturnType<typeof findSubject>>, now: Date): State {
  if (found.about === 'address') {
    if (found.row.removed_at !== null) return 'removed'
    return found.row.confirmed_at === null ? 'waiting' : 'confirmed'
  }
  const { status, confirmed_at: confirmedAt, confirm_by: confirmBy } = found.row
  if (status !== 'PENDING') return status === 'APPROVED' ? 'paid' : 'returned'
  if (confirmedAt !== null) return 'confirmed'
  return confirmBy <= now ? 'expired' : 'waiting'
}

/**
 * Reads the subject and state of a mailed link, without changes, because mail programs open links automatically.
 * @throws AppError PAYOUT_LINK_INVALID
 */
export async function readPayoutLink(db: Db, deps: Deps, token: string | undefined) {
  const found = await findSubject(db, deps, token)
  const owner = await memberById(db, found.memberId)
  const { about, address, network, createdAt } = found
  return {
    about: found.about === 'payout' && found.row.kind === 'transfer' ? ('transfer' as const) : about,
    address,
    network,
    createdAt,
    state: stateOf(found, deps.clock.now()),
    stopped: owner?.payouts_stopped_at !== null,
    ...(found.about === 'payout'
      ? { amount: found.amount, asset: found.asset, confirmBy: found.row.confirm_by }
      : { amount: null, asset: null, confirmBy: null }),
  }
}

/**
 * Confirms the payout or address of a mailed link, unless the member has stopped all payouts.
 * @throws AppError PAYOUT_LINK_INVALID, PAYOUTS_STOPPED, ALREADY_DECIDED, CONFIRMATION_EXPIRED, PAYOUT_CHANGED
 */
export async function confirmByLink(tx: Tx, deps: Deps, token: string | undefined, caller: Caller): Promise<void> {
  const found = await findSubject(tx, deps, token)
  const owner = await lockMember(tx, found.memberId)
  assertNotStopped(owner)
  const by = { memberId: owner.id, ...caller }
  if (found.about === 'payout') await confirmPayout(tx, deps, by, { id: found.id, how: 'link' })
  else if (found.row.removed_at !== null) throw new AppError('ALREADY_DECIDED')
  else await confirmAddress(tx, deps, by, found.id)
}

/**
 * Stops all payouts of a member by a mailed link, in case an attacker requested them. Cancels the payout of the link if still possible. The
 * job returns all other pending payouts, addresses need a new confirmation, sessions end, and all devices count as new. Payouts are
 * possible again after the member resets the password by mail.
 * @returns true if an amount was returned now
 * @throws AppError PAYOUT_LINK_INVALID
 */
export async function stopByLink(tx: Tx, deps: Deps, token: string | undefined, caller: Caller): Promise<{ returned: boolean }> {
  const { about, id, memberId } = await findSubject(tx, deps, token)
  const now = deps.clock.now()
  const owner = await lockMember(tx, memberId)
  const by = { memberId: owner.id, ...caller }
  const waiting = await stopPayouts(tx, owner.id, now)
  const request = waiting.find((row) => row.public_id === id)
  if (request !== undefined) await returnToOwner(tx, deps, request, 'stopped')
  await revokeSessionsOf(tx, owner.id, 'stopped', now)
  await deleteDevices(tx, owner.id)
  if (about === 'address') await removeAddress(tx, deps, by, id).catch(ifGone)
  await auditPayoutAction(tx, deps, by, 'payout.stop', id)
  await auditRevokedApprovals(tx, now, waiting, STOPPED)
  return { returned: request !== undefined }
}

function ifGone(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}
