import { statfsSync } from 'node:fs'

/** Bytes without which the embedded engine, which writes its log when it starts, ends in the middle of it. */
const ROOM = 32_000_000

/** Whether the disk of a folder has no room for an embedded database that starts. */
export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < ROOM
}
