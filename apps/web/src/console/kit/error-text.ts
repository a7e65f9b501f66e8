import { toApiError } from '../../lib/http/api.ts'

/** Returns the first error that the server reports. */
export const errorTextOf = (error: unknown): string => {
  const { errorMessages, message } = toApiError(error)
  return errorMessages[0]?.message ?? message
}
