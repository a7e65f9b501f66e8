import { labelOf, unitOf } from './fields.ts'
import { diffOfPayoutRules } from './payout-rule-text.ts'

/** One field of a proposal: current and proposed value. */
export interface DiffLine {
  label: string
  before: string | undefined
  after: string
  same: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const WHOLE_OBJECTS: readonly string[] = ['plan', 'nft', 'popup', 'programme', 'commitment', 'brand', 'webhook', 'terms-of-use']
/** Prices of one coin, shown to at least four decimals. */
const RATES: readonly string[] = ['coinPrice', 'convertRate']
const SALE: Readonly<Record<string, string>> = { ACTIVE: 'yes', INACTIVE: 'no' }

/** Formats a proposal's value: figures with thousands separators, lists with dots between. */
function show(value: unknown, unit?: string, decimals = 0): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return '–'
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
        ? // A logo is named by the hash of its file.
          (SALE[value] ?? (/^[0-9a-f]{64}$/.test(value) ? `file ${value.slice(0, 8)}` : value))
        : '?'
  return unit === undefined ? text : `${text} ${unit}`
}

/**
 * Lists a proposal's fields, current beside proposed; new values have no current one. Settings show changed fields only; plans,
 * NFTs, announcements and the programme all.
 */
export function diffOf({
  subject,
  before,
  value,
  current,
}: {
  subject: string
  before: unknown
  value: unknown
  current?: unknown
}): DiffLine[] {
  if (subject === 'payout-rules') return diffOfPayoutRules(before, value)
  const old = { ...(isObject(current) && WHOLE_OBJECTS.includes(subject) ? current : {}), ...(isObject(before) ? before : {}) }
  const next: Record<string, unknown> = isObject(value) ? value : { value }
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (key) => !['planId', 'nftId'].includes(key) && !(subject === 'webhook' && key === 'id'),
  )
  return keys.map((key) => {
    const unit = unitOf(key, subject)
    const decimals = RATES.includes(key) ? 4 : 0
    const after = Object.hasOwn(next, key) ? next[key] : old[key]
    const held = Object.hasOwn(old, key) ? show(old[key], unit, decimals) : undefined
    return { label: labelOf(key), before: held, after: show(after, unit, decimals), same: held === show(after, unit, decimals) }
  })
}
