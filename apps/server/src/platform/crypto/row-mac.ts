import { type DataKeys, encrypt, decrypt } from './encrypt.ts'

/** Values of a row that the MAC protects against changes outside the application. A value must not contain a line break. */
type Facts = readonly (string | number | bigint)[]

/** Returns a MAC over a row's values. The key is not in the database. */
export const macOf = (keys: DataKeys, purpose: string, facts: Facts): Buffer => encrypt(keys, purpose, facts.join('\n'))

/** Verifies a MAC over a row's values with the current or the previous key. */
export const isMacOf = (keys: DataKeys, purpose: string, mac: Buffer, facts: Facts): boolean =>
  decrypt(keys, purpose, mac) === facts.join('\n')

/** Serializes JSON with sorted keys, because the database reorders keys. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
