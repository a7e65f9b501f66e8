import { statfsSync } from 'node:fs'

/** Free bytes needed to start the embedded engine. It writes its log on start and would fail midway. */
const ROOM = 32_000_000

/** Returns true if the disk lacks room to start an embedded database. */
export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < ROOM
}
