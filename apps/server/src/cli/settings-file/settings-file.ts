import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { asset } from '@tizara/contract/wallets'
import {
  brandValue,
  limitsValue,
  nftValue,
  planValue,
  popupValue,
  priceValue,
  programmeValue,
  settingsValue,
} from '@tizara/contract/staff-values'
import type { Proposal } from '@tizara/contract/staff-changes'
import { echoed } from '@tizara/contract'
import { formatUnits } from '@tizara/money'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { readJson, writeJson } from '../../http/server/json.ts'
import { BadUsage } from '../staff/errors.ts'
import { errorText, fileErrorText } from '../../platform/runtime/error-text.ts'

const { planId: _, ...planEntries } = planValue.entries
const { nftId: __, ...nftEntries } = nftValue.entries

/** Hash of an uploaded logo. */
const HASH = /^[0-9a-f]{64}$/
/** Path of an SVG or PNG file, relative to the settings file; or the hash of an uploaded logo, as `settings export` prints it. */
const logo = v.optional(v.nullable(v.string()), null)

/**
 * All products and terms of a platform in one file. Amounts, prices and percentages are numbers or decimal text. Omitted
 * parts stay unchanged. Plans and NFTs are identified by name.
 */
export const settingsFile = v.strictObject({
  $schema: v.optional(v.string()),
  price: v.optional(priceValue),
  settings: v.optional(settingsValue),
  limits: v.optional(limitsValue),
  programme: v.optional(programmeValue),
  popup: v.optional(v.nullable(popupValue)),
  brand: v.optional(v.strictObject({ ...brandValue.entries, logo, logoDark: logo })),
  plans: v.optional(v.array(v.strictObject(planEntries))),
  nfts: v.optional(v.array(v.strictObject(nftEntries))),
  /** The operator's commitment to the reward pool (docs/glossary.md), and whether sales stop when it does not suffice. */
  commitment: v.optional(v.strictObject({ coin: v.optional(echoed), usd: v.optional(echoed) })),
  /** Total of the operator's external payments into the reward pool. The missing part is paid in. */
  pool: v.optional(v.array(v.strictObject({ asset, amount: echoed }))),
})
export type SettingsFile = v.InferOutput<typeof settingsFile>

/** A difference between the file and the current values. */
export type PlatformChange = Pick<Proposal, 'subject' | 'value'>

/** @throws BadUsage if a file is truncated or holds anything but an object */
function readObject(file: string): unknown {
  try {
    // Editors on Windows start a file with a byte order mark.
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    // Reports the position of a syntax error. `readJson` then parses the numbers exactly.
    const plain: unknown = JSON.parse(text)
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) throw new Error('must contain a JSON object {…}')
    return readJson(text)
  } catch (error) {
    throw new BadUsage(fileErrorText(file, error))
  }
}

/** Returns the fields of a brand that name a file. */
const logoFiles = ({ brand }: SettingsFile) =>
  (['logo', 'logoDark'] as const).flatMap((field) => {
    const name = brand?.[field]
    return typeof name !== 'string' || HASH.test(name) ? [] : [{ field, name }]
  })

/**
 * Reads the logos that a settings file names, and replaces their paths by their hashes. The server checks the files when they are uploaded.
 * @param file the settings file, to which paths are relative
 * @throws BadUsage for a path that cannot be read
 */
export function readLogos(file: string, desired: SettingsFile): { desired: SettingsFile; logos: Buffer<ArrayBuffer>[] } {
  const found = logoFiles(desired).map(({ field, name }) => {
    const logoFile = path.resolve(path.dirname(file), name)
    try {
      return { field, bytes: readFileSync(logoFile) }
    } catch (error) {
      throw new BadUsage(`brand.${field}: ${errorText(error, logoFile)}`)
    }
  })
  const hashes = Object.fromEntries(found.map(({ field, bytes }) => [field, createHash('sha256').update(bytes).digest('hex')]))
  const { brand } = desired
  return { desired: brand === undefined ? desired : { ...desired, brand: { ...brand, ...hashes } }, logos: found.map(({ bytes }) => bytes) }
}

/**
 * Reads a settings file.
 * @throws BadUsage that names every fault and every unknown key
 */
export function readSettingsFile(file: string): SettingsFile {
  const content = readObject(file)
  const read = v.safeParse(settingsFile, content)
  if (read.success) return read.output
  const fault = (issue: v.BaseIssue<unknown>) =>
    `  ${v.getDotPath(issue) ?? 'the file'}: ${issue.type === 'strict_object' && issue.expected === 'never' ? 'is not a known key' : issue.message}`
  throw new BadUsage(`${file}:\n${read.issues.map(fault).join('\n')}`)
}

/** Operator money that the file requests for the reward pool, beyond the amount paid in. */
type Funding = NonNullable<SettingsFile['pool']>

/**
 * Computes the missing part of the file's pool.
 * @throws BadUsage when the file names less than was paid in, or an asset twice
 */
export function fundingTo(platform: CurrentPlatform, { pool = [] }: SettingsFile): Funding {
  return pool.flatMap(({ asset: of, amount }, index) => {
    if (pool.findIndex((one) => one.asset === of) !== index) throw new BadUsage(`pool: ${of} is listed twice.`)
    const before = platform.pool?.find((one) => one.asset === of)?.amount ?? 0n
    if (amount < before)
      throw new BadUsage(`pool: ${formatUnits(before)} ${of} have already been paid in and cannot be withdrawn. Enter that amount or more.`)
    return amount === before ? [] : [{ asset: of, amount: amount - before }]
  })
}

/** Lists the differences of a file, in the order in which they can be applied. */
export function changesTo(platform: CurrentPlatform, desired: SettingsFile): PlatformChange[] {
  const changes: PlatformChange[] = []
  const { price, settings, limits, programme, popup, brand, commitment } = desired
  const changedCommitment = changedFields(commitment, platform.commitment)
  const changed = {
    settings: changedFields(settings, platform.settings),
    limits: changedFields(limits, platform.limits),
    programme: changedFields(programme, platform.programme),
  }
  if (changed.settings !== undefined) changes.push({ subject: 'settings', value: changed.settings })
  if (price !== undefined && price.coinPrice !== platform.price?.coinPrice) changes.push({ subject: 'price', value: price })
  if (changed.limits !== undefined) changes.push({ subject: 'limits', value: changed.limits })
  if (changedCommitment !== undefined)
    changes.push({ subject: 'commitment', value: { committedCoin: changedCommitment.coin, committedUsd: changedCommitment.usd } })
  if (changed.programme !== undefined) changes.push({ subject: 'programme', value: changed.programme })
  if (popup !== undefined && popup !== null && !isDeepStrictEqual(popup, platform.popup)) changes.push({ subject: 'popup', value: popup })
  if (brand !== undefined && !isDeepStrictEqual(brand, platform.brand)) changes.push({ subject: 'brand', value: brand })
  for (const plan of desired.plans ?? []) {
    const id = named('planName', plan.planName, platform.plans ?? [])
    const { id: planId, ...now } = id ?? {}
    if (!isDeepStrictEqual(now, plan)) changes.push({ subject: 'plan', value: { ...plan, ...(planId === undefined ? {} : { planId }) } })
  }
  for (const nft of desired.nfts ?? []) {
    const { id: nftId, ...now } = named('name', nft.name, platform.nfts ?? []) ?? {}
    if (!isDeepStrictEqual(now, nft)) changes.push({ subject: 'nft', value: { ...nft, ...(nftId === undefined ? {} : { nftId }) } })
  }
  return changes
}

type Named<T> = T & { id: string }
/** The current configuration, in the form of the file; plans and NFTs with their ids. */
export type CurrentPlatform = Omit<SettingsFile, 'plans' | 'nfts'> & {
  plans?: Named<NonNullable<SettingsFile['plans']>[number]>[]
  nfts?: Named<NonNullable<SettingsFile['nfts']>[number]>[]
}

/** Returns the changed fields of a part; undefined without a change. */
function changedFields<T extends object>(desired: T | undefined, current: T | undefined): T | undefined {
  const changed = Object.entries(desired ?? {}).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, current?.[key as keyof T]),
  )
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as T)
}

function named<K extends string, T extends { [key in K]: string }>(key: K, name: string, list: readonly T[]): T | undefined {
  const found = list.filter((one) => one[key] === name)
  if (found.length > 1) throw new BadUsage(`Two entries have the name ${name}. Change one of them by its id (staff propose-change).`)
  return found[0]
}

const pick = (desired: object, from: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(desired).flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])))

/** Formats an amount of the server or of the API. */
const exact = (value: unknown) => (typeof value === 'bigint' ? formatUnits(value) : String(value))

/** Converts the staff catalogue and the pool's payments to the form of the file. */
export function toCurrentPlatform(answer: unknown, rewardPool: unknown): CurrentPlatform {
  const catalogue = JSON.parse(writeJson(answer)) as Record<string, unknown>
  const committed = catalogue['commitment'] as Record<string, unknown>
  const { assets } = rewardPool as { assets: Record<string, unknown>[] }
  const list = (name: string) => (catalogue[name] as Record<string, unknown>[] | undefined) ?? []
  const shaped = v.parse(settingsFile, {
    price: { coinPrice: catalogue['coinPrice'] },
    settings: catalogue['settings'],
    limits: catalogue['limits'],
    programme: catalogue['programme'],
    popup: catalogue['popup'],
    brand: catalogue['brand'],
    commitment: { coin: committed['committedCoin'], usd: committed['committedUsd'] },
    pool: assets.map((one) => ({ asset: one['asset'], amount: exact(one['fromOperator']) })),
    plans: list('plans').map((plan) => pick(planEntries, plan)),
    nfts: list('nfts').map((nft) => pick(nftEntries, nft)),
  })
  const withIds = <T>(shape: readonly T[] | undefined, name: string) =>
    (shape ?? []).map((one, n) => ({ ...one, id: String(list(name)[n]?.['id']) }))
  return { ...shaped, plans: withIds(shaped.plans, 'plans'), nfts: withIds(shaped.nfts, 'nfts') }
}
