import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { addr } from 'micro-eth-signer'
import { depositAddresses, keyIndexOf } from './deposit-address.ts'

/** Standard mnemonic of development chains. */
const PHRASE = 'test test test test test test test test test test test junk'
const account = HDKey.fromMasterSeed(pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'")

describe('addresses of an extended public key', () => {
  it('[I8] are unique, and equal those of standard wallets at 0/generation/index', () => {
    const at = depositAddresses(account.publicExtendedKey)
    const derived = (path: string) => addr.fromPrivateKey(account.derive(path).privateKey ?? '').toLowerCase()
    expect(at(keyIndexOf(492_345, 7))).toBe(derived('m/0/492345/7'))
    expect(at(keyIndexOf(0, 0))).toBe(derived('m/0/0/0'))
    const hours = [1, 492_345, 600_000]
    expect(new Set(hours.flatMap((hour) => Array.from({ length: 20 }, (_, index) => at(keyIndexOf(hour, index))))).size).toBe(60)
  })

  it('reject a private key', () => {
    expect(() => depositAddresses(account.privateExtendedKey)).toThrow('private key')
    expect(() => depositAddresses('xpub-that-is-none')).toThrow()
  })
})
