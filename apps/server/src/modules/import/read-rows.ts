import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import * as v from 'valibot'
import type { FaultList } from './faults.ts'

/** Longest accepted line in bytes. A missing quote would otherwise read the whole file into memory. */
const MAX_LINE_BYTES = 65_536

/** One file of an import. The keys of the schema are its columns, in the order of the header. */
export interface ImportFile<Schema extends v.ObjectSchema<v.ObjectEntries, undefined>> {
  name: string
  row: Schema
}

/**
 * Reads a CSV file of an import (docs/import.md) as a stream and validates each row. Adds every fault to the list and continues. The
 * memory that it needs does not grow with the file.
 * @param onRow takes each valid row with its line number
 * @returns SHA-256 of the file's bytes, in hex
 */
export async function readRows<Schema extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  folder: string,
  { name, row: schema }: ImportFile<Schema>,
  faults: FaultList,
  onRow: (row: v.InferOutput<Schema>, line: number) => void | Promise<void>,
): Promise<string> {
  const columns = Object.keys(schema.entries)
  const hash = createHash('sha256')
  const parser = Readable.from(hashed(path.join(folder, name), hash)).pipe(
    parse({
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_records_with_error: true,
      max_record_size: MAX_LINE_BYTES,
      on_skip: (error) => {
        faults.add({ file: name, line: error?.['lines'] as number | undefined, message: syntaxFault(error) })
      },
    }),
  )
  let isHeader = true
  let carriageReturns = 0
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
    // The parser counts the last line of a row with a quoted line break, and counts each carriage return as a line.
    const breaks = count(record, '\n')
    carriageReturns += count(record, '\r')
    const line = info.lines - breaks - carriageReturns
    if (isHeader) {
      isHeader = false
      const message = headerFault(record, columns)
      if (message === undefined) continue
      faults.add({ file: name, line, message })
      // Every row would repeat the fault of the header.
      parser.destroy()
      break
    }
    const message = rowFault(record, columns, breaks)
    if (message !== undefined) {
      faults.add({ file: name, line, ...message })
      continue
    }
    const read = v.safeParse(schema, Object.fromEntries(columns.map((column, index) => [column, record[index]])))
    if (read.success) await onRow(read.output, line)
    else for (const issue of read.issues) faults.add({ file: name, line, column: v.getDotPath(issue) ?? undefined, message: issue.message })
  }
  if (isHeader) faults.add({ file: name, line: 1, message: `The header is missing: ${columns.join(',')}` })
  return hash.digest('hex')
}

const count = (record: readonly string[], character: string) =>
  record.reduce((total, field) => total + field.split(character).length - 1, 0)

async function* hashed(file: string, hash: { update(bytes: Buffer): unknown }): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
    hash.update(chunk as Buffer)
    yield chunk as Buffer
  }
}

function headerFault(record: readonly string[], columns: readonly string[]): string | undefined {
  const header = record.join(',')
  if (header.startsWith('\ufeff')) return 'The file starts with a byte order mark. Save it as UTF-8 without one'
  if (header.endsWith('\r')) return 'Lines end with CR LF. Save the file with LF line ends'
  if (header.includes(';')) return 'Columns are separated by semicolons. Use commas'
  return header === columns.join(',') ? undefined : `The header must be ${columns.join(',')}`
}

/** Returns the fault of a row that no column's schema can find. */
function rowFault(record: readonly string[], columns: readonly string[], breaks: number): { message: string; column?: string } | undefined {
  const column = (bad: (field: string) => boolean) => columns[record.findIndex(bad)] ?? columns.at(-1) ?? ''
  if (breaks > 0) return { column: column((field) => field.includes('\n')), message: 'A field must not contain a line break' }
  if (record.at(-1)?.endsWith('\r') === true) return { message: 'The line ends with CR LF. Save the file with LF line ends' }
  if (record.length !== columns.length) return { message: `The line has ${record.length} fields instead of ${columns.length}` }
  if (record.some((field) => field.includes('\0')))
    return { column: column((field) => field.includes('\0')), message: 'A field must not contain NUL' }
  if (record.some((field) => field.includes('\ufffd')))
    return { column: column((field) => field.includes('\ufffd')), message: 'The text is not valid UTF-8' }
  return undefined
}

function syntaxFault(error: CsvError | undefined): string {
  if (error?.code === 'CSV_MAX_RECORD_SIZE') return `The line is longer than ${MAX_LINE_BYTES} bytes. A closing quote may be missing`
  return 'A quote is in the wrong place. Write a quote inside a quoted field twice'
}
