import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** For tests: a software authenticator that can also lie. */

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const head = (major: number, size: number) =>
  size < 24
    ? Buffer.of((major << 5) | size)
    : size < 256
      ? Buffer.of((major << 5) | 24, size)
      : Buffer.of((major << 5) | 25, size >> 8, size & 255)
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

/** Assertion content. Omitted fields are true. */
export interface AssertionContent {
  origin: string
  rpId: string
  challenge: string
  counter?: number
  /** True if the user was verified. */
  verified?: boolean
  /** True if the key may be and is synced between devices. */
  synced?: boolean
}

export class SoftAuthenticator {
  readonly id = randomBytes(32)
  readonly #key: KeyObject
  readonly #cose: Buffer

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#cose = map(
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    )
  }

  #data({ rpId, counter = 0, verified = true, synced = false }: AssertionContent, isNew: boolean): Buffer {
    const flags = 1 | (verified ? 4 : 0) | (synced ? 24 : 0) | (isNew ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const made = isNew ? [Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, this.#cose] : []
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count, ...made])
  }

  #answer(response: Record<string, string>) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  /** Returns the browser's response to a registration. */
  make(content: AssertionContent) {
    const attestation = map([text('fmt'), text('none')], [text('attStmt'), map()], [text('authData'), bytes(this.#data(content, true))])
    const client = JSON.stringify({ type: 'webauthn.create', challenge: content.challenge, origin: content.origin, crossOrigin: false })
    return this.#answer({
      clientDataJSON: Buffer.from(client).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    })
  }

  /** Returns the browser's response to a sign-in. */
  get(content: AssertionContent) {
    const client = Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge: content.challenge, origin: content.origin, crossOrigin: false }),
    )
    const data = this.#data(content, false)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#key)
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }
}
