/**
 * Longest wait for a state in an end-to-end test, in ms. It is longer than three runs of a job that runs every 30 seconds, because the state
 * may follow two such jobs, and the machine may be busy. Tests set no shorter limit (`scripts/test-files.test.ts`).
 */
export const WAIT_MS = 120_000
