import { addr, Transaction } from 'micro-eth-signer'

/** Most gas that a transaction of ours uses, which the wallet has to have for each: a token's transfer to a new holder took 51,504 where it was measured. */
export const GAS_LIMIT = 120_000n
/** Gas of a transfer of the chain's own coin: what every chain asks for one. */
export const COIN_GAS = 21_000n
/** A fee that beats another one: nodes ask for a tenth more, an eighth is safe (trap T6). */
export const beats = (price: bigint): bigint => price + (price + 7n) / 8n + (price === 0n ? 1n : 0n)
/** Milliseconds after which what is in no block is handed to the node again: it may have forgotten it. */
export const AGAIN_MS = 15_000
/** First four bytes of `transfer(address,uint256)`. */
const TRANSFER_CALL = '0xa9059cbb'

/**
 * What a transaction of one of our wallets says. Without `transfer` and `coin` it sends nothing to the wallet itself: a cancellation,
 * which competes with the payment of the same nonce.
 */
export interface TransferOrder {
  chainId: number
  /** Address of the wallet, lower case. */
  from: string
  nonce: number
  /** Wei for one unit of gas, at most. */
  gasPrice: bigint
  /** The token's contract and the receiver, both lower case, and the amount in the token's smallest unit. */
  transfer?: { token: string; to: string; amount: bigint } | undefined
  /** Wei of the chain's own coin, as gas for another wallet. */
  coin?: { to: string; amount: bigint } | undefined
}

/** A signed transaction, ready to be sent any number of times. */
export interface SignedOrder {
  hash: string
  raw: string
}

export function transactionOf({ chainId, from, nonce, gasPrice, transfer, coin }: TransferOrder) {
  return Transaction.prepare(
    {
      chainId: BigInt(chainId),
      to: addr.addChecksum(coin?.to ?? transfer?.token ?? from),
      nonce: BigInt(nonce),
      value: coin?.amount ?? 0n,
      gasLimit: coin === undefined ? GAS_LIMIT : COIN_GAS,
      // Chains whose base fee is zero take the price from the tip alone; elsewhere the whole price may become one.
      maxFeePerGas: gasPrice,
      maxPriorityFeePerGas: gasPrice,
      data: transfer === undefined ? '' : `${TRANSFER_CALL}${word(transfer.to.slice(2))}${word(transfer.amount.toString(16))}`,
    },
    false,
  )
}

const word = (hex: string) => hex.padStart(64, '0')

/**
 * Signs an order with a key that is at hand.
 * @throws Error when the order is for another wallet
 */
export function signedBy(key: Uint8Array, address: string, order: TransferOrder): SignedOrder {
  if (order.from !== address) throw new Error('the order is for another key')
  const signed = transactionOf(order).signBy(key)
  return { hash: hexOf(signed.hash), raw: hexOf(signed.toHex()) }
}

/**
 * Reads what a signer answered, and makes sure that it is the order and nothing else, by the wallet's own key: whoever
 * answers in a signer's place, or has a signer with ideas of its own, gets nothing sent.
 * @throws Error when it says anything else
 */
export function checkedOrder(order: TransferOrder, raw: string): SignedOrder {
  const signed = Transaction.fromHex(raw)
  if (!signed.isSigned || unsigned(signed) !== unsigned(transactionOf(order))) throw new Error('the signer signed something else')
  if (signed.sender.toLowerCase() !== order.from) throw new Error('the signer used another key')
  return { hash: hexOf(signed.hash), raw: hexOf(raw) }
}

/** What a signed transaction says of itself; the sender is who signed it, lower case. */
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

const unsigned = (transaction: Pick<ReturnType<typeof transactionOf>, 'toHex'>) =>
  transaction.toHex({ includeSignature: false }).toLowerCase()
const hexOf = (text: string) => (text.startsWith('0x') ? text : `0x${text}`).toLowerCase()
