import { readFileSync } from 'node:fs'
import { asset } from '@tizara/contract/wallets'
import {
  limitsValue,
  nftValue,
  planValue,
  popupValue,
  priceValue,
  programmeValue,
  type Proposal,
  settingsValue,
} from '@tizara/contract/staff-changes'
import { echoed } from '@tizara/contract'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { readJson, writeJson } from '../../http/json.ts'
import { BadUsage } from '../staff/refused.ts'

const { planId: _, ...planEntries } = planValue.entries
const { nftId: __, ...nftEntries } = nftValue.entries

/**
 * Everything that a house sells and promises, as one file. Amounts, prices and percentages are numbers or plain decimal
 * text. What is left out stays as it is; a plan or NFT is known by its name.
 */
export const houseFile = v.strictObject({
  $schema: v.optional(v.string()),
  price: v.optional(priceValue),
  settings: v.optional(settingsValue),
  limits: v.optional(limitsValue),
  programme: v.optional(programmeValue),
  popup: v.optional(v.nullable(popupValue)),
  plans: v.optional(v.array(v.strictObject(planEntries))),
  nfts: v.optional(v.array(v.strictObject(nftEntries))),
  /** What the operator binds itself to put into the reward pool when it is needed (docs/glossary.md). */
  commitment: v.optional(v.strictObject({ coin: v.optional(echoed), usd: v.optional(echoed) })),
  /** Money of the operator from outside that goes into the reward pool at the setup; never read again. */
  pool: v.optional(v.array(v.strictObject({ asset, amount: echoed }))),
})
export type HouseFile = v.InferOutput<typeof houseFile>

/** A change of the file against what holds. */
export type HouseChange = Pick<Proposal, 'subject' | 'value'>

/**
 * Reads a house file.
 * @throws BadUsage that names every fault and every key that is not known
 */
export function readHouseFile(file: string): HouseFile {
  let given: unknown
  try {
    given = readJson(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new BadUsage(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
  const read = v.safeParse(houseFile, given)
  if (read.success) return read.output
  const fault = (issue: v.BaseIssue<unknown>) =>
    `  ${v.getDotPath(issue) ?? 'the file'}: ${issue.type === 'strict_object' && issue.expected === 'never' ? 'is not known here' : issue.message}`
  throw new BadUsage(`${file}:\n${read.issues.map(fault).join('\n')}`)
}

/** What of a file is not so yet, in the order in which it can be put in force. */
export function changesTo(house: StandingHouse, wanted: HouseFile): HouseChange[] {
  const changes: HouseChange[] = []
  const { price, settings, limits, programme, popup } = wanted
  const news = { settings: rest(settings, house.settings), limits: rest(limits, house.limits), programme: rest(programme, house.programme) }
  if (news.settings !== undefined) changes.push({ subject: 'settings', value: news.settings })
  if (price !== undefined && price.coinPrice !== house.price?.coinPrice) changes.push({ subject: 'price', value: price })
  if (news.limits !== undefined) changes.push({ subject: 'limits', value: news.limits })
  if (news.programme !== undefined) changes.push({ subject: 'programme', value: news.programme })
  if (popup !== undefined && popup !== null && !isDeepStrictEqual(popup, house.popup)) changes.push({ subject: 'popup', value: popup })
  for (const plan of wanted.plans ?? []) {
    const id = named('planName', plan.planName, house.plans ?? [])
    const { id: planId, ...now } = id ?? {}
    if (!isDeepStrictEqual(now, plan)) changes.push({ subject: 'plan', value: { ...plan, ...(planId === undefined ? {} : { planId }) } })
  }
  for (const nft of wanted.nfts ?? []) {
    const { id: nftId, ...now } = named('name', nft.name, house.nfts ?? []) ?? {}
    if (!isDeepStrictEqual(now, nft)) changes.push({ subject: 'nft', value: { ...nft, ...(nftId === undefined ? {} : { nftId }) } })
  }
  return changes
}

type Named<T> = T & { id: string }
/** The house as the catalogue of staff shows it, in the form of the file; plans and NFTs with their ids. */
export type StandingHouse = Omit<HouseFile, 'plans' | 'nfts'> & {
  plans?: Named<NonNullable<HouseFile['plans']>[number]>[]
  nfts?: Named<NonNullable<HouseFile['nfts']>[number]>[]
}

/** The fields of a part that differ from what holds; undefined when none does. */
function rest<T extends object>(wanted: T | undefined, standing: T | undefined): T | undefined {
  const news = Object.entries(wanted ?? {}).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, standing?.[key as keyof T]),
  )
  return news.length === 0 ? undefined : (Object.fromEntries(news) as T)
}

function named<K extends string, T extends { [key in K]: string }>(key: K, name: string, list: readonly T[]): T | undefined {
  const found = list.filter((one) => one[key] === name)
  if (found.length > 1) throw new BadUsage(`Two are called ${name}: change one of them by its id (staff propose-change).`)
  return found[0]
}

const pick = (wanted: object, from: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(wanted).flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])))

/** The catalogue of staff, in the form of the file. */
export function houseOf(answer: unknown): StandingHouse {
  const catalogue = JSON.parse(writeJson(answer)) as Record<string, unknown>
  const list = (name: string) => (catalogue[name] as Record<string, unknown>[] | undefined) ?? []
  const shaped = v.parse(houseFile, {
    price: { coinPrice: catalogue['coinPrice'] },
    settings: catalogue['settings'],
    limits: catalogue['limits'],
    programme: catalogue['programme'],
    popup: catalogue['popup'],
    plans: list('plans').map((plan) => pick(planEntries, plan)),
    nfts: list('nfts').map((nft) => pick(nftEntries, nft)),
  })
  const withIds = <T>(shape: readonly T[] | undefined, name: string) =>
    (shape ?? []).map((one, n) => ({ ...one, id: String(list(name)[n]?.['id']) }))
  return { ...shaped, plans: withIds(shaped.plans, 'plans'), nfts: withIds(shaped.nfts, 'nfts') }
}
