import { ApiError } from './api-error.ts'

/** Thrown where a key of a row is read that the server sent in no readable form: a figure of it must not become another. */
export class Unreadable extends ApiError {
  constructor(key: string) {
    super({ statusCode: 422, message: `${key} cannot be read`, fromServer: true, unreadable: true })
  }
}

/** Not a plain object, so that nothing copies it and reads every key on the way. */
export class DamagedRow {
  get [Symbol.toStringTag](): string {
    return 'DamagedRow'
  }
}

/** What `read` gives; `otherwise` when it meets something that cannot be read. */
export function legibly<T, F>(read: () => T, otherwise: F): T | F {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return otherwise
    throw error
  }
}

/** The rows that can be read whole, and the others: for what is bought or reckoned with, where a part is not enough. */
export function partRows<Row extends object>(rows: readonly Row[]): { whole: Row[]; damaged: Row[] } {
  return { whole: rows.filter((row) => !(row instanceof DamagedRow)), damaged: rows.filter((row) => row instanceof DamagedRow) }
}
