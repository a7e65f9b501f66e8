import { AppError } from './app-error.ts'

/** Runs work in a bounded pool. The callers take turns. */
export interface FairQueue {
  /**
   * Runs work as soon as the pool has room and it is the caller's turn.
   * @param caller name of the caller, such as its network
   * @throws AppError BUSY if the queue is full, and the errors of the work
   */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  start(): void
  refuse(): void
}

/**
 * Creates a queue in which each caller has its own line, and the lines take turns. So a caller with many calls delays the others by one call
 * each. When the queue is full, a call takes the place of the newest call of the longest line, unless its own line would be as long.
 * @param options maximum number of calls that run, and of calls that wait
 */
export function createFairQueue({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }): FairQueue {
  /** Lines in the order of their next turn. */
  const lines = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  const makeRoom = (caller: string) => {
    const longest = [...lines.values()].reduce((most, line) => (line.length > most.length ? line : most), [])
    if (longest.length <= (lines.get(caller)?.length ?? 0) + 1) throw new AppError('BUSY')
    waiting -= 1
    longest.pop()?.refuse()
  }

  const takeTurn = (caller: string) =>
    new Promise<void>((resolve, reject) => {
      const line = lines.get(caller) ?? []
      line.push({ start: resolve, refuse: () => reject(new AppError('BUSY')) })
      lines.set(caller, line)
      waiting += 1
    })

  const startNext = () => {
    const [next] = lines
    if (next === undefined) {
      running -= 1
      return
    }
    const [caller, line] = next
    const first = line.shift()
    // Puts the rest of the line behind the others.
    lines.delete(caller)
    if (line.length > 0) lines.set(caller, line)
    waiting -= 1
    first?.start()
  }

  return {
    run: async (caller, work) => {
      if (running < maxRunning) running += 1
      else {
        if (waiting >= maxWaiting) makeRoom(caller)
        await takeTurn(caller)
      }
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}
