/** Highest accepted cost of an Argon2 hash: 256 MiB, 10 passes, 4 threads. A higher cost would let a sign-in exhaust the machine. */
const ARGON2 = /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=([1-4])\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/
const MAX_MEMORY_KIB = 262_144
const MAX_PASSES = 10
/** Bcrypt with a cost of 4 to 12, for the same reason. */
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/

/** Returns true for a password hash that the sign-in can compare: Argon2 in PHC form, or bcrypt. */
export function isImportedHash(text: string): boolean {
  if (BCRYPT.test(text)) return true
  const [, memory, passes] = ARGON2.exec(text) ?? []
  return (
    memory !== undefined && Number(memory) >= 8 && Number(memory) <= MAX_MEMORY_KIB && Number(passes) >= 1 && Number(passes) <= MAX_PASSES
  )
}
