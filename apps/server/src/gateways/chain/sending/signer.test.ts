import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openKeystore, writeKeystore } from './keystore.ts'
import { keySigner, openSigner, remoteSigner } from './signer.ts'
import { transactionOf, type TransferOrder } from './transfer-order.ts'

/** Published Web3 Secret Storage example with scrypt: its password and its key. */
const PUBLISHED = `{"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"83dbcc02d8ccb40e466191a123791e0e"},
  "ciphertext":"d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c","kdf":"scrypt",
  "kdfparams":{"dklen":32,"n":262144,"p":8,"r":1,"salt":"ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19"},
  "mac":"2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097"},"id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}`
const PUBLISHED_KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'

const key = randomBytes(32)
const own = keySigner(key)
const order: TransferOrder = {
  chainId: 56,
  from: own.address,
  nonce: 7,
  gasPrice: 1_000_000_000n,
  transfer: { token: `0x${'a'.repeat(40)}`, to: `0x${'b'.repeat(40)}`, amount: 5n * 10n ** 18n },
}

const folder = mkdtempSync(path.join(tmpdir(), 'keystore-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('hot wallet key', () => {
  it('opens from a published keystore file, and from one that the product wrote', async () => {
    expect(Buffer.from(openKeystore(PUBLISHED, 'testpassword')).toString('hex')).toBe(PUBLISHED_KEY)
    const file = path.join(folder, 'key.json')
    writeFileSync(file, writeKeystore(key, 'a long password', { N: 1024, r: 8, p: 1 }))
    expect((await openSigner({ file, password: 'a long password' })).address).toBe(own.address)
    await expect(openSigner({ file, password: 'another password' })).rejects.toThrow('does not decrypt')
    expect(() => openKeystore('{}', 'any')).toThrow('must be a file of Web3 Secret Storage')
  })

  it('signs the given order, and rejects an order of another wallet', async () => {
    const { hash, raw } = await own.sign(order)
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(raw).toContain(transactionOf(order).toHex({ includeSignature: false }).slice(-90, -2))
    await expect(keySigner(randomBytes(32)).sign(order)).rejects.toThrow('another key')
  })
})

describe('remote signer', () => {
  it('is accepted only when it signs the exact order with the right key', async () => {
    let answer: (asked: TransferOrder) => unknown = () => null
    const server = createServer((request, reply) => {
      request.resume().on('end', () => reply.end(JSON.stringify([{ jsonrpc: '2.0', id: 0, result: answer(order) }])))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const remote = remoteSigner({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, address: own.address })
    const signed = (changed: Partial<TransferOrder>, by: Uint8Array = key) =>
      transactionOf({ ...order, ...changed })
        .signBy(by)
        .toHex()
    const right = signed({})
    for (const result of [right, { raw: right }]) {
      answer = () => result
      expect((await remote.sign(order)).raw).toBe(right.toLowerCase())
    }
    const { transfer } = order
    if (transfer === undefined) throw new Error('no transfer')
    const lies: [string, () => unknown][] = [
      ['another nonce', () => signed({ nonce: 8 })],
      ['a higher fee', () => signed({ gasPrice: 2_000_000_000n })],
      ['another chain', () => signed({ chainId: 1 })],
      ['another receiver', () => signed({ transfer: { ...transfer, to: `0x${'c'.repeat(40)}` } })],
      ['another amount', () => signed({ transfer: { ...transfer, amount: transfer.amount + 1n } })],
      ['another token', () => signed({ transfer: { ...transfer, token: `0x${'c'.repeat(40)}` } })],
      ['nothing', () => signed({ transfer: undefined })],
      ['another key', () => signed({}, randomBytes(32))],
      ['no signature', () => transactionOf(order).toHex({ includeSignature: false })],
      ['no transaction', () => '0xabcd'],
      ['no text', () => 7],
    ]
    for (const [what, lie] of lies) {
      answer = lie
      await expect(remote.sign(order), what).rejects.toThrow()
    }
    server.close()
  })
})
