import { formatUnits } from '@tizara/money'

/**
 * Writes a body as JSON: a bigint is an amount in units of 10^-8 and becomes an exact decimal number, a Date its ISO text.
 * Undefined members are left out, as JSON.stringify does.
 */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return formatUnits(value)
  if (Array.isArray(value)) return `[${value.map((item: unknown) => writeJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const members = Object.entries(value).filter(([, item]) => item !== undefined)
    return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/**
 * One value as it stands in a query or in a text field of a multipart body.
 * @param value text, number, boolean or an amount in units
 */
export function writeText(value: unknown): string {
  return typeof value === 'bigint' ? formatUnits(value) : String(value)
}
