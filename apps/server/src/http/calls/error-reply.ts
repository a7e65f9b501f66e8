import { type ErrorBody, errorCatalogue, type ErrorCode, type FieldError } from '@tizara/contract'
import type { FastifyError } from 'fastify'
import * as v from 'valibot'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sqlState } from '../../platform/db/database.ts'
import { MalformedJson } from '../server/json.ts'

/** An error answer: status, body, headers, and whether the server logs it as a fault. */
export interface ErrorReply {
  body: ErrorBody
  headers: ErrorHeaders
  unexpected: boolean
  /** Seconds for `Retry-After`. */
  retryAfter?: number | undefined
}

/**
 * Headers of a refusal: the code, and the values in its words, form-encoded. They are headers because the body has exactly four keys
 * (invariant I20, docs/decisions/0066-error-codes.md).
 */
export type ErrorHeaders = Readonly<{ 'Error-Code': ErrorCode; 'Error-Values'?: string }>

const headersOf = (code: ErrorCode, values: Readonly<Record<string, string>> = {}): ErrorHeaders => ({
  // A missing right looks like an unknown address.
  'Error-Code': code === 'STAFF_ONLY' ? 'NOT_FOUND' : code,
  ...(Object.keys(values).length === 0 ? {} : { 'Error-Values': new URLSearchParams(values).toString() }),
})

const body = (statusCode: number, message: string, errorMessages: FieldError[] = []): ErrorBody => ({
  statusCode,
  message,
  errorMessages: errorMessages.length > 0 ? errorMessages : [{ path: '', message }],
  success: false,
})

const known = (error: AppError): ErrorReply => ({
  body: body(error.statusCode, error.message, error.fieldErrors),
  headers: headersOf(error.code, error.values),
  unexpected: false,
  retryAfter: error.retryAfter,
})

const fault = (code: 'BUSY' | 'INTERNAL'): ErrorReply => ({
  body: body(errorCatalogue[code].status, errorCatalogue[code].message),
  headers: headersOf(code),
  unexpected: true,
})

const BUSY = fault('BUSY')

/** Database errors that mean "try again": time-outs, lost connections, a read-only server. */
const BUSY_STATES = /^(55P03|57014|57P0\d|53\d{3}|08[0-9A-Z]{3}|40001|40P01|25P03|25006)$/

/** Values that the database cannot store: a null character, or a number above 64 bits. */
const UNSTORABLE = new Set(['22021', '22P05', '22003'])

/** Converts any error to an error response (EN-04, API-15, invariant I20). The text of an unexpected error is never sent. */
export function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof AppError) return known(error)
  if (error instanceof MalformedJson) return known(new AppError('INVALID_INPUT', {}, [{ path: '', message: error.message }]))
  const state = sqlState(error)
  if (state !== undefined && UNSTORABLE.has(state)) return known(new AppError('INVALID_INPUT'))
  if (state !== undefined && BUSY_STATES.test(state)) return BUSY
  if (isConnectionTrouble(error)) return BUSY
  if (isFastifyError(error)) return fromFastify(error)
  return fault('INTERNAL')
}

/**
 * Creates the refusal for input that fails its schema. The first fault is the message, and errorMessages lists all of them. Texts name
 * the entry and the field of a fault that lies deeper than the body's own fields.
 */
export function invalidInput(issues: readonly v.BaseIssue<unknown>[]): AppError {
  const fieldErrors = issues.slice(0, 20).map((issue) => ({ path: v.getDotPath(issue) ?? '', message: placeOf(issue) + readable(issue) }))
  const error = new AppError('INVALID_INPUT', {}, fieldErrors)
  error.message = fieldErrors[0]?.message ?? error.message
  return error
}

/**
 * Names the entry of a list and the field of a nested fault by the schema's own keys, such as `Rule 2, above: `. Never quotes input.
 * Empty for a fault in one of the body's own fields, whose texts the wire contract defines.
 */
function placeOf(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map(({ key }) => key) ?? []
  // The key of an unknown field is input.
  if (issue.type === 'strict_object' && issue.expected === 'never') keys.pop()
  if (keys.length < 2) return ''
  const index = keys.findLastIndex((key) => typeof key === 'number')
  const entry = keys[index]
  const fields = keys.slice(typeof entry === 'number' ? index + 1 : -1).map(inWords)
  const place = typeof entry === 'number' ? [`${singular(inWords(keys[index - 1]))} ${entry + 1}`, ...fields] : fields
  const text = place.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}: `
}

/** Writes a key of a schema as words: `team stake` for `teamStake`. Another key could be input, and is an entry. */
const inWords = (key: unknown): string =>
  typeof key === 'string' && /^[A-Za-z]{1,40}$/.test(key) ? key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : 'entry'

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')

/** Replaces Valibot's texts, which quote the received value. */
function readable(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.type === 'object' && issue.input === undefined) return 'This field is required'
  if (issue.received === 'undefined') return 'This field is required'
  return /^Invalid (type|key|length|value|format|email|date|ISO)/.test(issue.message) ? 'Invalid value' : issue.message
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

function isConnectionTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const ofNetwork = 'syscall' in error || error instanceof AggregateError
  if (ofNetwork && 'code' in error && UNREACHABLE.test(String(error.code))) return true
  return /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error/.test(
    error.message,
  )
}

/** Returns true if the body was refused by its size or type. */
export const isRejectedBody = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && (error.statusCode === 413 || error.statusCode === 415)

function fromFastify(error: FastifyError): ErrorReply {
  const status = error.statusCode ?? 500
  if (status === 503) return BUSY
  if (status === 413) return known(new AppError('BODY_TOO_LARGE'))
  if (status === 415) return known(new AppError('UNSUPPORTED_MEDIA_TYPE'))
  if (status === 404) return known(new AppError('NOT_FOUND'))
  if (status >= 400 && status < 500) return known(new AppError('INVALID_INPUT'))
  return fault('INTERNAL')
}
