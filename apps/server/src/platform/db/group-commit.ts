import { tracing } from '../runtime/tracing.ts'
import type { Span } from '../runtime/tracing.types.ts'

/** A waiting item, with the promise of its caller. */
interface QueuedItem<In, Out> {
  item: In
  /** Span of the caller, if calls are traced. */
  from: Span | undefined
  resolve: (out: Out) => void
  reject: (error: unknown) => void
}

/** Batches requests that arrive together into one call, each with a separate result. */
export interface GroupCommit<In, Out> {
  /**
   * Adds an item to the next call.
   * @returns the item's result; rejects with the item's error, or with the error of a failed call
   */
  submit(item: In): Promise<Out>
  /** Number of waiting and running items. */
  size(): number
}

/** Time in ms for which a batch waits for more items while other batches run. A call takes longer than this time. */
const BATCH_DELAY_MS = 10

/**
 * Batches calls: the first runs at once; later arrivals form the next batch. A single item is not delayed. Up to
 * `maxInFlight` batches run at a time. Another one starts when it is as large as the running ones, or after a short delay
 * (docs/decisions/0004-group-commit.md).
 * @param options `run` executes a batch and answers item by item, in order, an Error for a refused one; it resolves after
 * the commit. It may call `answerNow` with the index and the final result of an item that need not wait for the others
 */
export function createGroupCommit<In, Out>(options: {
  run: (items: In[], answerNow: (index: number, result: Out | Error) => void) => Promise<(Out | Error)[]>
  maxBatch: number
  maxInFlight: number
}): GroupCommit<In, Out> {
  const waiting: QueuedItem<In, Out>[] = []
  let inFlight = 0
  let running = 0
  let scheduled = false
  let company: NodeJS.Timeout | undefined

  /** Answers an item. A second answer to an item has no effect. */
  const answerOne = (entry: QueuedItem<In, Out> | undefined, result: Out | Error) => {
    if (result instanceof Error) entry?.reject(result)
    else entry?.resolve(result)
  }

  const answer = (group: QueuedItem<In, Out>[], results: (Out | Error)[]) => {
    if (results.length !== group.length) throw new Error(`${group.length} items got ${results.length} answers`)
    group.forEach((entry, index) => answerOne(entry, results[index] as Out | Error))
  }

  const run = (group: QueuedItem<In, Out>[]) => {
    const work = () =>
      options.run(
        group.map((entry) => entry.item),
        (index, result) => answerOne(group[index], result),
      )
    const places = group.flatMap(({ from }) => from ?? [])
    return tracing()?.together(places, work) ?? work()
  }

  const start = async (group: QueuedItem<In, Out>[]) => {
    inFlight += 1
    running += group.length
    try {
      answer(group, await run(group))
    } catch (error) {
      for (const entry of group) entry.reject(error)
    } finally {
      inFlight -= 1
      running -= group.length
      pump()
    }
  }

  const pump = (late = false) => {
    while (waiting.length > 0 && inFlight < options.maxInFlight) {
      if (!late && inFlight > 0 && waiting.length < Math.min(running / inFlight, options.maxBatch)) {
        company ??= setTimeout(pump, BATCH_DELAY_MS, true)
        return
      }
      clearTimeout(company)
      company = undefined
      void start(waiting.splice(0, options.maxBatch))
    }
  }

  // Waits one turn of the event loop, so that requests read from the sockets in the same turn share a batch.
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      pump()
    })
  }

  return {
    submit: (item) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ item, from: tracing()?.here(), resolve, reject })
        schedule()
      }),
    size: () => waiting.length + running,
  }
}
