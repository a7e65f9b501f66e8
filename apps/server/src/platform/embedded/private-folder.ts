import { chmodSync, statSync } from 'node:fs'
import { makeFolder } from '../runtime/make-folder.ts'
import { StartupError } from '../runtime/startup-error.ts'

/** Restricts new files of this process to its user (mode 0600, folders 0700). */
export const keepFilesPrivate = (): void => void process.umask(0o077)

/**
 * Creates a private folder, or makes a folder private, because it contains balances, mails and keys. The files in the folder need no
 * special modes.
 * @throws StartupError when the folder belongs to another user
 */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder)
  if ((statSync(folder).mode & 0o077) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    if (isReadOnly(error)) throw error
    throw new StartupError(
      `${folder} can be read by other users and belongs to another user. Give it to this user, or set another DATA_DIR.`,
    )
  }
}

/** Returns true if an error says that the disk is mounted read-only. */
export const isReadOnly = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EROFS'
