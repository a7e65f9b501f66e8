import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../platform/runtime/app-error.ts'

/** 19 MiB, two passes, one lane (ASVS 11.4.2); the library's default algorithm is Argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

/** Hashes that run at once, and those that may wait: hashing is what a flood of sign-ins would use up. */
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
 * @throws AppError BUSY when too many hashes wait already
 */
export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password, COST))
}

/** What an unknown account's password is compared with, so that it takes as long as a known one's. */
let decoy: Promise<string> | undefined

/**
 * Compares a password with a stored hash. Without a stored hash it compares with another one, which takes as long.
 * @param register counts the try. It runs once the place in the queue is taken, so that a busy server counts nothing.
 * @throws AppError BUSY when too many hashes queue already, and those of `register`
 */
export async function passwordMatches(
  stored: string | undefined,
  password: string,
  register: () => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  decoy ??= hash('no account has this password', COST)
  const compared = stored ?? (await decoy)
  const matches = await bounded(async () => {
    await register()
    return verify(compared, password)
  })
  return matches && stored !== undefined
}

/** Whether a hash was made with less than today's cost and should be renewed at the next sign-in. */
export const isOutdated = (stored: string) => !CURRENT.test(stored)
