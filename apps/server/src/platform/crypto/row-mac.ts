import { type DataKeys, encrypt, decrypt } from './encrypt.ts'

/** Values of a row protected against changes outside the application. None contains a line break. */
type Facts = readonly (string | number | bigint)[]

/** Returns a MAC over facts. The database does not have its key. */
export const macOf = (keys: DataKeys, purpose: string, facts: Facts): Buffer => encrypt(keys, purpose, facts.join('\n'))

/** Verifies a MAC over facts, also under the other key of a rotation. */
export const isMacOf = (keys: DataKeys, purpose: string, mac: Buffer, facts: Facts): boolean =>
  decrypt(keys, purpose, mac) === facts.join('\n')
