import { beginPasskeySignIn, passkeyLogin } from '@tizara/contract/passkeys'
import { call } from '../lib/http/api.ts'
import { NoPasskeyAnswer, noPasskeyText, showPasskey } from '../lib/proofs/passkey.ts'
import { toast } from '../ui/toast-store.ts'
import { showSignInFailure } from './sign-in-flow.ts'

/**
 * Signs in by password and passkey.
 * @returns the server's data; undefined after a failure, which was shown
 */
export async function askPasskey({ email, password }: { email: string; password: string }) {
  try {
    const { data: challenge } = await call(beginPasskeySignIn, { body: { email, password } })
    const answer = await showPasskey(challenge)
    return (await call(passkeyLogin, { body: { email, password, ...answer } })).data
  } catch (error) {
    if (error instanceof NoPasskeyAnswer) toast(noPasskeyText(), { tone: 'danger' })
    else showSignInFailure(error)
    return undefined
  }
}
