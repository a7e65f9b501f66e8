import { t } from '@tizara/languages'
import { toApiError } from '../../lib/http/api.ts'

/** Returns the form error for a refused account edit; a 401 has already redirected to sign-in. */
export function rejectionText(thrown: unknown): string {
  const error = toApiError(thrown)
  if (!error.fromServer) return t('No answer arrived. Please check your connection and try again.')
  return error.message
}
