import type { BodyOf } from '@tizara/contract'
import { passkeyLogin } from '@tizara/contract/passkeys'
import * as v from 'valibot'
import { ApiError } from './api-error.ts'

/** The answer of a passkey as the calls take it. */
export type PasskeyAnswer = Pick<BodyOf<typeof passkeyLogin>, 'challengeId' | 'credential'>

/** Said where the browser gave no answer: nobody chose a key, or none of this address is there. */
export const NO_ANSWER = 'No passkey was used. Please try again, or type the code of your authenticator app.'

/** The browser closed its own dialog without an answer, or has no key for this address; nothing was sent. */
export class NoPasskeyAnswer extends ApiError {
  constructor() {
    super({ statusCode: 400, message: NO_ANSWER, fromServer: true })
  }
}

type Challenge = { challengeId: string; options: unknown }
type Options = PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON

async function answerOf(
  { challengeId, options }: Challenge,
  ask: (options: Options) => Promise<Credential | null>,
): Promise<PasskeyAnswer> {
  const given = await ask(options as Options).catch(() => null)
  if (!(given instanceof PublicKeyCredential)) throw new NoPasskeyAnswer()
  return { challengeId, credential: v.parse(passkeyLogin.body.entries.credential, given.toJSON()) }
}

/** Lets the browser make a key. @throws NoPasskeyAnswer */
export const makePasskey = (challenge: Challenge): Promise<PasskeyAnswer> =>
  answerOf(challenge, async (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )

/** Lets the browser show a key that it has. @throws NoPasskeyAnswer */
export const showPasskey = (challenge: Challenge): Promise<PasskeyAnswer> =>
  answerOf(challenge, async (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))
