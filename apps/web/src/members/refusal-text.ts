import { toApiError } from '../lib/api.ts'

/** What a refused change of the account says above its form; a 401 has already led to the sign-in page. */
export function refusalText(thrown: unknown): string {
  const error = toApiError(thrown)
  if (!error.fromServer) return 'No answer arrived. Please check your connection and try again.'
  return error.message
}
