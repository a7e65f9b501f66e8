import { labelOf, unitOf } from './fields.ts'

/** One line of a change: what holds, and what is proposed. */
export interface DiffLine {
  label: string
  before: string | undefined
  after: string
  same: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const WHOLE: readonly string[] = ['plan', 'nft', 'popup', 'programme', 'cover']
/** What one coin costs: shown to four decimals at least. */
const RATES: readonly string[] = ['coinPrice', 'convertRate']
const SALE: Readonly<Record<string, string>> = { ACTIVE: 'yes', INACTIVE: 'no' }

/** A value of a change for people: figures with their thousands, lists with points between. */
function show(value: unknown, unit?: string, decimals = 0): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((one) => show(one)).join(' · ') + (unit === undefined ? '' : ` ${unit}`)
  if (isObject(value))
    return Object.values(value)
      .map((one) => show(one))
      .join(' ')
  const text =
    typeof value === 'number'
      ? value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: 8 })
      : typeof value === 'string'
        ? (SALE[value] ?? value)
        : '?'
  return unit === undefined ? text : `${text} ${unit}`
}

/**
 * The fields of a change, what holds beside what is proposed; a value that did not exist has no before. Of a plan, an NFT,
 * the announcement and the programme all fields; of settings those that are proposed.
 */
export function diffOf({
  subject,
  before,
  value,
  holds,
}: {
  subject: string
  before: unknown
  value: unknown
  holds?: unknown
}): DiffLine[] {
  const old = { ...(isObject(holds) && WHOLE.includes(subject) ? holds : {}), ...(isObject(before) ? before : {}) }
  const next: Record<string, unknown> = isObject(value) ? value : { value }
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((key) => key !== 'planId' && key !== 'nftId')
  return keys.map((key) => {
    const unit = unitOf(key, subject)
    const decimals = RATES.includes(key) ? 4 : 0
    const after = Object.hasOwn(next, key) ? next[key] : old[key]
    const held = Object.hasOwn(old, key) ? show(old[key], unit, decimals) : undefined
    return { label: labelOf(key), before: held, after: show(after, unit, decimals), same: held === show(after, unit, decimals) }
  })
}
