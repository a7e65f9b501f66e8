import { type DataKeys, seal, unseal } from './seal.ts'

/** Values of a row protected against changes outside the application. None contains a line break. */
type Facts = readonly (string | number | bigint)[]

/** Returns a MAC over facts. The database does not have its key. */
export const sealOf = (keys: DataKeys, purpose: string, facts: Facts): Buffer => seal(keys, purpose, facts.join('\n'))

/** Verifies a MAC over facts, also under the other key of a rotation. */
export const isSealedOf = (keys: DataKeys, purpose: string, sealed: Buffer, facts: Facts): boolean =>
  unseal(keys, purpose, sealed) === facts.join('\n')
