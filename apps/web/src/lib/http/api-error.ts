import type { FieldError } from '@tizara/contract'
import { errorText, t } from '@tizara/languages'

/** Default message for errors without text (EN-04). */
const defaultMessage = (): string => t('Something went wrong')

export interface Failure {
  statusCode?: number | undefined
  message?: string | undefined
  errorMessages?: FieldError[] | undefined
  fromServer?: boolean | undefined
  unreadable?: boolean | undefined
}

/** Common form for every failed call (EN-04, EN-05, ER-06, ER-07). */
export class ApiError extends Error {
  /** HTTP status; 500 if unknown. */
  readonly statusCode: number
  /** Errors per field; empty if none. */
  readonly errorMessages: FieldError[]
  readonly success = false
  /** False for network failures and timeouts. */
  readonly fromServer: boolean
  /** The server reported success, but the body does not match any schema (ER-09). */
  readonly unreadable: boolean
  /** Message from the server; undefined if it sent none and `message` is the default. */
  readonly serverMessage: string | undefined

  constructor(failure: Failure = {}) {
    super(failure.message ?? defaultMessage())
    this.name = 'ApiError'
    this.statusCode = failure.statusCode ?? 500
    this.errorMessages = failure.errorMessages ?? []
    this.fromServer = failure.fromServer ?? false
    this.unreadable = failure.unreadable ?? false
    this.serverMessage = failure.message
  }
}

/** Converts any thrown value to an ApiError. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new ApiError()
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function readFieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) =>
    isRecord(item) && typeof item['message'] === 'string'
      ? [{ path: typeof item['path'] === 'string' ? item['path'] : '', message: t(item['message']) }]
      : [],
  )
}

/**
 * Builds the error for a response.
 * @param status HTTP status; a 2xx with `success: false` counts as 400 (API-16)
 * @param headers the response's; they name the error and its values, so that the app can translate the message
 */
export function failureOf(status: number, body: unknown, headers = new Headers()): ApiError {
  const translate = (message: string): string => errorText(message, headers.get('Error-Code'), headers.get('Error-Values'))
  const fields = isRecord(body) ? body : {}
  const stated = typeof fields['statusCode'] === 'number' && fields['statusCode'] >= 400 ? fields['statusCode'] : undefined
  return new ApiError({
    statusCode: status >= 400 ? status : (stated ?? 400),
    message: typeof fields['message'] === 'string' && fields['message'] !== '' ? translate(fields['message']) : undefined,
    errorMessages: readFieldErrors(fields['errorMessages']),
    fromServer: true,
  })
}
