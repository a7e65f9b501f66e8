import { hash, hashRaw, verify } from '@node-rs/argon2'
import { compare as compareBcrypt } from 'bcryptjs'
import { AppError } from '../../../platform/runtime/app-error.ts'

/** Cost of Argon2id, the library's default: 19 MiB, two passes, one thread (ASVS 11.4.2). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

/** Maximum number of hashes that run and that wait. Without these limits, many sign-ins would exhaust processor and memory. */
const RUNNING = 2
const WAITING = 50

let running = 0
const queue: (() => void)[] = []

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running >= RUNNING) {
    if (queue.length >= WAITING) throw new AppError('BUSY')
    await new Promise<void>((resolve) => queue.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/**
 * Hashes a password for storage.
 * @param password as typed: any characters, not shortened
 * @throws AppError BUSY if too many hashes are queued
 */
export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password, COST))
}

/**
 * Hashes short codes with one salt, so that a typed code is found by its digest.
 * @param register counts an attempt; runs after the wait, so that a busy server counts no attempt
 * @returns base64url digests, in order
 * @throws AppError BUSY if too many hashes are queued, and the errors of `register`
 */
export function hashCodes(
  codes: readonly string[],
  salt: Buffer,
  register: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  return bounded(async () => {
    await register()
    const digests: string[] = []
    for (const code of codes) digests.push((await hashRaw(code, { ...COST, salt })).toString('base64url'))
    return digests
  })
}

/** Hash for the comparison of unknown accounts, so that the response takes as long as for a known account. */
let decoy: Promise<string> | undefined

/** Compares a password with a hash of this platform, or with an imported Argon2 or bcrypt hash. */
const compare = (stored: string, password: string): Promise<boolean> =>
  stored.startsWith('$2') ? compareBcrypt(password, stored) : verify(stored, password)

/**
 * Compares a password with a stored hash. Without a hash, compares with a decoy, so that the time is the same. While the platform has
 * imported hashes, each call compares one hash of each cost, so that the time does not tell which accounts were imported.
 * @param imported any imported hash of the platform, undefined for none
 * @param register counts the attempt; runs after the wait, so that a busy server counts no attempt
 * @throws AppError BUSY if too many hashes are queued, and the errors of `register`
 */
export async function passwordMatches(
  stored: string | undefined,
  password: string,
  register: () => Promise<void> = () => Promise.resolve(),
  imported?: string,
): Promise<boolean> {
  decoy ??= hash('no account has this password', COST)
  const own = await decoy
  const compared = stored ?? own
  const matches = await bounded(async () => {
    await register()
    const isSame = await compare(compared, password)
    if (imported !== undefined) await compare(isOutdated(compared) ? own : imported, password)
    return isSame
  })
  return matches && stored !== undefined
}

/** Returns true if a hash has outdated cost parameters. The next sign-in replaces the hash. */
export const isOutdated = (stored: string) => !CURRENT.test(stored)
