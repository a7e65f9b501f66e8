import { t } from '@tizara/languages'
import { ApiError } from '../http/api-error.ts'

/** Thrown on access to a row's unreadable key, so that no wrong figure is shown. */
export class Unreadable extends ApiError {
  constructor(key: string) {
    super({ statusCode: 422, message: t('{value} cannot be read', { value: key }), fromServer: true, unreadable: true })
  }
}

/** A class instance, so that no code copies it and reads every key. */
export class DamagedRow {
  get [Symbol.toStringTag](): string {
    return 'DamagedRow'
  }
}

/** Returns `read()`, or `otherwise` if it hits an unreadable value. */
export function readOr<T, F>(read: () => T, otherwise: F): T | F {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return otherwise
    throw error
  }
}

/** Splits rows into complete and damaged ones, for purchases and calculations, which need complete rows. */
export function partRows<Row extends object>(rows: readonly Row[]): { whole: Row[]; damaged: Row[] } {
  return { whole: rows.filter((row) => !(row instanceof DamagedRow)), damaged: rows.filter((row) => row instanceof DamagedRow) }
}
