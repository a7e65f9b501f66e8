import * as v from 'valibot'
import { answerId, email, idParams, line, moment } from './fields.ts'
import { factorCode, givenPassword, passkeyAnswer } from './proof.ts'
import { nothing, memberAct, memberRead, route } from './route.ts'

/**
 * Passkeys (WebAuthn): a second factor for members and staff. A passkey requires an authenticator app, replaces the app's code at sign-in,
 * and is removed together with the app.
 */

/** Maximum passkeys per account. */
export const PASSKEYS_MAX = 10

/** Requires a fresh authenticator code or a recovery code; a password is not enough. */
const proof = { otp: v.optional(factorCode) }
const name = line(60)
const challenge = v.object({ challengeId: v.string(), options: v.unknown() })
const PROOF_ERRORS = ['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_REFUSED', 'SECOND_FACTOR_OFF'] as const

export const listPasskeys = memberRead({
  name: 'listPasskeys',
  path: '/auth/passkeys',
  summary: "Lists the account's passkeys, oldest first. `synced` passkeys are available on several devices.",
  reply: v.array(v.object({ id: answerId, name: v.string(), createdAt: moment, lastUsedAt: v.nullable(moment), synced: v.boolean() })),
})

export const beginPasskey = memberAct({
  name: 'beginPasskey',
  path: '/auth/passkeys/begin',
  limited: true,
  summary: 'Starts the registration of a passkey with a code of the authenticator app. Returns the options for the browser.',
  body: v.strictObject(proof),
  reply: challenge,
  errors: [...PROOF_ERRORS, 'PASSKEYS_FULL'],
})

export const addPasskey = memberAct({
  name: 'addPasskey',
  path: '/auth/passkeys',
  limited: true,
  summary: 'Registers the passkey that the browser created in this session. The member gets a mail.',
  body: v.strictObject({ name, ...passkeyAnswer }),
  reply: v.object({ id: answerId }),
  errors: ['PASSKEY_REFUSED', 'PASSKEYS_FULL'],
})

export const renamePasskey = route({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/auth/passkeys/:id',
  access: 'member',
  limited: true,
  summary: 'Renames a passkey. Requires a code of the authenticator app.',
  params: idParams,
  body: v.strictObject({ name, ...proof }),
  reply: nothing,
  errors: ['NOT_FOUND', ...PROOF_ERRORS],
})

export const removePasskey = memberAct({
  name: 'removePasskey',
  path: '/auth/passkeys/:id/remove',
  limited: true,
  summary: 'Removes a passkey. Requires a code of the authenticator app.',
  params: idParams,
  body: v.strictObject(proof),
  reply: nothing,
  errors: ['NOT_FOUND', ...PROOF_ERRORS],
})

export const challengePasskey = memberAct({
  name: 'challengePasskey',
  path: '/auth/passkeys/challenge',
  limited: true,
  summary: 'Creates a challenge for step-up with a passkey instead of a code: for a payout or an address, in this session.',
  reply: challenge,
  errors: ['NO_PASSKEY'],
})

export const beginPasskeySignIn = route({
  name: 'beginPasskeySignIn',
  method: 'POST',
  path: '/auth/passkey/begin',
  access: 'public',
  limited: true,
  summary: 'Creates a challenge for a sign-in with a passkey after the password.',
  body: v.object({ email, password: givenPassword }),
  reply: challenge,
  errors: ['LOGIN_REFUSED', 'ACCOUNT_BLOCKED', 'NO_PASSKEY'],
})

export const passkeyLogin = route({
  name: 'passkeyLogin',
  method: 'POST',
  path: '/auth/passkey/login',
  access: 'public',
  limited: true,
  summary: 'Signs in with password and passkey, on both sign-in pages. Otherwise like `login`.',
  body: v.object({ email, password: givenPassword, ...passkeyAnswer }),
  reply: v.object({ token: v.string(), user: v.object({ isVerified: v.boolean() }) }),
  errors: ['LOGIN_REFUSED', 'ACCOUNT_BLOCKED', 'PASSKEY_REFUSED'],
})
