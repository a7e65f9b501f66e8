import type { FieldFault } from '@tizara/contract'

/** The text of a failure that says nothing itself (EN-04). */
const DEFAULT_MESSAGE = 'Something went wrong'

export interface Failure {
  statusCode?: number | undefined
  message?: string | undefined
  errorMessages?: FieldFault[] | undefined
  fromServer?: boolean | undefined
  unreadable?: boolean | undefined
}

/** Any failure of a call in one form (EN-04, EN-05, ER-06, ER-07). */
export class ApiError extends Error {
  /** The HTTP status; 500 when nothing else is known. */
  readonly statusCode: number
  /** Faults of single fields; empty when there are none. */
  readonly errorMessages: FieldFault[]
  readonly success = false
  /** Whether an answer arrived: false for a broken network and for a time-out. */
  readonly fromServer: boolean
  /** The server said yes, in a shape that nobody can read (ER-09). */
  readonly unreadable: boolean
  /** The server's own words; undefined when it sent none and `message` is the default. */
  readonly serverMessage: string | undefined

  constructor(failure: Failure = {}) {
    super(failure.message ?? DEFAULT_MESSAGE)
    this.name = 'ApiError'
    this.statusCode = failure.statusCode ?? 500
    this.errorMessages = failure.errorMessages ?? []
    this.fromServer = failure.fromServer ?? false
    this.unreadable = failure.unreadable ?? false
    this.serverMessage = failure.message
  }
}

/** The same form for anything thrown. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new ApiError()
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function readFaults(value: unknown): FieldFault[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) =>
    isRecord(item) && typeof item['message'] === 'string'
      ? [{ path: typeof item['path'] === 'string' ? item['path'] : '', message: item['message'] }]
      : [],
  )
}

/**
 * The failure that an answer describes.
 * @param status HTTP status of the answer; a 2xx that says `success: false` counts as 400 (API-16)
 */
export function failureOf(status: number, body: unknown): ApiError {
  const said = isRecord(body) ? body : {}
  const stated = typeof said['statusCode'] === 'number' && said['statusCode'] >= 400 ? said['statusCode'] : undefined
  return new ApiError({
    statusCode: status >= 400 ? status : (stated ?? 400),
    message: typeof said['message'] === 'string' && said['message'] !== '' ? said['message'] : undefined,
    errorMessages: readFaults(said['errorMessages']),
    fromServer: true,
  })
}
