import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { isSigned, signatureOf } from '../../platform/crypto/sign.ts'

/** The folder of the files, and the key that signs their lines. */
export type JournalConfig = Pick<Config, 'dataDir' | 'dataKey' | 'dataKeyPrevious'>

/** A line of the journal: access that ended. */
export interface JournalLine {
  /** Number from 1 on. */
  line: number
  mark: string
  /** UTC, with microseconds. */
  at: string
  kind: string
  subject: string
  value: string
}

type SignedLine = JournalLine & { previous: string; mac: string }

/** The journal, and the copy that shows whether the journal was shortened. */
type Which = 'journal' | 'copy'

const FILE_NAMES: Readonly<Record<Which, string>> = { journal: 'access-journal', copy: 'access-copy' }
const PURPOSE = 'access journal'
/** Bytes read to find the last line. No line is longer than a quarter of it. */
const TAIL_BYTES = 8_192

/** Returns the path of a database's journal or its copy. The name distinguishes several databases that used one folder. */
export const journalFile = ({ dataDir }: Pick<Config, 'dataDir'>, name: string, which: Which = 'journal'): string =>
  path.join(dataDir, `${FILE_NAMES[which]}-${name.slice(0, 8)}.txt`)

/** The signed text: every field, and the MAC of the previous line. */
const bodyOf = ({ line, mark, at, kind, subject, value, previous }: Omit<SignedLine, 'mac'>): string =>
  JSON.stringify([line, mark, at, kind, subject, value, previous])

function sign({ dataKey }: JournalConfig, line: JournalLine, previous: string): SignedLine {
  const { line: number, mark, at, kind, subject, value } = line
  const body = { line: number, mark, at, kind, subject, value, previous }
  return { ...body, mac: signatureOf(dataKey, PURPOSE, bodyOf(body)) }
}

function parse(text: string): SignedLine | undefined {
  try {
    const read = JSON.parse(text) as Partial<SignedLine> | null
    const texts = [read?.mark, read?.at, read?.kind, read?.subject, read?.value, read?.previous, read?.mac]
    return typeof read?.line === 'number' && texts.every((one) => typeof one === 'string') ? (read as SignedLine) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the last complete line of a file.
 * @returns undefined for a missing or empty file
 * @throws Error if the line was not signed by this platform
 */
export function lastLine(config: JournalConfig, name: string, which: Which): SignedLine | undefined {
  const file = journalFile(config, name, which)
  if (!existsSync(file)) return undefined
  const handle = openSync(file, 'r')
  try {
    const { size } = fstatSync(handle)
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
    readSync(handle, tail, 0, tail.length, size - tail.length)
    const text = tail.toString('utf8').split('\n').at(-2)
    if (text === undefined) return undefined
    const line = parse(text)
    if (line === undefined || !isSigned({ config }, PURPOSE, bodyOf(line), line.mac))
      throw new Error(`The last line of ${file} was changed, or signed with another DATA_KEY.`)
    return line
  } finally {
    closeSync(handle)
  }
}

/** Appends lines to a file and waits for the disk. Removes the rest of a line whose write was interrupted. */
export function appendLines(
  config: JournalConfig,
  { name, which, lines, previous }: { name: string; which: Which; lines: readonly JournalLine[]; previous: string },
): void {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const handle = openSync(journalFile(config, name, which), 'a+', 0o600)
  try {
    const { size } = fstatSync(handle)
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
    readSync(handle, tail, 0, tail.length, size - tail.length)
    const torn = tail.length - (tail.lastIndexOf('\n') + 1)
    if (torn > 0) ftruncateSync(handle, size - torn)
    writeSync(handle, textOf(signAll(config, lines, previous)))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function signAll(config: JournalConfig, lines: readonly JournalLine[], first: string): SignedLine[] {
  const signed: SignedLine[] = []
  for (const line of lines) signed.push(sign(config, line, signed.at(-1)?.mac ?? first))
  return signed
}

const textOf = (lines: readonly SignedLine[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Signs all lines again while `DATA_KEY_PREVIOUS` is set, because they outlive the previous key. */
export function signAgain(config: JournalConfig, name: string): void {
  if (config.dataKeyPrevious === undefined) return
  const current = { ...config, dataKeyPrevious: undefined }
  for (const which of ['journal', 'copy'] as const) {
    const file = journalFile(config, name, which)
    if (!existsSync(file) || 'lines' in verify(current, file)) continue
    const read = verify(config, file)
    if ('refused' in read) throw new Error(`${file} cannot be signed with the new DATA_KEY: ${read.refused}.`)
    writeFileSync(`${file}.part`, textOf(signAll(config, read.lines, '')), { mode: 0o600, flush: true })
    renameSync(`${file}.part`, file)
  }
}

/** Verified lines of a file, or the reason why it is refused. */
type VerifyResult = { lines: JournalLine[] } | { refused: string }

function verify(config: JournalConfig, file: string): VerifyResult {
  const lines: JournalLine[] = []
  let previous = ''
  for (const text of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const line = parse(text)
    const isNext = line?.line === lines.length + 1 && line.previous === previous
    if (line === undefined || !isNext || !isSigned({ config }, PURPOSE, bodyOf(line), line.mac))
      return { refused: `line ${lines.length + 1} was changed, or signed with another DATA_KEY` }
    lines.push(line)
    previous = line.mac
  }
  return { lines }
}

/**
 * Reads a database's journal and verifies each line, and that the journal is not shorter than its copy.
 * @returns the lines, or the reason why the journal cannot be used
 */
export function readJournal(config: JournalConfig, name: string): VerifyResult {
  const [file, copyFile] = [journalFile(config, name), journalFile(config, name, 'copy')]
  if (!existsSync(file)) return { refused: `${file} does not exist` }
  const journal = verify(config, file)
  if ('refused' in journal || !existsSync(copyFile)) return journal
  const copy = verify(config, copyFile)
  if ('refused' in copy) return { refused: `its copy ${copyFile} is not valid: ${copy.refused}` }
  if (copy.lines.length > journal.lines.length)
    return { refused: `it was shortened: it ends with line ${journal.lines.length}, and its copy with line ${copy.lines.length}` }
  const other = copy.lines.find(({ mark }, index) => journal.lines[index]?.mark !== mark)
  return other === undefined ? journal : { refused: `line ${other.line} differs from its copy` }
}

/** Moves a refused journal and its copy to another name, so that a new journal can begin. */
export function setJournalAside(config: JournalConfig, name: string, at: Date): void {
  for (const which of ['journal', 'copy'] as const) {
    const file = journalFile(config, name, which)
    if (existsSync(file)) renameSync(file, `${file}.refused-${at.toISOString().replaceAll(':', '')}`)
  }
}
