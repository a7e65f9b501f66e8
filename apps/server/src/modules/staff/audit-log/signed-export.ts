import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { writeCsv } from '@tizara/contract/csv'
import { deriveKey } from '../../../platform/crypto/encrypt.ts'

/**
 * Signs exports of the audit log with an Ed25519 key that is derived from DATA_KEY. An auditor verifies a file with the public key alone,
 * also after DATA_KEY was rotated.
 */

/** Label of the last line, which has the public key and the signature in hexadecimal. */
const LABEL = 'Signature (Ed25519)'
const LAST_LINE = /^Signature \(Ed25519\),([0-9a-f]{64}),([0-9a-f]{128})\r\n$/
/** DER heads of a private key (PKCS 8) and of a public key (SPKI), before the 32 bytes of the key (RFC 8410). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

const privateKeyOf = (dataKey: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PRIVATE_HEAD, deriveKey(dataKey, 'audit exports').export()]),
    format: 'der',
    type: 'pkcs8',
  })

/** Returns the public key of an instance's exports, in hexadecimal. */
export const exportKeyOf = (dataKey: string): string =>
  createPublicKey(privateKeyOf(dataKey)).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length).toString('hex')

const signedText = (digest: string) => Buffer.from(`tizara audit export ${digest}`)

/** Extends the digest of a file line by line, because the steps of an export share no hash state. `previous` is empty at first. */
export function digestLines(previous: string, text: string): string {
  let digest = previous
  for (const line of text.match(/[^\n]*\n/g) ?? []) digest = createHash('sha256').update(`${digest}\n${line}`).digest('hex')
  return digest
}

/** Returns the last line of an export: the signature of all lines before it. */
export const signatureLine = (dataKey: string, digest: string): string =>
  writeCsv([[LABEL, exportKeyOf(dataKey), sign(null, signedText(digest), privateKeyOf(dataKey)).toString('hex')]])

/**
 * Verifies an exported file.
 * @param key expected public key, in hexadecimal
 * @returns undefined, or why the file is not what the platform exported
 */
export function exportError(file: string, key: string): string | undefined {
  const end = file.lastIndexOf('\n', file.length - 2) + 1
  const [, signer, signature] = LAST_LINE.exec(file.slice(end)) ?? []
  if (signer === undefined || signature === undefined) return 'the last line has no signature'
  if (signer !== key) return `it was signed with another key: ${signer}`
  const publicKey = createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, Buffer.from(key, 'hex')]), format: 'der', type: 'spki' })
  const isValid = verify(null, signedText(digestLines('', file.slice(0, end))), publicKey, Buffer.from(signature, 'hex'))
  return isValid ? undefined : 'a line was changed, added or removed'
}
