import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { StartupError } from '../runtime/startup-error.ts'

/** Keeps whatever this process and its threads create from now on to its own user (mode 0600, folders 0700). */
export const keepFilesPrivate = (): void => void process.umask(0o077)

/**
 * Makes a folder that only its owner can enter, or closes one that others could: it holds balances, mails and keys. What
 * lies in it is out of reach with it, whatever its own modes.
 * @throws StartupError when it belongs to somebody else
 */
export function closeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(folder).mode & 0o077) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    throw new StartupError(
      `${folder} can be read by other users and belongs to somebody else. Give it to this user, or set another DATA_DIR.`,
    )
  }
}
