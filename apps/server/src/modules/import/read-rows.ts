import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { FaultList } from './faults.ts'

/** Longest accepted line in characters, which bounds the memory. */
const MAX_LINE_LENGTH = 65_536

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
  let line = 0
  let isCrLf = false
  for await (const lines of readLines(path.join(folder, name), hash))
    for (const written of lines) {
      line += 1
      const text: string | undefined = isCrLf ? written?.replace(/\r$/, '') : written
      if (line === 1) {
        const header: string = text ?? ''
        isCrLf = header.endsWith('\r')
        // Reported once for the file: the rows can be read, and have faults of their own.
        for (const fault of encodingFaults(header)) faults.add({ file: name, line, message: fault })
        const message = headerFault(header.replace(/^\ufeff/, '').replace(/\r$/, ''), columns)
        if (message === undefined) continue
        faults.add({ file: name, line, message })
        // Every row would repeat the fault of the header.
        return ''
      }
      const split = splitLine(text, columns)
      if ('message' in split) {
        faults.add({ file: name, line, ...split })
        continue
      }
      const read = v.safeParse(schema, Object.fromEntries(columns.map((column, index) => [column, split.fields[index]])))
      if (read.success) await onRow(read.output, line)
      else
        for (const issue of read.issues) faults.add({ file: name, line, column: v.getDotPath(issue) ?? undefined, message: issue.message })
    }
  if (line === 0) faults.add({ file: name, line: 1, message: `The header is missing: ${columns.join(',')}` })
  return hash.digest('hex')
}

/** Reads the lines of a file without their line ends, some thousand at a time. A line that is too long is undefined. */
async function* readLines(file: string, hash: Hash): AsyncGenerator<(string | undefined)[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  let isTooLong = false
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    const lines: (string | undefined)[] = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (isTooLong && lines.length > 0) {
      lines[0] = undefined
      isTooLong = false
    }
    if (rest.length > MAX_LINE_LENGTH) {
      isTooLong = true
      rest = ''
    }
    yield lines.map((text) => (text !== undefined && text.length > MAX_LINE_LENGTH ? undefined : text))
  }
  rest += decoder.decode()
  if (isTooLong || rest !== '') yield [isTooLong ? undefined : rest]
}

/** Lists the faults of a whole file that its first line shows. */
const encodingFaults = (header: string): string[] => [
  ...(header.startsWith('\ufeff') ? ['The file starts with a byte order mark. Save it as UTF-8 without one'] : []),
  ...(header.endsWith('\r') ? ['Lines end with CR LF. Save the file with LF line ends'] : []),
]

function headerFault(header: string, columns: readonly string[]): string | undefined {
  if (header.includes(';')) return 'Columns are separated by semicolons. Use commas'
  return header === columns.join(',') ? undefined : `The header must be ${columns.join(',')}`
}

/** One field, in quotes or without, and the comma or the end of the line after it. */
const FIELD = /("[^"]*(?:""[^"]*)*"|[^",]*)(,|$)/y

/**
 * Splits a line into its fields. No field has a line break, so each line is read on its own: a misplaced quote is a fault of one line.
 * @returns the fields, as many as there are columns, or the fault of the line
 */
function splitLine(
  text: string | undefined,
  columns: readonly string[],
): { fields: string[] } | { message: string; column?: string | undefined } {
  if (text === undefined) return { message: `The line is longer than ${MAX_LINE_LENGTH} characters` }
  if (text.endsWith('\r')) return { message: 'The line ends with CR LF. Save the file with LF line ends' }
  const fields: string[] = []
  let start = 0
  for (let end = ','; end === ',';) {
    FIELD.lastIndex = start
    const match = FIELD.exec(text)
    if (match === null) return { column: columns[fields.length], message: quoteFault(text.slice(start)) }
    const [all, field = '', next = ''] = match
    fields.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    start += all.length
    end = next
  }
  if (fields.length !== columns.length) return { message: `The line has ${fields.length} fields instead of ${columns.length}` }
  const column = (bad: string) => columns[fields.findIndex((field) => field.includes(bad))]
  if (text.includes('\0')) return { column: column('\0'), message: 'A field must not contain NUL' }
  if (text.includes('\ufffd')) return { column: column('\ufffd'), message: 'The text is not valid UTF-8' }
  return { fields }
}

/** Says why a field with a quote cannot be read. */
const quoteFault = (field: string): string =>
  /^"[^"]*(?:""[^"]*)*$/.test(field)
    ? 'The quote is not closed on this line. A field must not contain a line break'
    : 'A quote is in the wrong place. Write a quote inside a quoted field twice'
