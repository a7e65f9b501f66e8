/** Reasons of system errors, by code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file and not a folder',
  EISDIR: 'it is a folder and not a file',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EEXIST: 'it already exists',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/**
 * Returns the text of an error for the person who typed a command. For an error of the file system it names the file and the reason.
 * @param file the file in use, because errors while reading an open file contain no path
 */
export function errorText(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path = file, syscall } = error as NodeJS.ErrnoException
  const reason = REASONS[code]
  // The code of a socket is not about the file in use.
  if (reason === undefined || path === undefined || syscall === undefined || syscall === 'connect') return error.message
  return `${path} cannot be ${code === 'EEXIST' ? 'created' : 'opened'}: ${reason}`
}

/** Returns the text of an error about the contents of a file, or of `errorText` if the file cannot be opened. */
export function fileErrorText(file: string, error: unknown): string {
  return error instanceof Error && 'syscall' in error ? errorText(error, file) : `${file}: ${errorText(error)}`
}
