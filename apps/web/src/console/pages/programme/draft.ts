import { programmeValue } from '@tizara/contract/staff-values'
import * as v from 'valibot'
import { asText, type Catalogue } from '../catalogue/offers.ts'

/** A draft as form text: figures by path such as `levelPercents.0`, and the ranks. */
export interface Draft {
  cells: Readonly<Record<string, string>>
  ranks: readonly { rank: string; teamStake: string; bonus: string }[]
}

/** The lists of five shares, as the table shows them. */
export const SHARES = [
  ['levelPercents', 'Level reward', 'of a new stake, once'],
  ['bountyPercents', 'Profit bounty', 'of a daily reward'],
  ['stakeLogLevelPercents', 'Omega level', 'of a new Omega stake'],
  ['stakeLogBountyPercents', 'Omega bounty', 'of an Omega reward'],
  ['nftLevelPercents', 'NFT level', 'of an NFT price, USD'],
  ['nftBountyPercents', 'NFT bounty', 'of an NFT reward, USD'],
] as const

/** Figures outside the lists. */
export const SINGLE_FIGURES = [
  ['referralPercent', 'Referral, of bought coin', '%'],
  ['fullLevelShareDays', 'Full level share from a stake of', 'days'],
] as const

export function draftOf(programme: Catalogue['programme']): Draft {
  const cells: Record<string, string> = {}
  for (const [list] of SHARES) programme[list].forEach((share, level) => (cells[`${list}.${level}`] = asText(share)))
  for (const [key] of SINGLE_FIGURES) cells[key] = asText(programme[key])
  return {
    cells,
    ranks: programme.ranks.map(({ rank, teamStake, bonus }) => ({ rank, teamStake: asText(teamStake), bonus: asText(bonus) })),
  }
}

/** Converts a form to the complete wire value, because a programme is simulated and proposed as a whole. */
export function rulesOf({ cells, ranks }: Draft) {
  const shares = Object.fromEntries(
    SHARES.map(([list]) => [list, [0, 1, 2, 3, 4].map((level) => (cells[`${list}.${level}`] ?? '').trim())]),
  )
  const days = (cells['fullLevelShareDays'] ?? '').trim()
  return {
    ...shares,
    referralPercent: (cells['referralPercent'] ?? '').trim(),
    fullLevelShareDays: /^\d+$/.test(days) ? Number(days) : 0,
    ranks: ranks.map(({ rank, teamStake, bonus }) => ({ rank: rank.trim(), teamStake: teamStake.trim(), bonus: bonus.trim() })),
  }
}

/** Normalizes spellings that the server treats alike: `5`, `5.0`. */
const readBack = (draft: Draft) => v.safeParse(programmeValue, rulesOf(draft))
export function draftError(draft: Draft): string | undefined {
  const read = readBack(draft)
  return read.success ? undefined : `${v.getDotPath(read.issues[0]) ?? 'The draft'}: ${read.issues[0].message}`
}

/** Serializes a draft for comparison. */
export function textOf(draft: Draft): string {
  const read = readBack(draft)
  return JSON.stringify(read.success ? read.output : draft, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

const same = (one: string | undefined, other: string | undefined) => one === other || Number(one) === Number(other)

/** Returns the paths whose figures differ from the current rules. */
export function changedCells(draft: Draft, current: Draft): Set<string> {
  const cells = Object.keys(current.cells).filter((cell) => !same(draft.cells[cell], current.cells[cell]))
  const ranks = Array.from({ length: Math.max(draft.ranks.length, current.ranks.length) }).flatMap((_, index) =>
    (['rank', 'teamStake', 'bonus'] as const).flatMap((key) => {
      const [now, then] = [draft.ranks[index]?.[key], current.ranks[index]?.[key]]
      return now === then || (key !== 'rank' && same(now, then)) ? [] : [`ranks.${index}.${key}`]
    }),
  )
  return new Set([...cells, ...ranks])
}

/** Parses a stored draft; the current rules if there is none. */
export function readDraft(text: string, current: Draft): Draft {
  try {
    const saved = JSON.parse(text) as Partial<Draft>
    return { cells: { ...current.cells, ...saved.cells }, ranks: Array.isArray(saved.ranks) ? saved.ranks : current.ranks }
  } catch {
    return current
  }
}
