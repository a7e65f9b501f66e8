import { randomBytes } from 'node:crypto'
import argon2, { type Options } from '@node-rs/argon2/index.js'

/** Cost of a test's hash. The product's cost takes 100 times as long. */
const CHEAP = { memoryCost: 64, timeCost: 1 }
const CHEAP_TEXT = 'm=64,t=1'
/** First six bytes of a cheap hash's salt, and their base64 form. Other hashes keep the cost that they name. */
const MARK = Buffer.from('cheap!')
const MARKED = `$${MARK.toString('base64')}`

/**
 * Replaces the library in the server's tests (`vitest.config.ts`), because its hashes took a tenth of the processor time of the tests of
 * `auth`. A cheap hash names the cost that the product asked for.
 */
export async function hash(password: string, options: Options): Promise<string> {
  const salt = options.salt ?? Buffer.concat([MARK, randomBytes(10)])
  const stored = await argon2.hash(password, { ...options, ...CHEAP, salt })
  return stored.replace(CHEAP_TEXT, `m=${options.memoryCost},t=${options.timeCost}`)
}

export const hashRaw = (password: string, options: Options): Promise<Buffer> => argon2.hashRaw(password, { ...options, ...CHEAP })

/** Compares a password with a hash. Hashes of tests are cheap; those of product processes and files name their cost. */
export const verify = (stored: string, password: string): Promise<boolean> =>
  argon2.verify(stored.includes(MARKED) ? stored.replace(/m=\d+,t=\d+/, CHEAP_TEXT) : stored, password)
