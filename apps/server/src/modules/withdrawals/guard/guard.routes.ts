import * as wire from '@tizara/contract/withdrawals-guard'
import { answer, type Bind, type Caller } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertTrustedStepUp, inSession, type Proof } from '../../auth/index.ts'
import { memberById } from '../../members/index.ts'
import { addAddress, assertNotStopped, confirmAddress, removeAddress } from '../addresses/address-book.ts'
import { challengeAddress, recordProof, verifyProof } from '../addresses/address-proof.ts'
import { confirmPayout } from '../confirmation/confirm-payout.ts'
import { readGuard } from './guard.queries.ts'
import { recordRejectedOutflow } from './record-rejected-outflow.ts'
import { confirmByLink, readPayoutLink, stopByLink } from '../confirmation/payout-link.ts'
import { stepUpToken } from '../confirmation/payout-token.ts'
import { cancelPayout } from '../cancel-payout.ts'

const byOf = ({ memberId }: Viewer, { ip, requestId }: Caller) => ({ memberId, ip, requestId })

/** Binds the routes by which members protect their payouts. */
export function guardRoutes(bind: Bind): void {
  bind.read(wire.payoutGuard, async ({ db, deps, viewer }) => answer(await readGuard(db, deps, viewer.memberId)))
  bookRoutes(bind)
  requestRoutes(bind)
  linkRoutes(bind)
}

/** Checks the proof before any other work. On a new device without a second factor, the mailed link confirms instead. */
const prove = (db: Db, deps: Deps, { memberId, sessionId }: Viewer, proof: Proof, caller: Caller): Promise<void> =>
  assertTrustedStepUp(db, deps, { memberId, sessionId, proof }, caller)

function bookRoutes(bind: Bind): void {
  bind.withoutTransaction(wire.addPayoutAddress, async ({ db, deps, viewer, body, caller }) => {
    const { otp, passkey, password, ...entry } = body
    const proof = { otp, passkey, password }
    const proved = Object.values(proof).some((one) => one !== undefined)
    if (proved) await prove(db, deps, viewer, proof, caller)
    const id = await inSession(db, viewer, (tx) => addAddress(tx, withFrozenClock(deps), byOf(viewer, caller), { ...entry, proved }))
    return answer({ id }, proved ? 'The address is in your address book' : 'Please confirm the address with the link that we mailed you')
  })
  bind.withoutTransaction(wire.confirmPayoutAddress, async ({ db, deps, viewer, params, body, caller }) => {
    await prove(db, deps, viewer, body, caller)
    await inSession(db, viewer, (tx) => confirmAddress(tx, withFrozenClock(deps), byOf(viewer, caller), params.id))
    return answer(null, 'The address is confirmed')
  })
  bind.write(wire.challengePayoutAddress, async ({ tx, deps, viewer, params, caller }) =>
    answer({ message: await challengeAddress(tx, deps, byOf(viewer, caller), params.id) }),
  )
  bind.withoutTransaction(wire.provePayoutAddress, async ({ db, deps, viewer, params, body: { signature }, caller }) => {
    const proof = await verifyProof(db, deps, viewer.memberId, { id: params.id, signature })
    await inSession(db, viewer, (tx) => recordProof(tx, withFrozenClock(deps), byOf(viewer, caller), proof))
    return answer(null, 'The address is proven')
  })
  bind.write(wire.removePayoutAddress, async ({ tx, deps, viewer, params, caller }) => {
    await removeAddress(tx, deps, byOf(viewer, caller), params.id)
    return answer(null, 'The address is removed from your address book')
  })
}

function requestRoutes(bind: Bind): void {
  bind.withoutTransaction(wire.provePayout, async ({ db, deps, viewer, body, caller }) => {
    const { otp, passkey, password, ...payout } = body
    await prove(db, deps, viewer, { otp, passkey, password }, caller)
    assertNotStopped(await memberById(db, viewer.memberId))
    return answer({ stepUp: stepUpToken(deps, { memberId: viewer.memberId, sessionId: viewer.sessionId, ...payout }) })
  })
  bind.withoutTransaction(wire.confirmPayout, async ({ db, deps, viewer, params, body, caller }) => {
    await prove(db, deps, viewer, body, caller)
    const confirmed = (tx: Tx) => confirmPayout(tx, withFrozenClock(deps), byOf(viewer, caller), { id: params.id, how: 'page' })
    await inSession(db, viewer, confirmed).catch(async (error: unknown) => {
      if (error instanceof AppError) await recordRejectedOutflow({ db, deps, viewer, caller }, error, 'payout.confirm')
      throw error
    })
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
