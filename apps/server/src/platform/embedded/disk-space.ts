import { statfsSync } from 'node:fs'

/** Free bytes that the embedded engine needs to start. The engine writes its log at the start and would fail in the middle. */
const MIN_FREE_BYTES = 32_000_000

/** Returns true if the disk lacks room to start an embedded database. */
export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < MIN_FREE_BYTES
}
