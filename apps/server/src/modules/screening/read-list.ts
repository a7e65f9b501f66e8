import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { MAX_LIST_BYTES, MAX_LIST_ENTRIES } from '@tizara/contract/staff-screening'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../../platform/runtime/app-error.ts'
import { nameKey, screeningAddressKey } from './keys.rules.ts'

/** One listed person or organization. */
export interface ListEntry {
  source: string
  reference: string
  name: string
  /** ISO date; null if the list has none. */
  listedOn: string | null
  keys: { kind: 'name' | 'address'; key: string }[]
}

export interface ScreeningList {
  /** SHA-256 of the file, in hex. */
  hash: string
  entries: ListEntry[]
}

const COLUMNS = 'source,reference,name,aliases,addresses,listed_on'
const COLUMN_COUNT = COLUMNS.split(',').length
/** First column of the end mark, a row of two columns. The second is the number of entries. */
const END_MARK = '#end'
const CUT_OFF = 'it is cut off: the end mark is missing'
const MAX_TEXT = 300
/** Longest accepted record in bytes. A missing quote would otherwise read the rest of the file as one field. */
const MAX_RECORD_BYTES = 65_536
/** Maximum names and addresses of one entry. */
const MAX_KEYS = 500

const refuse = (reason: string) => new AppError('SCREENING_LIST_REFUSED', { reason })

/**
 * Rejects a file that is too large for a list.
 * @throws AppError SCREENING_LIST_REFUSED
 */
export function assertListSize(bytes: number): void {
  if (bytes > MAX_LIST_BYTES) throw refuse(`it is larger than ${MAX_LIST_BYTES / 1_000_000} MB`)
}

/**
 * Reads a list of names and addresses as CSV (docs/staff.md). A list is complete only with its end mark, which has the number of entries.
 * @throws AppError SCREENING_LIST_REFUSED with the reason and the line
 */
export async function readScreeningList(bytes: Buffer): Promise<ScreeningList> {
  assertListSize(bytes.length)
  if (!isUtf8(bytes)) throw refuse('it is not UTF-8')
  const entries: ListEntry[] = []
  const known = new Set<string>()
  let line = 0
  let end: string | undefined
  // Only the whole file shows if an incomplete row is a mistake or the place where the file is cut off.
  let incompleteRow: number | undefined
  for await (const record of records(bytes)) {
    line += 1
    if (line === 1) {
      if (record.join(',') !== COLUMNS) throw refuse(`the first line must be ${COLUMNS}`)
    } else if (end !== undefined) throw refuse('it continues after its end mark')
    else if (record.length === 2 && record[0] === END_MARK) end = record[1]
    else if (record.length !== COLUMN_COUNT) incompleteRow ??= line
    else if (incompleteRow === undefined) {
      const entry = entryOf(record, line)
      const id = JSON.stringify([entry.source, entry.reference])
      if (known.has(id)) throw refuse(`row ${line}: the source has this reference twice`)
      if (known.size >= MAX_LIST_ENTRIES) throw refuse(`it has more than ${MAX_LIST_ENTRIES.toLocaleString('en')} entries`)
      known.add(id)
      entries.push(entry)
    }
  }
  if (end === undefined) throw refuse(CUT_OFF)
  if (incompleteRow !== undefined) throw refuse(`row ${incompleteRow}: it must have ${COLUMN_COUNT} columns`)
  if (end !== String(entries.length)) throw refuse(`it is cut off: the end mark counts ${end}, and the list has ${entries.length} entries`)
  if (entries.length === 0) throw refuse('it has no entries')
  return { hash: createHash('sha256').update(bytes).digest('hex'), entries }
}

/** Parses the file in chunks, so that other calls are answered meanwhile. */
async function* records(bytes: Buffer): AsyncGenerator<string[]> {
  const chunks = function* () {
    for (let from = 0; from < bytes.length; from += MAX_RECORD_BYTES) yield bytes.subarray(from, from + MAX_RECORD_BYTES)
  }
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_RECORD_BYTES, trim: true }
  try {
    yield* Readable.from(chunks()).pipe(parse(options)) as AsyncIterable<string[]>
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw refuse(`it is cut off, or a quote is missing: the quoted text in row ${Number(error['records']) + 1} has no end`)
    if (error instanceof CsvError) throw refuse(`line ${Number(error['lines'])}: a quote or a column is not valid`)
    throw error
  }
}

function entryOf(record: readonly string[], line: number): ListEntry {
  const [source = '', reference = '', name = '', aliases = '', addresses = '', listedOn = ''] = record
  for (const [column, text] of Object.entries({ source, reference, name }))
    if (text === '' || text.length > MAX_TEXT) throw refuse(`row ${line}: ${column} must have 1 to ${MAX_TEXT} characters`)
  if (listedOn !== '' && !isDate(listedOn)) throw refuse(`row ${line}: listed_on must be a date such as 2026-01-31`)
  const names = new Set([name, ...parts(aliases)].map(nameKey).filter((key) => key !== ''))
  const keys = [
    ...Array.from(names, (key) => ({ kind: 'name' as const, key })),
    ...Array.from(new Set(parts(addresses).map(screeningAddressKey)), (key) => ({ kind: 'address' as const, key })),
  ]
  if (names.size === 0) throw refuse(`row ${line}: the name has no letters`)
  if (keys.length > MAX_KEYS) throw refuse(`row ${line}: it has more than ${MAX_KEYS} names and addresses`)
  if (keys.some(({ key }) => key.length > MAX_TEXT)) throw refuse(`row ${line}: a name or address has more than ${MAX_TEXT} characters`)
  return { source, reference, name, listedOn: listedOn === '' ? null : listedOn, keys }
}

const parts = (field: string): string[] =>
  field
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function isDate(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
