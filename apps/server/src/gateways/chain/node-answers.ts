import * as v from 'valibot'
import { NodeAway } from './rpc.ts'

/** First topic of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Data as JSON-RPC spells it, lower case. */
export const hex = v.pipe(v.string(), v.regex(/^0x[0-9a-f]*$/i), v.toLowerCase())
/** A number that JavaScript holds exactly. */
export const whole = v.pipe(hex, v.transform(Number), v.safeInteger())

/** A number that JavaScript does not hold exactly, such as an amount of a token. */
export const wide = v.pipe(
  hex,
  v.minLength(3),
  v.transform((digits) => BigInt(digits)),
)

/** First four bytes of `balanceOf(address)`. */
const BALANCE = '0x70a08231'

/** The call that asks a token how much of it an address holds. */
export const balanceCall = (token: string, address: string) => ({ to: token, data: `${BALANCE}${address.slice(2).padStart(64, '0')}` })

/** A number as JSON-RPC takes it. */
export const quantity = (number: number | bigint): string => `0x${number.toString(16)}`

/** @throws NodeAway when an answer is of another shape: nothing is known then */
export function shaped<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer)
  if (!result.success) throw nonsense()
  return result.output
}

export const nonsense = () => new NodeAway('the node answered nonsense')
