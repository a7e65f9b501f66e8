import type { Units } from '@tizara/money'
import type { Deps } from '../../platform/runtime/deps.ts'
import { isSigned, signatureOf } from '../../platform/crypto/sign.ts'
import { addressKey, type Network } from './address.rules.ts'

/**
 * Signed tokens: what they allow hangs on the state of what they name, so that none has to be stored. A rotated key opens
 * what the one before signed.
 */
type Keys = Pick<Deps, 'config'>

/** How long a step-up may wait for its payout. */
const STEP_UP_MS = 5 * 60_000

export interface LinkSubject {
  about: 'payout' | 'address'
  /** Its id on the wire. */
  id: string
}

const LINK = 'payout link'

export function linkToken({ config }: Keys, { about, id }: LinkSubject): string {
  const said = `${about}.${id}`
  return `${said}.${signatureOf(config.dataKey, LINK, said)}`
}

/** What a token of a mailed link is about; undefined when it is none of ours. */
export function readLinkToken(keys: Keys, token: string | undefined): LinkSubject | undefined {
  const [about, id = '', signature = '', ...rest] = (token ?? '').split('.')
  if ((about !== 'payout' && about !== 'address') || rest.length > 0) return undefined
  return isSigned(keys, LINK, `${about}.${id}`, signature) ? { about, id } : undefined
}

/** The one payout that a step-up is for. */
export interface ProvedPayout {
  memberId: bigint
  sessionId: bigint
  kind: 'withdrawal' | 'bridge' | 'transfer'
  amount: Units
  address: string
  network: Network
}

const STEP_UP = 'payout step-up'
const saidOf = ({ memberId, sessionId, kind, amount, address, network }: ProvedPayout, head: string) =>
  [memberId, sessionId, kind, amount, network, addressKey(address, network), head].join(' ')

/** The token that says: this member, in this session, has just proved this payout. */
export function stepUpToken({ config, clock, ids }: Pick<Deps, 'config' | 'clock' | 'ids'>, payout: ProvedPayout): string {
  const head = `${clock.now().getTime() + STEP_UP_MS}.${ids.publicId()}`
  return `${head}.${signatureOf(config.dataKey, STEP_UP, saidOf(payout, head))}`
}

/** Whether a token is good for exactly this payout, now. */
export function isStepUp(keys: Pick<Deps, 'config' | 'clock'>, token: string, payout: ProvedPayout): boolean {
  const [until = '', nonce = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(keys, STEP_UP, saidOf(payout, `${until}.${nonce}`), signature)) return false
  return Number(until) > keys.clock.now().getTime()
}
