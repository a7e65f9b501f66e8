import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { depositAddresses } from './deposit-address.ts'

/** The phrase that development chains use everywhere, and the first accounts that every wallet makes of it. */
const PHRASE = 'test test test test test test test test test test test junk'
const KNOWN = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
]
const account = HDKey.fromMasterSeed(pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'")

describe('addresses of an extended public key', () => {
  it('are those that wallets derive below it, one for each index', () => {
    const at = depositAddresses(account.publicExtendedKey)
    expect([0, 1, 2].map(at)).toEqual(KNOWN)
    expect(new Set(Array.from({ length: 50 }, (_, index) => at(index))).size).toBe(50)
  })

  it('takes no private key', () => {
    expect(() => depositAddresses(account.privateExtendedKey)).toThrow('private key')
    expect(() => depositAddresses('xpub-that-is-none')).toThrow()
  })
})
