import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { addr, eip191Signer } from 'micro-eth-signer'
import { quantity } from '../node-answers.ts'
import { connectNode } from '../rpc.ts'
import { checkedOrder, signedBy, type SignedOrder, transactionOf, type TransferOrder } from './transfer-order.ts'

/** Signer with the hot wallet's key. It signs only transfer orders and public statements of the platform. */
export interface PayoutSigner {
  /** Hot wallet address, lower case. */
  address: string
  /** @throws Error if the signer refuses, or signs something else */
  sign(order: TransferOrder): Promise<SignedOrder>
  /** Signs a text in a format that no transaction can have (EIP-191). */
  signText(text: string): Promise<string>
}

/**
 * Signs a text with the hot wallet's key, verifiable by any wallet program.
 * @throws Error on a wrong signature
 */
export async function signedText(signer: PayoutSigner, text: string): Promise<string> {
  const signature = await signer.signText(text)
  if (!eip191Signer.verify(signature, text, addr.addChecksum(signer.address))) throw new Error('the signer signed another text')
  return signature
}

/** Key file (Web3 Secret Storage, version 3), opened with a password. */
export interface KeystoreAt {
  file: string
  password: string
}

/** External signer with its own policy: any service that answers `eth_signTransaction`. */
export interface RemoteSignerAt {
  url: string
  address: string
}

/** Opens the hot wallet's key, or connects to its external signer. */
export async function openSigner(at: KeystoreAt | RemoteSignerAt): Promise<PayoutSigner> {
  if ('url' in at) return remoteSigner(at)
  const { openKeystore } = await import('./keystore.ts')
  return keySigner(openKeystore(await readFile(at.file, 'utf8'), at.password))
}

/**
 * Signs with a private key in this process. The signature is not verified, unlike that of a remote signer, because a verification takes
 * three times as long as signing.
 */
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

/** Requests signatures from an external signer, and verifies each answer. */
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
      const [result] = await ask([{ method: 'eth_signTransaction', params }])
      return checkedOrder(order, v.parse(answer, result))
    },
    async signText(text) {
      const [result] = await ask([{ method: 'personal_sign', params: [`0x${Buffer.from(text).toString('hex')}`, address] }])
      return v.parse(v.string(), result)
    },
  }
}
