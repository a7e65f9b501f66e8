/** The current test file's cleanup functions. */
const closings: (() => Promise<void> | void)[] = []

/**
 * Registers a cleanup function for the end of the test file, last one first. Vitest ignores an `afterAll` called by a helper within
 * `beforeAll` or a test.
 */
export function onFileEnd(close: () => Promise<void> | void): void {
  closings.push(close)
}

/** Runs the registered functions. Every test file's setup calls it once. */
export async function closeOpened(): Promise<void> {
  const failures: unknown[] = []
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the test file left something open that does not close')
}
