import { type ErrorCode, type FieldError, errorCatalogue, errorMessage } from '@tizara/contract'

/**
 * Refusal of a call by the rules. A use case throws the error, which rolls the transaction back; http/calls/error-reply.ts turns the error
 * into a response.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  /** Values in the words of the refusal. */
  readonly values: Readonly<Record<string, string>>
  readonly fieldErrors: FieldError[]
  /** Seconds until a retry may succeed (`Retry-After`). */
  retryAfter?: number

  constructor(code: ErrorCode, values: Record<string, string> = {}, fieldErrors: FieldError[] = []) {
    super(errorMessage(code, values))
    this.name = 'AppError'
    this.code = code
    this.statusCode = errorCatalogue[code].status
    this.values = values
    this.fieldErrors = fieldErrors
  }
}

/**
 * Unwraps the single result of a batch use case.
 * @throws AppError its refusal
 */
export function unwrapSingle<T>(results: readonly (T | AppError)[]): T {
  const [result] = results
  if (result === undefined || result instanceof AppError) throw result ?? new AppError('INTERNAL')
  return result
}

/**
 * Runs a batch over the accepted inputs.
 * @returns one entry per input, in order: the result, or the input's refusal
 */
export async function forEachOk<In, Out>(
  inputs: readonly (In | AppError)[],
  work: (allowed: In[]) => Promise<readonly (Out | AppError)[]>,
): Promise<(Out | AppError)[]> {
  const allowed = okValues(inputs)
  const results = allowed.length === 0 ? [] : await work(allowed)
  if (results.length !== allowed.length) throw new Error(`${allowed.length} inputs got ${results.length} results`)
  const next = results.values()
  return mapOk(inputs, () => next.next().value as Out | AppError)
}

/**
 * Returns the results of a batch in which no input may be refused.
 * @throws AppError the first refusal
 */
export function unwrapAll<T>(results: readonly (T | AppError)[]): T[] {
  return results.map((one) => unwrapSingle([one]))
}

/** Maps the values and passes refusals unchanged. */
export const mapOk = <In, Out>(list: readonly (In | AppError)[], map: (one: In) => Out | AppError): (Out | AppError)[] =>
  list.map((one) => (one instanceof AppError ? one : map(one)))

/** Combines each input with its result, in order. A refusal on either side wins. */
export function zipOk<In, Result, Out>(
  inputs: readonly (In | AppError)[],
  results: readonly (Result | AppError)[],
  join: (one: In, result: Result) => Out,
): (Out | AppError)[] {
  if (results.length !== inputs.length) throw new Error(`${inputs.length} inputs got ${results.length} results`)
  return results.map((result, index) => {
    const one = inputs[index] as In | AppError
    if (one instanceof AppError) return one
    return result instanceof AppError ? result : join(one, result)
  })
}

export const okValues = <T>(results: readonly (T | AppError)[]): T[] => results.filter((one): one is T => !(one instanceof AppError))
