import { login } from '@tizara/contract/auth'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../lib/http/api.ts'
import { startSession } from '../lib/http/session.ts'
import { storageKeys, writeStored } from '../lib/http/storage.ts'
import { showMessage } from '../ui/message-store.ts'
import { DIALOG_MS, messages } from './auth.messages.ts'
import { asksForAppCode, showSignInFailure } from './sign-in-flow.ts'

export { SecondStep } from './second-step.tsx'

/** Shows the result, then continues when the dialog closes or after 3 seconds (ST-03 to ST-08). */
async function welcome(isVerified: boolean): Promise<void> {
  await showMessage({ icon: 'success', title: isVerified ? messages.loginDone : messages.notVerified, autoCloseMs: DIALOG_MS })
  navigate(isVerified ? '/dashboard' : '/verify-token')
}

function enter({ token, user }: { token: string; user: { isVerified: boolean } }): void {
  writeStored({ [storageKeys.popupShown]: 'true' })
  startSession(token, user.isVerified)
  void welcome(user.isVerified)
}

/** Signs in with a passkey and continues. */
export async function signInByPasskey(input: { email: string; password: string }): Promise<void> {
  const { askPasskey } = await import('./passkey-sign-in.ts')
  const entered = await askPasskey(input)
  if (entered !== undefined) enter(entered)
}

/**
 * Signs in and continues, or shows the server's message (UI-SIGNIN-09 to UI-SIGNIN-11, ST-09, ST-10).
 * @returns true if the server requires an authenticator code
 */
export async function signIn(input: { email: string; password: string; otp: string }): Promise<boolean> {
  const { otp, ...rest } = input
  try {
    const { data } = await call(login, { body: { ...rest, ...(otp === '' ? {} : { otp }) } })
    enter(data)
    return false
  } catch (error) {
    if (asksForAppCode(error)) return true
    showSignInFailure(error)
    return false
  }
}
