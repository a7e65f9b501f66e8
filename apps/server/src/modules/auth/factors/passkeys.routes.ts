import * as wire from '@tizara/contract/passkeys'
import { answer, type Bind, type Caller } from '../../../http/calls/bind-route.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { memberById } from '../../members/index.ts'
import { challengePasskeys } from './passkey-sign-in.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './passkeys.ts'
import { type OpenedSession, originOf } from '../sessions/sessions.ts'
import { signInOrigin } from '../sessions/session-cookies.ts'
import { beginPasskeySignIn, signIn } from '../sign-in.ts'

/** Binds the passkey routes: add, rename, remove and sign in. */
export function passkeyRoutes(bind: Bind, handOver: (caller: Caller, deps: Deps, session: OpenedSession) => { token: string }): void {
  bind.read(wire.listPasskeys, async ({ db, viewer }) => answer(await listPasskeys(db, viewer.memberId)))
  bind.withoutTransaction(wire.beginPasskey, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) =>
    answer(await beginPasskey(db, deps, { memberId, sessionId, proof: body }, originOf(caller))),
  )
  bind.withoutTransaction(wire.addPasskey, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) =>
    answer({ id: await addPasskey(db, deps, { memberId, sessionId, ...body }, originOf(caller)) }, 'The passkey is added'),
  )
  bind.withoutTransaction(wire.renamePasskey, async ({ db, deps, viewer: { memberId, sessionId }, params, body, caller }) => {
    const { name, ...proof } = body
    await renamePasskey(db, deps, { memberId, sessionId, id: params.id, name, proof }, originOf(caller))
    return answer(null, 'The passkey has its new name')
  })
  bind.withoutTransaction(wire.removePasskey, async ({ db, deps, viewer: { memberId, sessionId }, params, body, caller }) => {
    await removePasskey(db, deps, { memberId, sessionId, id: params.id, proof: body }, originOf(caller))
    return answer(null, 'The passkey is removed')
  })
  bind.withoutTransaction(wire.challengePasskey, async ({ db, deps, viewer: { memberId, sessionId } }) => {
    const member = await memberById(db, memberId)
    if (member === undefined) throw new AppError('UNAUTHENTICATED')
    return answer(await challengePasskeys(db, deps, member, { purpose: 'show', sessionId }))
  })
  bind.withoutTransaction(wire.beginPasskeySignIn, async ({ db, deps, body, caller }) =>
    answer(await beginPasskeySignIn(db, deps, body, originOf(caller))),
  )
  bind.withoutTransaction(wire.passkeyLogin, async ({ db, deps, body, caller }) => {
    const { challengeId, credential, ...credentials } = body
    const session = await signIn(db, deps, { ...credentials, passkey: { challengeId, credential } }, signInOrigin(caller, deps))
    return answer({ ...handOver(caller, deps, session), user: { isVerified: session.isVerified } }, 'Login successfull')
  })
}
