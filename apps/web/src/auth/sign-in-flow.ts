import { inputErrors } from '@tizara/contract/errors'
import { t } from '@tizara/languages'
import { toApiError } from '../lib/http/api.ts'
import { showMessage } from '../ui/message-store.ts'
import { toast } from '../ui/toast-store.ts'
import { messages } from './auth.messages.ts'

/** Shows a refused sign-in: a dialog for 400, a toast for 429, nothing otherwise (ER-01, ER-02, ER-03). */
export function showSignInFailure(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.statusCode === 400) void showMessage({ icon: 'error', title: messages.errorTitle, text: error.message })
  else if (error.statusCode === 429) toast(messages.tooMany, { tone: 'danger' })
}

/** Returns true if the refusal requires an authenticator code, so that the form shows its field instead of a dialog. */
export function asksForAppCode(thrown: unknown): boolean {
  return toApiError(thrown).serverMessage === t(inputErrors.SECOND_FACTOR_REQUIRED.message)
}
