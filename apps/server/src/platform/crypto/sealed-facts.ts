import { type DataKeys, seal, unseal } from './seal.ts'

/** Single values of a row that nobody may change but the house's own processes. None holds a line break. */
type Facts = readonly (string | number | bigint)[]

/** A seal over facts, by a key that the database has not. */
export const sealOf = (keys: DataKeys, purpose: string, facts: Facts): Buffer => seal(keys, purpose, facts.join('\n'))

/** Whether a seal is over these facts, also under the other key of a rotation. */
export const isSealedOf = (keys: DataKeys, purpose: string, sealed: Buffer, facts: Facts): boolean =>
  unseal(keys, purpose, sealed) === facts.join('\n')
