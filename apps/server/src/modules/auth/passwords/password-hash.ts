import { hash, hashRaw, verify } from '@node-rs/argon2'
import { compare as compareBcrypt } from 'bcryptjs'
import { availableParallelism } from 'node:os'
import { createFairQueue } from '../../../platform/runtime/fair-queue.ts'

/** Cost of Argon2id, the library's default: 19 MiB, two passes, one thread (ASVS 11.4.2). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

/**
 * Computes hashes: at most one per core, and at most on three of the four threads of the process, so that look-ups of files and names
 * continue. At most 50 calls wait. Without these limits, many sign-ins would exhaust processor and memory. Networks take turns, so that a
 * rush from one of them does not keep others from signing in (docs/decisions/0073-limits-of-speed.md).
 */
const hashes = createFairQueue({ maxRunning: Math.min(availableParallelism(), 3), maxWaiting: 50 })

/** Caller of hashes that no request waits for in a network's name: staff, jobs and imports. */
const PLATFORM = 'platform'

/**
 * Hashes a password for storage.
 * @param password as typed: any characters, not shortened
 * @param caller network of the request, with its own turns in the queue
 * @throws AppError BUSY if too many hashes are queued
 */
export function hashPassword(password: string, caller = PLATFORM): Promise<string> {
  return hashes.run(caller, () => hash(password, COST))
}

/**
 * Hashes short codes with one salt, so that a typed code is found by its digest.
 * @param options `caller` is the network of the request; `register` counts an attempt and runs after the wait, so that a busy server counts
 * no attempt
 * @returns base64url digests, in order
 * @throws AppError BUSY if too many hashes are queued, and the errors of `register`
 */
export function hashCodes(
  codes: readonly string[],
  salt: Buffer,
  { caller = PLATFORM, register = () => Promise.resolve() }: { caller?: string; register?: () => Promise<void> } = {},
): Promise<string[]> {
  return hashes.run(caller, async () => {
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
 * imported hashes, each call compares one hash of each cost. The duration therefore does not reveal imported accounts.
 * @param options `caller` is the network or session of the request; `register` counts the attempt and runs after the wait, so that a busy
 * server counts no attempt; `imported` is any imported hash of the platform
 * @throws AppError BUSY if too many hashes are queued, and the errors of `register`
 */
export async function passwordMatches(
  stored: string | undefined,
  password: string,
  {
    caller,
    register = () => Promise.resolve(),
    imported,
  }: { caller: string; register?: () => Promise<void>; imported?: string | undefined },
): Promise<boolean> {
  decoy ??= hash('no account has this password', COST)
  const own = await decoy
  const compared = stored ?? own
  const matches = await hashes.run(caller, async () => {
    await register()
    const isSame = await compare(compared, password)
    if (imported !== undefined) await compare(isOutdated(compared) ? own : imported, password)
    return isSame
  })
  return matches && stored !== undefined
}

/** Returns true if a hash has outdated cost parameters. The next sign-in replaces the hash. */
export const isOutdated = (stored: string) => !CURRENT.test(stored)
