import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { addr, eip191Signer } from 'micro-eth-signer'
import { quantity } from '../node-answers.ts'
import { connectNode } from '../rpc.ts'
import { checkedOrder, signedBy, type SignedOrder, transactionOf, type TransferOrder } from './transfer-order.ts'

/** Whoever has the key of the hot wallet. Nothing but orders, and what the house states to everybody, is ever given to it. */
export interface PayoutSigner {
  /** Address of the hot wallet, lower case. */
  address: string
  /** @throws Error when it does not sign, or signs something else */
  sign(order: TransferOrder): Promise<SignedOrder>
  /** Signs a text as no transaction reads (EIP-191). */
  signText(text: string): Promise<string>
}

/**
 * A text under the key of the hot wallet, as any wallet program can check it.
 * @throws Error when the signature is another one
 */
export async function signedText(signer: PayoutSigner, text: string): Promise<string> {
  const signature = await signer.signText(text)
  if (!eip191Signer.verify(signature, text, addr.addChecksum(signer.address))) throw new Error('the signer signed another text')
  return signature
}

/** The key in a file (Web3 Secret Storage, version 3), opened with a password. */
export interface KeystoreAt {
  file: string
  password: string
}

/** A signer that others run, with rules of its own: any that answers `eth_signTransaction`. */
export interface RemoteSignerAt {
  url: string
  address: string
}

/** Opens the key of the hot wallet, or names the signer that has it. */
export async function openSigner(at: KeystoreAt | RemoteSignerAt): Promise<PayoutSigner> {
  if ('url' in at) return remoteSigner(at)
  const { openKeystore } = await import('./keystore.ts')
  return keySigner(openKeystore(await readFile(at.file, 'utf8'), at.password))
}

/** Signs with a private key in this process's memory. Nobody stands between, so that nothing has to be read back: that takes three times as long as the signature. */
export function keySigner(key: Uint8Array): PayoutSigner {
  const address = addr.fromPrivateKey(key).toLowerCase()
  return {
    address,
    sign: (order) => Promise.resolve().then(() => signedBy(key, address, order)),
    signText: (text) => Promise.resolve(eip191Signer.sign(text, key)),
  }
}

const answer = v.union([
  v.string(),
  v.pipe(
    v.object({ raw: v.string() }),
    v.transform(({ raw }) => raw),
  ),
])

/** Asks a signer elsewhere. What it answers is read before it is believed. */
export function remoteSigner({ url, address }: RemoteSignerAt): PayoutSigner {
  const ask = connectNode(url)
  return {
    address,
    async sign(order) {
      const { raw } = transactionOf(order)
      const params = [
        {
          from: address,
          to: raw.to,
          gas: quantity(raw.gasLimit),
          maxFeePerGas: quantity(raw.maxFeePerGas),
          maxPriorityFeePerGas: quantity(raw.maxPriorityFeePerGas),
          value: '0x0',
          nonce: quantity(raw.nonce),
          data: raw.data === '' ? '0x' : raw.data,
          chainId: quantity(raw.chainId),
        },
      ]
      const [said] = await ask([{ method: 'eth_signTransaction', params }])
      return checkedOrder(order, v.parse(answer, said))
    },
    async signText(text) {
      const [said] = await ask([{ method: 'personal_sign', params: [`0x${Buffer.from(text).toString('hex')}`, address] }])
      return v.parse(v.string(), said)
    },
  }
}
