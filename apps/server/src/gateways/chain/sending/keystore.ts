import { createCipheriv, createDecipheriv, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { scrypt } from '@noble/hashes/scrypt.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addr } from 'micro-eth-signer'
import * as v from 'valibot'

/** Scrypt cost used by wallets: 2^18 rounds, 256 MB. */
const COST = { N: 262_144, r: 8, p: 1, dklen: 32 } as const
const KEY_BYTES = 32
/** Maximum memory in bytes that a file may request: 1 GB. */
const MAX_MEMORY = 1024 * 1024 * 1024

const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]+$/i))
const keystore = v.object({
  version: v.literal(3),
  crypto: v.object({
    cipher: v.literal('aes-128-ctr'),
    ciphertext: hex,
    cipherparams: v.object({ iv: hex }),
    kdf: v.literal('scrypt'),
    kdfparams: v.object({ dklen: v.literal(32), n: v.number(), r: v.number(), p: v.number(), salt: hex }),
    mac: hex,
  }),
})

/**
 * Decrypts the private key in a keystore (Web3 Secret Storage, version 3, scrypt), as written by geth, Clef and wallets.
 * @throws Error on an invalid file or a wrong password
 */
export function openKeystore(text: string, password: string): Uint8Array {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), keystore), text)
  if (!read.success) throw new Error('the keystore must be a file of Web3 Secret Storage, version 3, with scrypt')
  const { ciphertext, cipherparams, kdfparams, mac } = read.output.crypto
  const key = keyOf(password, Buffer.from(kdfparams.salt, 'hex'), kdfparams)
  const body = Buffer.from(ciphertext, 'hex')
  const expected = Buffer.from(mac, 'hex')
  const actualMac = macOf(key, body)
  if (expected.length !== actualMac.length || !timingSafeEqual(expected, actualMac))
    throw new Error('the password does not decrypt the keystore')
  const decipher = createDecipheriv('aes-128-ctr', key.subarray(0, 16), Buffer.from(cipherparams.iv, 'hex'))
  return Buffer.concat([decipher.update(body), decipher.final()])
}

/** Writes a keystore for a private key, or for the text of an extended private key. */
export function writeKeystore(secret: Uint8Array, password: string, cost: Pick<typeof COST, 'r' | 'p'> & { N: number } = COST): string {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const key = keyOf(password, salt, { n: cost.N, r: cost.r, p: cost.p })
  const cipher = createCipheriv('aes-128-ctr', key.subarray(0, 16), iv)
  const body = Buffer.concat([cipher.update(secret), cipher.final()])
  return JSON.stringify({
    version: 3,
    id: randomUUID(),
    ...(secret.length === KEY_BYTES ? { address: addr.fromPrivateKey(secret).slice(2).toLowerCase() } : {}),
    crypto: {
      cipher: 'aes-128-ctr',
      ciphertext: body.toString('hex'),
      cipherparams: { iv: iv.toString('hex') },
      kdf: 'scrypt',
      kdfparams: { dklen: COST.dklen, n: cost.N, r: cost.r, p: cost.p, salt: salt.toString('hex') },
      mac: macOf(key, body).toString('hex'),
    },
  })
}

/** Uses scrypt in JavaScript, because OpenSSL rejects the parameters of geth files with block size one. */
const keyOf = (password: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }): Uint8Array =>
  scrypt(password.normalize('NFKC'), salt, { N: n, r, p, dkLen: COST.dklen, maxmem: MAX_MEMORY })

const macOf = (key: Uint8Array, body: Buffer): Buffer => Buffer.from(keccak_256(Buffer.concat([key.subarray(16, 32), body])))
