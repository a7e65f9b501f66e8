/** Seeded random choices. The same seed repeats the same run. */
export interface Random {
  /** Returns an integer from 0 up to, but excluding, `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

/** Creates a small generator (mulberry32). Sufficient for tests, unsuitable for secrets. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    shuffle: (list) => {
      const shuffled = [...list]
      for (let index = shuffled.length - 1; index > 0; index -= 1) {
        const other = below(index + 1)
        const [a, b] = [shuffled[index], shuffled[other]]
        if (a !== undefined && b !== undefined) [shuffled[index], shuffled[other]] = [b, a]
      }
      return shuffled
    },
  }
}
