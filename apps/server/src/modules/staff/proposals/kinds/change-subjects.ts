import { staffRoles } from '@tizara/contract/staff'
import { purchaseKinds } from '@tizara/contract/staff-purchases'
import { asset } from '@tizara/contract/wallets'
import { proposal } from '@tizara/contract/staff-changes'
import { limitsValue, settingsValue } from '@tizara/contract/staff-values'
import { coinInput, echoed, email, id, line, NAME_MAX_LENGTH } from '@tizara/contract'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { writeJson } from '../../../../http/server/json.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { currentAnnouncement } from '../../../announcements/index.ts'
import { memberByEmail, memberByPublicId } from '../../../members/index.ts'
import { nftValues } from '../../../nfts/index.ts'
import { currentPolicy, currentProgramme } from '../../../rewards/index.ts'
import { currentSettings } from '../../../settings/index.ts'
import { planValues } from '../../../staking/index.ts'
import { currentStop } from '../../../../ledger/index.ts'

const reason = v.string()

/** Coin for a special member (MF-25). */
const credit = v.object({ subject: v.literal('credit'), value: v.object({ memberId: id, email: v.string(), amount: coinInput }), reason })
/** Money for the reward pool above the limit: out of the house's stock, or the operator's own from outside. */
const fund = v.object({
  subject: v.literal('fund'),
  value: v.object({ asset, amount: coinInput, source: v.picklist(['stock', 'operator']) }),
  reason,
})
/** A purchase that is to be undone; whose it is and its amount are there for whoever decides. */
const undo = v.object({
  subject: v.literal('undo'),
  value: v.object({ kind: v.picklist(purchaseKinds), id, email: v.string(), asset, amount: coinInput }),
  reason,
})
/** Held rewards of a member that are to be taken back: those that were there up to the newest. */
const cancelRewards = v.object({
  subject: v.literal('cancel-rewards'),
  value: v.object({
    memberId: id,
    email: v.string(),
    from: v.nullable(v.string()),
    newest: v.pipe(v.string(), v.regex(/^\d{1,18}$/)),
    rewards: v.number(),
    coin: echoed,
    usd: echoed,
  }),
  reason,
})
const staff = v.object({
  subject: v.literal('staff'),
  value: v.object({
    email,
    name: line(NAME_MAX_LENGTH),
    phone: v.string(),
    role: v.picklist(['MEMBER', ...staffRoles], 'Invalid role'),
  }),
  reason,
})

/** An authenticator app that its owner lost. */
const secondFactor = v.object({ subject: v.literal('second-factor'), value: v.object({ email }), reason })

/** A transfer that is taken back; the rest is there for whoever decides. */
const reversal = v.object({
  subject: v.literal('reversal'),
  value: v.object({
    transferId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/)),
    what: v.string(),
    asset,
    amount: coinInput,
    from: v.string(),
    to: v.string(),
  }),
  reason,
})

/** Ending the sessions of somebody of the staff. */
const sessions = v.object({ subject: v.literal('sessions'), value: v.object({ memberId: id, email }), reason })

/** Blocking somebody of the staff, or letting anybody in again. */
const status = v.object({ subject: v.literal('status'), value: v.object({ memberId: id, email, status: v.boolean() }), reason })

/** A place among the special members. */
const givenPlace = v.object({ subject: v.literal('special'), value: v.object({ memberId: id, email: v.string() }), reason })
/** A rank that the programme leaves alone. */
const givenRank = v.object({ subject: v.literal('rank'), value: v.object({ memberId: id, email: v.string(), rank: v.string() }), reason })

/** Letting go on what a stop holds; the stop is named by its moment. */
const liftStop = v.object({ subject: v.literal('lift-stop'), value: v.object({ since: v.string(), why: v.string() }), reason })

/** What is to be done where the chain leaves it open, and about what, as it was shown. */
const chainAnswer = v.object({
  subject: v.literal('chain-answer'),
  value: v.object({
    about: v.picklist(['incident', 'payout']),
    id,
    answer: v.picklist(['SEEN', 'GIVE_BACK', 'ARRIVED']),
    what: v.string(),
  }),
  reason,
})

/** Everything that one person proposes and another one puts in force. */
const change = v.variant('subject', [
  proposal,
  credit,
  fund,
  staff,
  undo,
  cancelRewards,
  secondFactor,
  sessions,
  status,
  liftStop,
  reversal,
  chainAnswer,
  givenPlace,
  givenRank,
])
export type Change = v.InferOutput<typeof change>

/** A value as it is stored and shown: JSON, amounts as plain decimals. */
export const asJson = (value: unknown): unknown => JSON.parse(writeJson(value))

/**
 * Reads a stored change with the rules that hold now.
 * @throws AppError CHANGE_OUTDATED when it no longer fits them
 */
export function readChange({ subject, value, reason: why }: { subject: string; value: unknown; reason: string }): Change {
  const read = v.safeParse(change, { subject, value, reason: why })
  if (!read.success) throw new AppError('CHANGE_OUTDATED')
  return read.output
}

const SETTINGS = Object.keys(settingsValue.entries) as (keyof typeof settingsValue.entries)[]
const LIMITS = Object.keys(limitsValue.entries) as (keyof typeof limitsValue.entries)[]

const pick = <T extends object, Key extends keyof T>(from: T, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, Key>

/** The settings of the operator at a moment, as the catalogue shows them. */
export async function operatorSettings(db: Db, deps: Pick<Deps, 'config'>, at: Date) {
  const current = await currentSettings(db, at)
  const { version, coinPrice, allowedEmailDomains } = current
  return {
    version,
    coinPrice,
    settings: { ...pick(current, SETTINGS), allowedEmailDomains: allowedEmailDomains ?? deps.config.allowedEmailDomains },
    limits: pick(current, LIMITS),
  }
}

/** The reward programme as the catalogue shows it. */
export async function programmeValues(db: Db, at: Date) {
  const { version, startsAt: _, ...rules } = await currentProgramme(db, at)
  return {
    version,
    rules: {
      referralPercent: rules.referralPercent,
      levelPercents: [...rules.levelPercents],
      bountyPercents: [...rules.bountyPercents],
      stakeLogLevelPercents: [...rules.stakeLogLevelPercents],
      stakeLogBountyPercents: [...rules.stakeLogBountyPercents],
      nftLevelPercents: [...rules.nftLevelPercents],
      nftBountyPercents: [...rules.nftBountyPercents],
      fullLevelShareDays: rules.fullLevelShareDays,
      ranks: rules.ranks.map(({ rank, teamStake, bonus }) => ({ rank, teamStake, bonus })),
    },
  }
}

/** What stands against promised rewards besides the pool, as the catalogue shows it. */
export async function coverValues(db: Db) {
  const { coverageMode, committed } = await currentPolicy(db)
  return { coverageMode, committedCoin: committed.COIN, committedUsd: committed.USD }
}

/** The announcement in force at a moment, or null. */
export async function popupValues(db: Db, at: Date) {
  const popup = await currentAnnouncement(db, at)
  return popup === null ? null : { title: popup.title, message: popup.message, isActive: popup.isActive }
}

const keysOf = (wanted: object, from: object) => Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(wanted, key)))

/** A change of a plan or NFT names it; what holds does not. */
export function withoutIds(value: unknown): object {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'planId' && key !== 'nftId'))
}

/**
 * All fields of what a change touches as they hold, or are planned to, at a moment, as JSON; null for something new.
 * @throws AppError NOT_FOUND when it is about something that does not exist then
 */
export async function holdsAt(db: Db, deps: Pick<Deps, 'config'>, wanted: Change, at: Date): Promise<unknown> {
  switch (wanted.subject) {
    case 'price':
    case 'settings':
    case 'limits': {
      const { coinPrice, settings, limits } = await operatorSettings(db, deps, at)
      return asJson({ coinPrice, ...settings, ...limits })
    }
    case 'programme':
      return asJson((await programmeValues(db, at)).rules)
    case 'cover':
      return asJson(await coverValues(db))
    case 'plan':
      return wanted.value.planId === undefined ? null : asJson(await planValues(db, wanted.value.planId, at))
    case 'nft':
      return wanted.value.nftId === undefined ? null : asJson(await nftValues(db, wanted.value.nftId, at))
    case 'popup':
      return popupValues(db, at)
    case 'staff':
      return { role: (await memberByEmail(db, wanted.value.email))?.role ?? null }
    case 'status':
      return { status: (await memberByEmail(db, wanted.value.email))?.is_active ?? null }
    case 'special':
      return { isSpecialRcm: (await memberByPublicId(db, wanted.value.memberId))?.is_special_rcm ?? null }
    case 'rank':
      return { rank: (await memberByPublicId(db, wanted.value.memberId))?.rank ?? null }
    case 'lift-stop':
      return { since: (await currentStop(db))?.since.toISOString() ?? null }
    case 'credit':
    case 'fund':
    case 'undo':
    case 'cancel-rewards':
    case 'second-factor':
    case 'sessions':
    case 'reversal':
    case 'chain-answer':
      return null
  }
}

/**
 * What a change rests on, out of all fields that hold: those that it names; the whole of a plan, an NFT, an announcement.
 * @param holds as `holdsAt` has it
 */
export function baseFrom(wanted: Pick<Change, 'subject' | 'value'>, holds: unknown): unknown {
  const partial = ['price', 'settings', 'limits', 'programme', 'cover'].includes(wanted.subject)
  return partial && typeof holds === 'object' && holds !== null ? keysOf(wanted.value, holds) : holds
}

/**
 * What holds at a moment for everything that a change touches, as JSON; null for something new.
 * @throws AppError NOT_FOUND when it is about something that does not exist
 */
export async function baseOf(db: Db, deps: Pick<Deps, 'config'>, wanted: Change, at: Date): Promise<unknown> {
  return baseFrom(wanted, await holdsAt(db, deps, wanted, at))
}

/** Whether two JSON values are the same. */
export const sameJson = (a: unknown, b: unknown) => isDeepStrictEqual(a, b)
