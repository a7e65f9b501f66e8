import { t } from '@tizara/languages'
import * as v from 'valibot'
import { DamagedRow, Unreadable } from '../lists/damaged-row.ts'

type Schema = v.GenericSchema

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

function inner(schema: Schema): Schema {
  return 'wrapped' in schema ? inner(schema.wrapped as Schema) : schema
}

const entriesOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined =>
  'entries' in schema ? (schema.entries as Record<string, Schema>) : undefined

/**
 * Parses a value's readable keys after its schema rejected it.
 * @returns the value; reading an object's damaged key throws {@link Unreadable}
 */
function parsePartially(original: Schema, value: unknown, name: string): { output: unknown } | undefined {
  const read = v.safeParse(original, value)
  if (read.success) return { output: read.output }
  const schema = inner(original)
  const item = 'item' in schema ? (schema.item as Schema) : undefined
  if (item !== undefined && Array.isArray(value)) return { output: value.map((one) => parseRowPartially(item, one, name)) }
  return entriesOf(schema) === undefined ? undefined : { output: parseRowPartially(schema, value, name) }
}

/** Parses one list row and never fails. */
function parseRowPartially(schema: Schema, value: unknown, name = t('The row')): unknown {
  const read = v.safeParse(schema, value)
  if (read.success) return read.output
  const row = new DamagedRow()
  const fields = recordOf(value)
  for (const [key, entry] of Object.entries(entriesOf(inner(schema)) ?? {})) {
    const found = parsePartially(entry, fields[key], key)
    if (found !== undefined) Object.defineProperty(row, key, { value: found.output, enumerable: true })
    else
      Object.defineProperty(row, key, {
        get() {
          throw new Unreadable(`${name}: ${key}`)
        },
      })
  }
  return row
}

/** Returns the schema of a row, and the number of nested `data` keys around the rows; undefined if the response is not a list. */
function rowsOf(reply: Schema): { row: Schema; depth: number } | undefined {
  if (reply.type === 'array') return { row: (reply as unknown as { item: Schema }).item, depth: 0 }
  const data = entriesOf(reply)?.['data']
  const found = data === undefined ? undefined : rowsOf(data)
  return found && { row: found.row, depth: found.depth + 1 }
}

const integerOr = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(Number(value ?? Number.NaN)) ? Number(value) : otherwise

/**
 * Parses a list row by row, so that one damaged row does not hide the others.
 * @param list rows and meta as received
 * @returns undefined if the response is not a list
 */
export function readRows(reply: Schema, list: { data: readonly unknown[]; meta: unknown }): { data: unknown } | undefined {
  const found = rowsOf(reply)
  if (found === undefined) return undefined
  const rows = list.data.map((one) => parseRowPartially(found.row, one))
  const { total, page, limit } = recordOf(list.meta)
  // Keeps no sums of the meta, because their form is unknown here. The list then sums its own rows where it can.
  const meta = { total: integerOr(total, rows.length), page: integerOr(page, 1), limit: integerOr(limit, Math.max(rows.length, 1)) }
  let data: unknown = found.depth === 0 ? rows : { data: rows, meta }
  for (let depth = found.depth; depth > 1; depth -= 1) data = { data }
  return { data }
}
