import { email, line, personName } from '@tizara/contract'
import { phone } from '@tizara/contract/auth'
import { NAME_MAX_LENGTH, REFERRAL_CODE_MIN_LENGTH } from '@tizara/contract/limits'
import { STAKE_ABOVE } from '@tizara/contract'
import { parseUnits, type Units } from '@tizara/money'
import * as v from 'valibot'
import { walletKinds } from '../../ledger/index.ts'
import { systemClock } from '../../platform/runtime/clock.ts'
import { isImportedHash } from './password-format.rules.ts'

/** Id of a member on the old platform. */
const oldId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'Must be 1 to 64 letters, digits, dots, dashes or underscores'))

const flag = v.pipe(
  v.picklist(['true', 'false'], 'Must be true or false'),
  v.transform((text): boolean => text === 'true'),
)

/** Longest plan in days, longest NFT in months, and highest percent over the duration, in units: the limits of the catalogue. */
const MAX_PLAN_DAYS = 3650
const MAX_NFT_MONTHS = 120
const MAX_PLAN_PERCENT = 10_000_00000000n

/** Earliest accepted time; an earlier one is a unit error, such as seconds read as milliseconds. */
const FIRST_TIME = Date.UTC(2000, 0, 1)

const pastTime = v.pipe(
  v.string(),
  // Also false for 30 February, which JavaScript reads as 2 March.
  v.check((text) => new Date(text).toJSON() === text.replace('Z', '.000Z'), 'Must be an existing time in UTC such as 2021-03-04T05:06:07Z'),
  v.transform((text): Date => new Date(text)),
  v.check((time) => time.getTime() >= FIRST_TIME && time <= systemClock.now(), 'Must be a past time since 2000'),
)

const code = v.pipe(
  v.string(),
  v.regex(
    new RegExp(`^[A-Za-z0-9_-]{${REFERRAL_CODE_MIN_LENGTH},64}$`),
    `Must be ${REFERRAL_CODE_MIN_LENGTH} to 64 letters, digits, dashes or underscores`,
  ),
  v.transform((text): string => text.toUpperCase()),
)

/** Number above a limit with at most 8 decimals, in units. */
const unitsAbove = (limit: Units, message: string) =>
  v.pipe(
    v.string(),
    v.rawTransform<string, Units>(({ dataset, addIssue, NEVER }) => {
      const units = /^\d+(\.\d{1,8})?$/.test(dataset.value) ? parseUnits(dataset.value) : null
      if (units !== null && units > limit) return units
      addIssue({ message })
      return NEVER
    }),
  )
const amount = unitsAbove(0n, 'Must be an amount above 0 with at most 8 decimals, such as 12.5')

const wholeNumber = (least: number, most: number) => {
  const message = `Must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,4}$/, message),
    v.transform(Number),
    v.check((count) => count >= least && count <= most, message),
  )
}

const percent = v.pipe(
  unitsAbove(0n, 'Must be percent above 0 with at most 8 decimals, such as 12.5'),
  v.maxValue<bigint, bigint, string>(MAX_PLAN_PERCENT, 'Must be at most 10000'),
)

/** `members.csv`: one row per member, sponsors before the members whom they referred. */
export const membersFile = {
  name: 'members.csv',
  row: v.object({
    id: oldId,
    email,
    name: personName(NAME_MAX_LENGTH),
    phone,
    referral_code: code,
    sponsor_id: v.union([v.literal(''), oldId], 'Must be the id of a member, or empty'),
    joined_at: pastTime,
    verified: flag,
    active: flag,
    // The message must not repeat the hash.
    password_hash: v.pipe(
      v.string(),
      v.check((hash) => hash === '' || isImportedHash(hash), 'Must be a bcrypt or Argon2 hash of the accepted cost, or empty'),
    ),
  }),
} as const

/** `balances.csv`: one row per member and wallet. */
export const balancesFile = {
  name: 'balances.csv',
  row: v.object({ member_id: oldId, wallet: v.picklist(walletKinds, `Must be one of ${walletKinds.join(', ')}`), amount }),
} as const

/** `standing.csv`: ranks and special members. A rank of this file counts as granted by staff. */
export const standingFile = {
  name: 'standing.csv',
  row: v.object({
    member_id: oldId,
    rank: v.pipe(v.string(), v.regex(/^[a-z0-9-]{0,40}$/, 'Must be the name of a rank, or empty')),
    special: flag,
  }),
} as const

/** `stakes.csv`: running stakes with their own terms. A member may have several. */
export const stakesFile = {
  name: 'stakes.csv',
  row: v.object({
    member_id: oldId,
    plan: v.pipe(v.string(), v.minLength(1, 'Must be the name of a stake plan of this platform')),
    /** Wallet that receives the principal at maturity. */
    wallet: v.picklist(['nativeWallet', 'icoWallet'], 'Must be nativeWallet or icoWallet'),
    amount: unitsAbove(STAKE_ABOVE, 'Must be above 1 coin with at most 8 decimals, such as 12.5'),
    percent,
    duration_days: wholeNumber(1, MAX_PLAN_DAYS),
    started_at: pastTime,
    paid_days: wholeNumber(0, MAX_PLAN_DAYS),
  }),
} as const

/** `nfts.csv`: NFTs that still pay, with their own terms. A member may have several. */
export const nftsFile = {
  name: 'nfts.csv',
  row: v.object({
    member_id: oldId,
    nft: v.pipe(v.string(), v.minLength(1, 'Must be the name of an NFT of this platform')),
    price: amount,
    percent,
    months: wholeNumber(1, MAX_NFT_MONTHS),
    bought_at: pastTime,
    paid_months: wholeNumber(0, MAX_NFT_MONTHS),
  }),
} as const

/** Longest title and reference of a movement before the move. */
const MAX_HISTORY_TEXT = 120

/** `history.csv`: movements on the old platform, which members can read. No balance depends on them. */
export const historyFile = {
  name: 'history.csv',
  row: v.object({
    member_id: oldId,
    happened_at: pastTime,
    title: line(MAX_HISTORY_TEXT),
    direction: v.picklist(['in', 'out'], 'Must be in or out'),
    unit: v.picklist(['usd', 'coin'], 'Must be usd or coin'),
    amount,
    reference: v.union([v.literal(''), line(MAX_HISTORY_TEXT)], `Must be one line of at most ${MAX_HISTORY_TEXT} characters, or empty`),
  }),
} as const

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** A sum in `totals.json`: text, because JSON numbers lose digits. */
const sum = v.pipe(
  v.string('Must be text such as "12.50"'),
  v.regex(/^\d+(\.\d{1,8})?$/, 'Must be an amount such as "12.50"'),
  v.transform((text): Units => parseUnits(text) ?? -1n),
  v.minValue(0n, 'Must be an amount such as "12.50"'),
)

/** Own rewards that stakes (coin) or NFTs (USD) have yet to pay, without bounties, by UTC month. */
const promised = v.optional(v.record(v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/, 'Must be a month such as 2026-12')), sum), {})

/** `totals.json`: control sums by the old platform. A wallet without a sum must have no balances. */
export const totalsSchema = v.strictObject({
  members: count,
  /** Members with a sponsor: edges of the referral tree. */
  referrals: count,
  balances: v.strictObject(v.entriesFromList(walletKinds, v.optional(sum))),
  specialMembers: count,
  ranked: count,
  stakes: v.optional(count, 0),
  nfts: v.optional(count, 0),
  /** Rows of `history.csv`. */
  history: v.optional(count, 0),
  promisedCoin: promised,
  promisedUsd: promised,
})
export type Totals = v.InferOutput<typeof totalsSchema>

export type MemberRow = v.InferOutput<typeof membersFile.row>
export type BalanceRow = v.InferOutput<typeof balancesFile.row>
export type HistoryRow = v.InferOutput<typeof historyFile.row>
export type NftRow = v.InferOutput<typeof nftsFile.row>
export type StakeRow = v.InferOutput<typeof stakesFile.row>
export type StandingRow = v.InferOutput<typeof standingFile.row>
