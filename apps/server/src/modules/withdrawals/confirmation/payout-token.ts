import type { Units } from '@tizara/money'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { isSigned, signatureOf } from '../../../platform/crypto/sign.ts'
import { addressKey, type Network } from '../addresses/address.rules.ts'

/**
 * Signs tokens for links and step-ups. The server stores no tokens, because a token's effect depends only on the current state of its
 * subject. Tokens signed with the previous key stay valid after a rotation.
 */
type Keys = Pick<Deps, 'config'>

/** Step-up lifetime in ms. */
const STEP_UP_MS = 5 * 60_000

export interface LinkSubject {
  about: 'payout' | 'address'
  /** Public id. */
  id: string
}

const LINK = 'payout link'

export function linkToken({ config }: Keys, { about, id }: LinkSubject): string {
  const message = `${about}.${id}`
  return `${message}.${signatureOf(config.dataKey, LINK, message)}`
}

/** Reads the subject of a mailed link's token; undefined if the signature is invalid. */
export function readLinkToken(keys: Keys, token: string | undefined): LinkSubject | undefined {
  const [about, id = '', signature = '', ...rest] = (token ?? '').split('.')
  if ((about !== 'payout' && about !== 'address') || rest.length > 0) return undefined
  return isSigned(keys, LINK, `${about}.${id}`, signature) ? { about, id } : undefined
}

/** Payout covered by a step-up proof. */
export interface ProvedPayout {
  memberId: bigint
  sessionId: bigint
  kind: 'withdrawal' | 'bridge' | 'transfer'
  amount: Units
  address: string
  network: Network
}

const STEP_UP = 'payout step-up'
const proofText = ({ memberId, sessionId, kind, amount, address, network }: ProvedPayout, head: string) =>
  [memberId, sessionId, kind, amount, network, addressKey(address, network), head].join(' ')

/** Signs a token as proof that this member has just confirmed this payout in this session. */
export function stepUpToken({ config, clock, ids }: Pick<Deps, 'config' | 'clock' | 'ids'>, payout: ProvedPayout): string {
  const head = `${clock.now().getTime() + STEP_UP_MS}.${ids.publicId()}`
  return `${head}.${signatureOf(config.dataKey, STEP_UP, proofText(payout, head))}`
}

/** Returns true if a token is valid for exactly this payout now. */
export function isStepUp(keys: Pick<Deps, 'config' | 'clock'>, token: string, payout: ProvedPayout): boolean {
  const [until = '', nonce = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(keys, STEP_UP, proofText(payout, `${until}.${nonce}`), signature)) return false
  return Number(until) > keys.clock.now().getTime()
}
