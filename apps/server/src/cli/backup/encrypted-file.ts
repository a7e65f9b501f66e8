import { closeSync, createReadStream, createWriteStream, openSync, readFileSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Decrypter, Encrypter } from 'age-encryption'
import { shellCommand } from '../../platform/runtime/release.ts'
import { errorText } from '../../platform/runtime/error-text.ts'
import { BackupError } from './examine-backup.ts'
import type { BackupFile } from './postgres-tool.ts'

/** First bytes of a file in the format of age (age-encryption.org/v1). */
const HEADER = 'age-encryption.org/v1\n'

/**
 * Encrypts a stream into a new file, which only its owner can read (docs/decisions/0051-encrypted-backups.md).
 * @param recipients public keys of age; each of their private keys decrypts the file
 * @throws Error for an invalid public key, and if the file cannot be written
 */
export async function encryptInto(file: string, recipients: readonly string[], plaintext: Readable): Promise<void> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const encrypted = await encrypter.encrypt(Readable.toWeb(plaintext) as ReadableStream<Uint8Array>)
  await pipeline(fromWeb(encrypted), createWriteStream(file, { mode: 0o600, flush: true }))
}

/**
 * Returns true if a file is encrypted, by its first bytes.
 * @throws BackupError if the file cannot be opened
 */
function isEncrypted(file: string): boolean {
  let handle: number | undefined
  try {
    handle = openSync(file, 'r')
    const start = Buffer.alloc(HEADER.length)
    readSync(handle, start, 0, start.length, 0)
    return start.toString('latin1') === HEADER
  } catch (error) {
    throw new BackupError(errorText(error, file), 2)
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/**
 * Prepares a backup file for reading. Decrypts an encrypted file completely before the restore writes, because damage in the last bytes is
 * detected only when these bytes are read.
 * @param identityFile file with the private key, as `secrets backup-key` and `age-keygen` write it
 * @throws BackupError without the right key, and for a damaged file
 */
export async function openBackupFile(file: string, identityFile: string | undefined): Promise<BackupFile> {
  if (!isEncrypted(file)) return { file }
  if (identityFile === undefined)
    throw new BackupError(`${file} is encrypted. Name the file with its key: ${shellCommand('restore --identity KEYFILE FILE')}.`, 2)
  const decrypter = new Decrypter()
  for (const key of keysIn(identityFile)) decrypter.addIdentity(key)
  const open = async () => fromWeb(await decrypter.decrypt(Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>))
  try {
    const plaintext = await open()
    plaintext.resume()
    await new Promise<void>((resolve, reject) => plaintext.once('end', resolve).once('error', reject))
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no identity matched'))
      throw new BackupError(`${file} is encrypted for another key than that in ${identityFile}. Nothing was changed.`, 2)
    throw new BackupError(`${file} is damaged, or was changed after it was written. Nothing was changed.`, 1)
  }
  return { file, open }
}

/** Reads the private keys of a file. Other lines are comments. */
function keysIn(identityFile: string): string[] {
  const keys = readKeyFile(identityFile).match(/^AGE-SECRET-KEY-\S+$/gm)
  if (keys === null) throw new BackupError(`${identityFile} contains no line AGE-SECRET-KEY-…. Nothing was changed.`, 2)
  return keys
}

function readKeyFile(identityFile: string): string {
  try {
    return readFileSync(identityFile, 'utf8').replaceAll('\r', '')
  } catch (error) {
    throw new BackupError(errorText(error, identityFile), 2)
  }
}

/** The two types of web streams, those of the browser and of Node, differ only in name. */
const fromWeb = (stream: ReadableStream<Uint8Array>): Readable => Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])
