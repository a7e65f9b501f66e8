import { addr, Transaction } from 'micro-eth-signer'

/** Gas limit of a transaction, to be covered by the wallet. A measured transfer to a new holder took 51,504. */
export const GAS_LIMIT = 120_000n
/** Gas of a native coin transfer on every chain. */
export const COIN_GAS = 21_000n
/** Gas limit of a transaction that publishes a digest. 32 bytes of data cost at most 22,280 gas (EIP-7623). */
export const DIGEST_GAS = 30_000n
/** Returns the lowest replacement fee. Nodes require a tenth more; an eighth is safe. */
export const minReplacementFee = (price: bigint): bigint => price + (price + 7n) / 8n + (price === 0n ? 1n : 0n)
/** Delay in ms before an unmined transaction is sent again, because the node may have dropped it. */
export const RESEND_AFTER_MS = 15_000
/** First four bytes of `transfer(address,uint256)`. */
const TRANSFER_CALL = '0xa9059cbb'

/**
 * Content of a transaction of a platform wallet. Without `transfer`, `coin` and `digest`, the transaction cancels the payment with the same
 * nonce: it sends an amount of zero to the wallet itself.
 */
export interface TransferOrder {
  chainId: number
  /** Wallet address, lower case. */
  from: string
  nonce: number
  /** Maximum wei per gas unit. */
  gasPrice: bigint
  /** Token contract and receiver in lower case, and the amount in the token's smallest unit. */
  transfer?: { token: string; to: string; amount: bigint } | undefined
  /** Wei of the native coin, as gas for another wallet. */
  coin?: { to: string; amount: bigint } | undefined
  /**
   * Digest of a published statement, 64 hex digits. The digest is the data of a transaction with an amount of zero to the wallet itself.
   */
  digest?: string | undefined
}

/** Signed transaction, which can be sent repeatedly. */
export interface SignedOrder {
  hash: string
  raw: string
}

export function transactionOf({ chainId, from, nonce, gasPrice, transfer, coin, digest }: TransferOrder) {
  return Transaction.prepare(
    {
      chainId: BigInt(chainId),
      to: addr.addChecksum(coin?.to ?? transfer?.token ?? from),
      nonce: BigInt(nonce),
      value: coin?.amount ?? 0n,
      gasLimit: coin !== undefined ? COIN_GAS : digest !== undefined ? DIGEST_GAS : GAS_LIMIT,
      // Sets both fees to the full price. Chains with a zero base fee charge only the tip; others may charge up to the price.
      maxFeePerGas: gasPrice,
      maxPriorityFeePerGas: gasPrice,
      data:
        transfer === undefined
          ? (digest ?? '')
          : `${TRANSFER_CALL}${abiWord(transfer.to.slice(2))}${abiWord(transfer.amount.toString(16))}`,
    },
    false,
  )
}

const abiWord = (hex: string) => hex.padStart(64, '0')

/**
 * Signs an order with a local key.
 * @throws Error if the order belongs to another wallet
 */
export function signedBy(key: Uint8Array, address: string, order: TransferOrder): SignedOrder {
  if (order.from !== address) throw new Error('the order is for another key')
  const signed = transactionOf(order).signBy(key)
  return { hash: hexOf(signed.hash), raw: hexOf(signed.toHex()) }
}

/**
 * Verifies that a signer's answer is exactly the order, signed by the wallet's key. This protects from an impostor or a
 * misbehaving signer.
 * @throws Error on any difference
 */
export function checkedOrder(order: TransferOrder, raw: string): SignedOrder {
  const signed = Transaction.fromHex(raw)
  if (!signed.isSigned || unsigned(signed) !== unsigned(transactionOf(order))) throw new Error('the signer signed something else')
  if (signed.sender.toLowerCase() !== order.from) throw new Error('the signer used another key')
  return { hash: hexOf(signed.hash), raw: hexOf(raw) }
}

/** Parses a signed transaction. The sender is computed from the signature, in lower case. */
export function readSigned(raw: string): SignedOrder & { from: string; nonce: number; gasPrice: bigint } {
  const signed = Transaction.fromHex(raw)
  const fields: { nonce: bigint; maxFeePerGas?: bigint; gasPrice?: bigint } = signed.raw
  return {
    hash: hexOf(signed.hash),
    raw: hexOf(raw),
    from: signed.sender.toLowerCase(),
    nonce: Number(fields.nonce),
    gasPrice: fields.maxFeePerGas ?? fields.gasPrice ?? 0n,
  }
}

/** Effect of a platform wallet's transaction, or undefined if the product makes no such transaction. */
export type TransferContent =
  | { kind: 'TRANSFER'; token: string; to: string; amount: bigint }
  | { kind: 'COIN'; to: string; amount: bigint }
  /** Sends an amount of zero to the wallet itself. */
  | { kind: 'CANCEL' }

/** Parses the effect of a signed transaction. Addresses are in lower case, amounts in the smallest unit. */
export function readContent(raw: string): TransferContent | undefined {
  const signed = Transaction.fromHex(raw)
  const { to, value, data }: { to: string; value: bigint; data: string } = signed.raw
  const [receiver, call] = [to.toLowerCase(), data.replace(/^0x/, '').toLowerCase()]
  if (call === '') {
    if (value > 0n) return { kind: 'COIN', to: receiver, amount: value }
    return receiver === signed.sender.toLowerCase() ? { kind: 'CANCEL' } : undefined
  }
  const found = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(call)
  if (found === null || value > 0n) return undefined
  return { kind: 'TRANSFER', token: receiver, to: `0x${found[1]}`, amount: BigInt(`0x${found[2]}`) }
}

const unsigned = (transaction: Pick<ReturnType<typeof transactionOf>, 'toHex'>) =>
  transaction.toHex({ includeSignature: false }).toLowerCase()
const hexOf = (text: string) => (text.startsWith('0x') ? text : `0x${text}`).toLowerCase()
