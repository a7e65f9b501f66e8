import * as v from 'valibot'
import { NodeUnavailable } from './rpc.ts'

/** First topic of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Parses JSON-RPC hex data, lower case. */
export const hex = v.pipe(v.string(), v.regex(/^0x[0-9a-f]*$/i), v.toLowerCase())
/** Parses a safe integer. */
export const hexInteger = v.pipe(hex, v.transform(Number), v.safeInteger())

/** Parses an integer beyond JavaScript's safe range, such as a token amount. */
export const hexBigInt = v.pipe(
  hex,
  v.minLength(3),
  v.transform((digits) => BigInt(digits)),
)

/** First four bytes of `balanceOf(address)`. */
const BALANCE = '0x70a08231'

/** Builds the call for an address's balance in a token. */
export const balanceCall = (token: string, address: string) => ({ to: token, data: `${BALANCE}${address.slice(2).padStart(64, '0')}` })

/** Formats a number for JSON-RPC. */
export const quantity = (number: number | bigint): string => `0x${number.toString(16)}`

/**
 * Validates an answer's shape.
 * @throws NodeUnavailable on another shape, because such an answer does not show the state of the chain
 */
export function parseAnswer<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer)
  if (!result.success) throw unreadableAnswer()
  return result.output
}

export const unreadableAnswer = () => new NodeUnavailable('the node returned an unreadable answer')

/** Movement of a token, as its contract reports it. Addresses are in lower case, the amount is in the smallest unit. */
export interface TokenTransfer {
  token: string
  from: string
  to: string
  amount: bigint
}

const HEX = /^0x[0-9a-f]*$/i

/**
 * Parses hex data of an answer, lower case.
 * @throws NodeUnavailable for anything else
 */
export function hexOf(value: unknown): string {
  if (typeof value !== 'string' || !HEX.test(value)) throw unreadableAnswer()
  return value.toLowerCase()
}

const addressIn = (topic: unknown): string => `0x${hexOf(topic).slice(-40)}`

/**
 * Decodes the event `Transfer(address,address,uint256)` of an ERC-20 token. It uses no library, because a busy token emits thousands of
 * logs a second (docs/decisions/0062-own-chain-client.md).
 * @returns undefined for other events, also those of an ERC-721 token, and for an event without an amount
 * @throws NodeUnavailable for an unreadable log
 */
export function decodeTransfer({ address, topics, data }: { address: unknown; topics: unknown; data: unknown }): TokenTransfer | undefined {
  if (!Array.isArray(topics)) throw unreadableAnswer()
  const [kind, from, to] = topics as unknown[]
  if (kind !== TRANSFER || topics.length !== 3 || data === '0x') return undefined
  return { token: hexOf(address), from: addressIn(from), to: addressIn(to), amount: BigInt(hexOf(data)) }
}
