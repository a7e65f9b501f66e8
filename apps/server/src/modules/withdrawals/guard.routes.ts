import * as wire from '@tizara/contract/withdrawals-guard'
import { answer, type Bind, type Caller } from '../../http/calls/bind-route.ts'
import type { Viewer } from '../../http/calls/session-guard.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { assertStepUp, inSession, type Proof } from '../auth/index.ts'
import { type Member, memberById } from '../members/index.ts'
import { addAddress, assertNotStopped, confirmAddress, removeAddress } from './address-book.ts'
import { confirmPayout, isOwnTransfer } from './confirm-payout.ts'
import { readGuard } from './guard.queries.ts'
import { confirmByLink, readPayoutLink, stopByLink } from './payout-link.ts'
import { stepUpToken } from './payout-token.ts'
import { cancelPayout } from './take-back-payout.ts'

const byOf = ({ memberId }: Viewer, { ip, requestId }: Caller) => ({ memberId, ip, requestId })

/** Binds the routes by which members protect their payouts. */
export function guardRoutes(bind: Bind): void {
  bind.read(wire.payoutGuard, async ({ db, deps, viewer }) => answer(await readGuard(db, viewer.memberId, deps.clock.now())))
  bookRoutes(bind)
  requestRoutes(bind)
  linkRoutes(bind)
}

/** Checks the proof before any other work. */
const prove = (db: Db, deps: Deps, { memberId, sessionId }: Viewer, proof: Proof, caller: Caller) =>
  assertStepUp(db, deps, { memberId, sessionId, proof }, caller)

/**
 * Rejects the password as proof for a transfer after a sign-in from a new device, which proved only the password. The mailed link still
 * confirms the transfer.
 * @throws AppError PAYOUT_HELD
 */
function assertProofSuffices(member: Member | undefined, now: Date): void {
  if (member === undefined || member.second_factor || member.payouts_held_for !== 'device') return
  const { payouts_held_until: until } = member
  if (until !== null && until > now) throw new AppError('PAYOUT_HELD', { at: until.toISOString() })
}

function bookRoutes(bind: Bind): void {
  bind.outside(wire.addPayoutAddress, async ({ db, deps, viewer, body, caller }) => {
    const { otp, passkey, password, ...entry } = body
    const proof = { otp, passkey, password }
    const proved = Object.values(proof).some((one) => one !== undefined)
    if (proved) await prove(db, deps, viewer, proof, caller)
    const id = await inSession(db, viewer, (tx) => addAddress(tx, withFrozenClock(deps), byOf(viewer, caller), { ...entry, proved }))
    return answer({ id }, proved ? 'The address is in your book' : 'Please confirm the address by the link that we mailed you')
  })
  bind.outside(wire.confirmPayoutAddress, async ({ db, deps, viewer, params, body, caller }) => {
    await prove(db, deps, viewer, body, caller)
    await inSession(db, viewer, (tx) => confirmAddress(tx, withFrozenClock(deps), byOf(viewer, caller), params.id))
    return answer(null, 'The address is confirmed')
  })
  bind.write(wire.removePayoutAddress, async ({ tx, deps, viewer, params, caller }) => {
    await removeAddress(tx, deps, byOf(viewer, caller), params.id)
    return answer(null, 'The address is out of your book')
  })
}

function requestRoutes(bind: Bind): void {
  bind.outside(wire.provePayout, async ({ db, deps, viewer, body, caller }) => {
    const { otp, passkey, password, ...payout } = body
    await prove(db, deps, viewer, { otp, passkey, password }, caller)
    const member = await memberById(db, viewer.memberId)
    assertNotStopped(member)
    if (payout.kind === 'transfer') assertProofSuffices(member, deps.clock.now())
    return answer({ stepUp: stepUpToken(deps, { memberId: viewer.memberId, sessionId: viewer.sessionId, ...payout }) })
  })
  bind.outside(wire.confirmPayout, async ({ db, deps, viewer, params, body, caller }) => {
    await prove(db, deps, viewer, body, caller)
    if (await isOwnTransfer(db, viewer.memberId, params.id)) assertProofSuffices(await memberById(db, viewer.memberId), deps.clock.now())
    await inSession(db, viewer, (tx) => confirmPayout(tx, withFrozenClock(deps), byOf(viewer, caller), { id: params.id, how: 'page' }))
    return answer(null, 'Confirmed')
  })
  bind.write(wire.cancelPayout, async ({ tx, deps, viewer, params, caller }) => {
    await cancelPayout(tx, deps, byOf(viewer, caller), params.id)
    return answer(null, 'Cancelled')
  })
}

/** Binds the mailed link without a session: a robbed member may have lost the account. */
function linkRoutes(bind: Bind): void {
  bind.read(wire.payoutLink, async ({ db, deps, caller }) => answer(await readPayoutLink(db, deps, caller.token)))
  bind.write(wire.confirmByLink, async ({ tx, deps, caller: { token, ip, requestId } }) => {
    await confirmByLink(tx, deps, token, { ip, requestId })
    return answer(null, 'Confirmed')
  })
  bind.write(wire.stopByLink, async ({ tx, deps, caller: { token, ip, requestId } }) =>
    answer(await stopByLink(tx, deps, token, { ip, requestId }), 'All payouts of your account are stopped'),
  )
}
