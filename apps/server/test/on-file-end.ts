/** Functions that close what the test file of this moment has opened. */
const closings: (() => Promise<void> | void)[] = []

/**
 * Registers a function that runs when the test file ends, the last one first.
 * Vitest ignores an `afterAll` that a helper calls from within `beforeAll` or a test, so helpers use this instead.
 */
export function onFileEnd(close: () => Promise<void> | void): void {
  closings.push(close)
}

/** Runs the registered functions. Called once, by the setup of every test file. */
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
