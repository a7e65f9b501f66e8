import { formatUnits } from '@tizara/money'

/**
 * Serializes a body as JSON: a bigint (units of 10^-8) becomes an exact decimal number, a Date its ISO text. Omits undefined members, as
 * JSON.stringify does.
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
 * Serializes a value for a query or multipart text field.
 * @param value text, number, boolean or an amount in units
 */
export function writeText(value: unknown): string {
  return typeof value === 'bigint' ? formatUnits(value) : String(value)
}
