import { type ErrorCode, type FieldFault, errorCatalogue, errorMessage } from '@tizara/contract'

/**
 * A refusal: something the caller asked for that the rules do not allow. Thrown by use cases, turned into an answer
 * once, in http/error-reply.ts. Throwing it inside a transaction rolls the transaction back.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly faults: FieldFault[]
  /** Seconds after which the same call may succeed (`Retry-After`). */
  retryAfter?: number

  /**
   * @param data values for the `{name}` places of its text
   * @param faults the fields at fault, if any
   */
  constructor(code: ErrorCode, data: Record<string, string> = {}, faults: FieldFault[] = []) {
    super(errorMessage(code, data))
    this.name = 'AppError'
    this.code = code
    this.statusCode = errorCatalogue[code].status
    this.faults = faults
  }
}

/**
 * What a use case that does many things at once answers to a single one.
 * @throws AppError its refusal
 */
export function onlyOne<T>(results: readonly (T | AppError)[]): T {
  const [result] = results
  if (result === undefined || result instanceof AppError) throw result ?? new AppError('INTERNAL')
  return result
}
