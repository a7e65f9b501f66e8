import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { addr } from 'micro-eth-signer'
import { quantity } from '../node-answers.ts'
import { connectNode } from '../rpc.ts'
import { openKeystore } from './keystore.ts'
import { checkedOrder, type SignedOrder, transactionOf, type TransferOrder } from './transfer-order.ts'

/** Whoever has the key of the hot wallet. Nothing but orders is ever given to it. */
export interface PayoutSigner {
  /** Address of the hot wallet, lower case. */
  address: string
  /** @throws Error when it does not sign, or signs something else */
  sign(order: TransferOrder): Promise<SignedOrder>
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
  return keySigner(openKeystore(await readFile(at.file, 'utf8'), at.password))
}

/** Signs with a private key in this process's memory. */
export function keySigner(key: Uint8Array): PayoutSigner {
  const address = addr.fromPrivateKey(key).toLowerCase()
  return {
    address,
    sign: (order) => Promise.resolve().then(() => checkedOrder(order, transactionOf(order).signBy(key).toHex())),
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
  }
}
