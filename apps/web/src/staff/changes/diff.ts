/** One line of a change: what holds, and what is proposed. */
export interface DiffLine {
  label: string
  before: string | undefined
  after: string
  same: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `fourEyesAboveUsd` as words: "Four eyes above usd". */
export const words = (key: string): string => {
  const spaced = key.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(show).join(' · ')
  if (isObject(value)) return Object.values(value).map(show).join(' ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?'
}

/** Every field of a change, the changed ones first known by `same`; a value that did not exist has no before. */
export function diffOf(before: unknown, value: unknown): DiffLine[] {
  const old = isObject(before) ? before : {}
  const next = isObject(value) ? value : { value }
  return Object.entries(next).map(([key, after]) => ({
    label: words(key),
    before: Object.hasOwn(old, key) ? show(old[key]) : undefined,
    after: show(after),
    same: Object.hasOwn(old, key) && show(old[key]) === show(after),
  }))
}
