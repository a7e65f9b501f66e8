import { t } from '@tizara/languages'
import type { BodyOf } from '@tizara/contract'
import { passkeyLogin } from '@tizara/contract/passkeys'
import * as v from 'valibot'
import { ApiError } from '../http/api-error.ts'

/** Passkey response as the API calls expect it. */
export type PasskeyAnswer = Pick<BodyOf<typeof passkeyLogin>, 'challengeId' | 'credential'>

/** Shown when the browser returned no passkey: the member cancelled, or has none for this domain. */
export const noPasskeyText = (): string => t('No passkey was used. Please try again, or type the code of your authenticator app.')

/** The browser closed its dialog without a passkey or has none for this domain; no call was sent. */
export class NoPasskeyAnswer extends ApiError {
  constructor() {
    super({ statusCode: 400, message: noPasskeyText(), fromServer: true })
  }
}

type Challenge = { challengeId: string; options: unknown }
type Options = PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON

async function answerOf(
  { challengeId, options }: Challenge,
  ask: (options: Options) => Promise<Credential | null>,
): Promise<PasskeyAnswer> {
  const answer = await ask(options as Options).catch(() => null)
  if (!(answer instanceof PublicKeyCredential)) throw new NoPasskeyAnswer()
  return { challengeId, credential: v.parse(passkeyLogin.body.entries.credential, answer.toJSON()) }
}

/** Creates a passkey in the browser. @throws NoPasskeyAnswer */
export const makePasskey = (challenge: Challenge): Promise<PasskeyAnswer> =>
  answerOf(challenge, async (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )

/** Gets an assertion from an existing passkey. @throws NoPasskeyAnswer */
export const showPasskey = (challenge: Challenge): Promise<PasskeyAnswer> =>
  answerOf(challenge, async (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))
