import { nonsense, TRANSFER } from './node-answers.ts'

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
  if (typeof value !== 'string' || !HEX.test(value)) throw nonsense()
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
  if (!Array.isArray(topics)) throw nonsense()
  const [kind, from, to] = topics as unknown[]
  if (kind !== TRANSFER || topics.length !== 3 || data === '0x') return undefined
  return { token: hexOf(address), from: addressIn(from), to: addressIn(to), amount: BigInt(hexOf(data)) }
}
