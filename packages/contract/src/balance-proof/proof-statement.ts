import { ProofError } from './proof-error.ts'
import { MAX_SUM, proofTrees, sha256OfText, type Sums } from './sum-tree.ts'

/** Root of one tree. */
export interface TreeRoot extends Sums {
  leaves: number
  /** Lower-case hex. */
  root: string
}

/** Roles of a reserve address whose balance the statement names. */
export const reserveRoles = ['payouts', 'swept', 'cold'] as const

/** Balance of one address at the block of the statement. Only USD is a reserve, because the platform issued the coin itself. */
export interface ReserveHolding {
  /** Lower case. */
  address: string
  role: (typeof reserveRoles)[number]
  /** Token contract, lower case. */
  token: string
  usd: bigint
  /**
   * Signature by the key of the address, which proves that the address belongs to the platform (`reserveText`). The payout address has no
   * signature, because it signs the statement. Without a signature, collected deposits are listed but do not count as a reserve.
   */
  signature: string | null
}

/** Reserves read from the chain at one block. */
export interface ChainReserves {
  chainId: number
  block: number
  holdings: ReserveHolding[]
  /** Numbers of deposit addresses: with unswept payments in the books, others in this reading, and all. The addresses stay private. */
  deposits: { unswept: number; inTurn: number; all: number; usd: bigint }
}

/** Reasons for a statement without reserves. */
export const reserveGaps = {
  'no-chain': 'The platform is connected to no chain. Payments go through a payment provider, whose balance is not public.',
  'no-usd-token': 'The platform is connected to a chain, but accepts no USD token on it.',
  'no-key': 'The key that proves the addresses is kept elsewhere.',
  unreachable: 'The chain did not answer when the day was published.',
} as const satisfies Record<string, string>
export type ReserveGap = keyof typeof reserveGaps

/** A day's published statement. */
export interface ProofStatement {
  platform: string
  /** Consecutive, from 1. */
  number: number
  day: string
  /** ISO 8601. */
  at: string
  /** Digest of the statement before; zeros for the first. */
  previous: string
  members: number
  owed: TreeRoot
  promised: TreeRoot
  /** Part of `promised` that belongs to no member yet, in one leaf named `platform`. */
  unassigned: Sums
  reserves: ChainReserves | ReserveGap
}

/** First line of each statement. */
const HEADING = 'Proof of balances, format 1, amounts in units of 0.00000001'
/** Digest before the first statement. */
export const NO_DIGEST = '0'.repeat(64)

/** Returns the platform's name in one line, as statements contain it. */
export const platformName = (name: string): string => name.replaceAll(/\s+/g, ' ').trim()

/**
 * Writes a statement in its only valid text form. The platform signs this text, and the SHA-256 of the text is the digest in the history.
 * @throws ProofError if a value has no exact text
 */
export function writeStatement(statement: ProofStatement): string {
  const { platform, number, day, at, previous, members, unassigned, reserves } = statement
  const text = [
    HEADING,
    `platform ${platformName(platform)}`,
    `number ${number}`,
    `day ${day}`,
    `at ${at}`,
    `previous ${previous}`,
    `members ${members}`,
    ...proofTrees.map((tree) => {
      const { leaves, root, usd, coin } = statement[tree]
      return `${tree} leaves ${leaves} root ${root} usd ${usd} coin ${coin}`
    }),
    `unassigned usd ${unassigned.usd} coin ${unassigned.coin}`,
    ...reserveLines(reserves),
  ].join('\n')
  readStatement(text)
  return text
}

function reserveLines(reserves: ChainReserves | ReserveGap): string[] {
  if (typeof reserves === 'string') return [`reserves none ${reserves}`]
  const { chainId, block, holdings, deposits } = reserves
  return [
    `reserves chain ${chainId} block ${block}`,
    ...holdings.map(
      ({ address, role, token, usd, signature }) =>
        `reserve ${role} ${address} token ${token} usd ${usd}${signature === null ? '' : ` signature ${signature}`}`,
    ),
    `deposits unswept ${deposits.unswept} in-turn ${deposits.inTurn} all ${deposits.all} usd ${deposits.usd}`,
  ]
}

const N = '(0|[1-9]\\d{0,18})'
const HEX = '([0-9a-f]{64})'
const ADDRESS = '(0x[0-9a-f]{40})'
const line = (pattern: string) => new RegExp(`^${pattern}$`)
const TREE = `leaves ${N} root ${HEX} usd ${N} coin ${N}`
const LINES = {
  platform: line('platform (\\S.*)'),
  number: line(`number ${N}`),
  day: line('day (\\d{4}-\\d{2}-\\d{2})'),
  at: line('at (\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)'),
  previous: line(`previous ${HEX}`),
  members: line(`members ${N}`),
  owed: line(`owed ${TREE}`),
  promised: line(`promised ${TREE}`),
  unassigned: line(`unassigned usd ${N} coin ${N}`),
  none: line('reserves none ([a-z-]+)'),
  chain: line(`reserves chain ${N} block ${N}`),
  reserve: line(`reserve (${reserveRoles.join('|')}) ${ADDRESS} token ${ADDRESS} usd ${N}(?: signature (0x[0-9a-f]{130}))?`),
  deposits: line(`deposits unswept ${N} in-turn ${N} all ${N} usd ${N}`),
}

/**
 * Reads a statement.
 * @throws ProofError `format` for any other text, `overflow` for a sum beyond 2^63 - 1
 */
export function readStatement(text: string): ProofStatement {
  const lines = text.split('\n')
  const next = (name: keyof typeof LINES): string[] => {
    const found = LINES[name].exec(lines.shift() ?? '')
    if (found === null) throw new ProofError('format')
    return found.slice(1)
  }
  const one = (name: keyof typeof LINES) => next(name)[0] ?? ''
  if (lines.shift() !== HEADING) throw new ProofError('format')
  const statement = {
    platform: one('platform'),
    number: Number(one('number')),
    day: one('day'),
    at: one('at'),
    previous: one('previous'),
    members: Number(one('members')),
    owed: rootOf(next('owed')),
    promised: rootOf(next('promised')),
    unassigned: sumsOf(next('unassigned')),
  }
  const reserves = readReserves(lines, next)
  if (lines.length > 0) throw new ProofError('format')
  return { ...statement, reserves }
}

function readReserves(lines: string[], next: (name: keyof typeof LINES) => string[]): ChainReserves | ReserveGap {
  if (LINES.none.test(lines[0] ?? '')) {
    const gap = next('none')[0] ?? ''
    if (!isGap(gap)) throw new ProofError('format')
    return gap
  }
  const [chainId, block] = next('chain').map(Number)
  const holdings: ReserveHolding[] = []
  while (LINES.reserve.test(lines[0] ?? '')) {
    const [role, address = '', token = '', usd = '', signature = null] = next('reserve')
    const known = reserveRoles.find((name) => name === role)
    if (known === undefined || (known === 'cold' && signature === null)) throw new ProofError('format')
    if (holdings.some((one) => one.address === address || (one.role === 'payouts' && known === 'payouts'))) throw new ProofError('format')
    holdings.push({ role: known, address, token, usd: sumOf(usd), signature })
  }
  const [unswept = '', inTurn = '', all = '', usd = ''] = next('deposits')
  const deposits = { unswept: Number(unswept), inTurn: Number(inTurn), all: Number(all), usd: sumOf(usd) }
  return { chainId: chainId ?? 0, block: block ?? 0, holdings, deposits }
}

const isGap = (text: string): text is ReserveGap => Object.hasOwn(reserveGaps, text)

function rootOf([leaves = '', root = '', usd = '', coin = '']: string[]): TreeRoot {
  return { leaves: Number(leaves), root, ...sumsOf([usd, coin]) }
}

const sumsOf = ([usd = '', coin = '']: string[]): Sums => ({ usd: sumOf(usd), coin: sumOf(coin) })

function sumOf(text: string): bigint {
  const sum = BigInt(text)
  if (sum > MAX_SUM) throw new ProofError('overflow')
  return sum
}

/** Returns a statement's digest: SHA-256 of its text in hex. */
export const digestOf = (text: string): Promise<string> => sha256OfText(text)

/** Returns true if a holding counts as a reserve, because the key of the address has signed. */
export const isProven = ({ role, signature }: ReserveHolding): boolean => role === 'payouts' || signature !== null

/** Returns the USD reserves on the chain in units, or the reason why there are none. Only proven holdings count. */
export function chainUsd(reserves: ChainReserves | ReserveGap): bigint | ReserveGap {
  if (typeof reserves === 'string') return reserves
  return reserves.holdings.filter(isProven).reduce((sum, { usd }) => sum + usd, reserves.deposits.usd)
}
