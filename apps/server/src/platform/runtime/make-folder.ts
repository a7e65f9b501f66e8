import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a folder and the missing parents, for this user only. Does nothing if the folder exists. `mkdirSync` with `recursive` is not
 * used, because it never returns if the system reports an existing parent as missing, such as below /proc.
 * @throws the error of the file system, such as ENOENT, EACCES or ENOTDIR
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let parent = path.resolve(folder); !existsSync(parent) && path.dirname(parent) !== parent; parent = path.dirname(parent))
    missing.unshift(parent)
  for (const parent of missing) {
    try {
      mkdirSync(parent, { mode: 0o700 })
    } catch (error) {
      // Another process created it meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  // Reports a file of this name.
  if (missing.length === 0) mkdirSync(folder, { recursive: true })
}
