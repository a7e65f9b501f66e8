/**
 * Handles signals in a module without imports, so that a process loads it first (`termination.postgres.test.ts`). Until its first line
 * runs, a signal ends the process at once.
 */

let closing: (() => Promise<void>) | undefined

/** Shutdown during the start: no work is in progress, so a signal ends the process at once. */
export const noopShutdown = (): Promise<void> => Promise.resolve()

/**
 * Ends a process cleanly on SIGTERM and SIGINT. Repeated signals have no further effect, because a process group receives each signal
 * twice.
 * @param close stops all current work and replaces the earlier handler; the process exits with 0 when it is done, with 1 after 9.5 seconds,
 * since service managers kill it after 10
 */
export function onTermination(close: () => Promise<void>): void {
  const known = closing !== undefined
  closing = close
  if (known) return
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(1), 9_500).unref()
    closing?.().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
