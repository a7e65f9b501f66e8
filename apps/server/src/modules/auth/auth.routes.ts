import * as wire from '@tizara/contract/auth'
import { answer, type Bind, type Caller } from '../../http/calls/bind-route.ts'
import { requestLanguage } from '../../platform/config/languages.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts'
import { changePassword } from './passwords/change-password.ts'
import type { StopPayouts } from './account/change-email.ts'
import { contactRoutes } from './account/contact-details.routes.ts'
import { passkeyRoutes } from './factors/passkeys.routes.ts'
import { logOut } from './sessions/log-out.ts'
import { endOwnSession, listSessions } from './sessions/own-sessions.ts'
import {
  clearRefreshCookie,
  isOwnPage,
  readDeviceCookie,
  readRefreshCookie,
  setDeviceCookie,
  setRefreshCookie,
  signInOrigin,
} from './sessions/session-cookies.ts'
import { countRecoveryCodes } from './factors/recovery-codes.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { register } from './registration/register.ts'
import { renewRecoveryCodes } from './factors/renew-recovery-codes.ts'
import { requestReset, resetPassword } from './passwords/reset-password.ts'
import { beginSecondFactor, confirmSecondFactor, disableSecondFactor } from './factors/second-factor.ts'
import { originOf, type OpenedSession } from './sessions/sessions.ts'
import { signIn } from './sign-in.ts'
import { resendCode, verifyByCode, verifyByLink } from './registration/verify-email.ts'

/** Returns a new session: refresh token and device token in cookies, the access token in the response (API-21). */
function handOver(caller: Caller, deps: Deps, session: OpenedSession): { token: string } {
  setRefreshCookie(caller.reply, deps.config, session.refreshToken)
  const known = readDeviceCookie(caller.request, deps.config)
  setDeviceCookie(caller.reply, deps.config, session.deviceToken === undefined ? known : [session.deviceToken, ...known])
  return { token: session.accessToken }
}

/** Binds the routes for sign-up, sign-in, recovery, sessions, the second factor, and changes of contact details. */
export function authRoutes(bind: Bind, stopPayouts: StopPayouts): void {
  bindSignUp(bind)
  bindSignIn(bind)
  bindRecovery(bind)
  bindSessions(bind)
  bindSecondFactor(bind)
  passkeyRoutes(bind, handOver)
  apiKeyRoutes(bind)
  contactRoutes(bind, stopPayouts)
}

function bindSignUp(bind: Bind): void {
  bind.withoutTransaction(wire.register, async ({ db, deps, body, caller }) => {
    const { cookies, headers } = caller.request
    const language = requestLanguage(deps.config, cookies['language'], headers['accept-language'])?.language
    const session = await register(db, deps, { ...body, language }, signInOrigin(caller, deps))
    return answer(handOver(caller, deps, session), 'Please check your mail and confirm your registration')
  })
  bind.withoutTransaction(wire.verifyToken, async ({ db, deps, viewer, body, caller }) => {
    const session = await verifyByCode(db, deps, { memberId: viewer.memberId, code: body.token }, signInOrigin(caller, deps))
    return answer(handOver(caller, deps, session), 'User Verified')
  })
  bind.withoutTransaction(wire.verifyLink, async ({ db, deps, caller }) => {
    const session = await verifyByLink(
      db,
      deps,
      { token: caller.token, refresh: readRefreshCookie(caller.request, deps.config) },
      signInOrigin(caller, deps),
    )
    return answer(handOver(caller, deps, session), 'User Verified')
  })
  bind.write(wire.resendOtp, async ({ tx, deps, viewer, caller }) => {
    await resendCode(tx, deps, viewer, originOf(caller))
    return answer(null, 'Otp Send')
  })
}

function bindSignIn(bind: Bind): void {
  for (const route of [wire.login, wire.userLogin]) {
    bind.withoutTransaction(route, async ({ db, deps, body, caller }) => {
      const session = await signIn(db, deps, body, signInOrigin(caller, deps))
      return answer({ ...handOver(caller, deps, session), user: { isVerified: session.isVerified } }, 'Login successfull')
    })
  }
  bind.withoutTransaction(wire.refreshToken, async ({ db, deps, caller }) => {
    const refreshed = await refreshSession(db, deps, readRefreshCookie(caller.request, deps.config), originOf(caller))
    if (refreshed.refreshToken !== undefined) setRefreshCookie(caller.reply, deps.config, refreshed.refreshToken)
    return answer({ accessToken: refreshed.accessToken })
  })
  bind.write(wire.logOut, async ({ tx, deps, caller }) => {
    await logOut(tx, deps, { access: caller.token, refresh: readRefreshCookie(caller.request, deps.config) }, originOf(caller))
    if (isOwnPage(caller.request, deps.config)) clearRefreshCookie(caller.reply, deps.config)
    return answer(null, 'Logged out')
  })
}

function bindRecovery(bind: Bind): void {
  bind.write(wire.forgotPassword, async ({ tx, deps, body, caller }) => {
    await requestReset(tx, deps, body.email, originOf(caller))
    return answer(null, 'Password reset email sent successfully')
  })
  bind.withoutTransaction(wire.resetPassword, async ({ db, deps, body, caller }) => {
    await resetPassword(db, deps, { token: caller.token, newPassword: body.newPassword }, originOf(caller))
    return answer(null, 'Account recovered')
  })
  bind.withoutTransaction(wire.changePassword, async ({ db, deps, viewer, body, caller }) => {
    await changePassword(db, deps, { ...viewer, ...body }, originOf(caller))
    return answer(null, 'Password changed')
  })
}

function bindSessions(bind: Bind): void {
  bind.read(wire.listSessions, async ({ db, deps, viewer }) => answer(await listSessions(db, viewer, deps.clock.now())))
  bind.write(wire.endSession, async ({ tx, deps, viewer, params, caller }) => {
    await endOwnSession(tx, deps, { memberId: viewer.memberId, id: params.id }, originOf(caller))
    return answer(null, 'Session ended')
  })
}

function bindSecondFactor(bind: Bind): void {
  bind.withoutTransaction(wire.beginTotp, async ({ db, deps, viewer: { memberId, sessionId }, body: { password }, caller }) =>
    answer(await beginSecondFactor(db, deps, { memberId, sessionId, password }, originOf(caller))),
  )
  bind.withoutTransaction(wire.confirmTotp, async ({ db, deps, viewer, body, caller }) => {
    const input = { memberId: viewer.memberId, sessionId: viewer.sessionId, otp: body.otp }
    const recoveryCodes = await confirmSecondFactor(db, deps, input, originOf(caller))
    return answer({ recoveryCodes }, 'The authenticator app is set up')
  })
  bind.withoutTransaction(wire.disableTotp, async ({ db, deps, viewer, body, caller }) => {
    const input = { memberId: viewer.memberId, sessionId: viewer.sessionId, password: body.password, otp: body.otp }
    await disableSecondFactor(db, deps, input, originOf(caller))
    return answer(null, 'The authenticator app is switched off')
  })
  bind.read(wire.countRecoveryCodes, async ({ db, viewer }) => answer({ unused: await countRecoveryCodes(db, viewer.memberId) }))
  bind.withoutTransaction(wire.renewRecoveryCodes, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) => {
    const recoveryCodes = await renewRecoveryCodes(db, deps, { memberId, sessionId, proof: body }, originOf(caller))
    return answer({ recoveryCodes }, 'The recovery codes are renewed')
  })
}
