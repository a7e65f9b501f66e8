import { toApiError } from '../../lib/api.ts'

/** Returns the first error that the server reports. */
export const errorTextOf = (error: unknown): string => {
  const { errorMessages, message } = toApiError(error)
  return errorMessages[0]?.message ?? message
}
