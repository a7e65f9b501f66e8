import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import type { Lease } from '../../jobs/lease.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { type JournalConfig, type JournalLine, lastLine, appendLines, signAgain } from './access-journal-file.ts'

/** Lines written in one step. */
const STEP = 1_000

/** Key of the advisory lock for the numbering, so that only one caller assigns numbers at a time. */
const NUMBER_LOCK = 1_702_257_021

/** Numbers the rows that were committed since, in order. The first line identifies the database. */
async function numberRows(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${NUMBER_LOCK})`.execute(tx)
  await sql`insert into access_journal (kind, subject, value) select 'begin', '', ''
    where not exists (select from access_journal where kind = 'begin')`.execute(tx)
  const { numAffectedRows } = await sql`
    update access_journal j set line = n.line from (
      select id, (select coalesce(max(line), 0) from access_journal) + row_number() over (order by kind = 'begin' desc, id) as line
      from access_journal where line is null) n
    where j.id = n.id`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Returns true if rows wait for their number, or the first line is missing. */
async function hasUnnumbered(db: Db): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from access_journal where line is null)
    or not exists (select from access_journal where kind = 'begin') as waits`.execute(db)
  return rows[0]?.waits === true
}

async function linesAfter(db: Db, line: number): Promise<JournalLine[]> {
  const { rows } = await sql<JournalLine>`
    select line::int as line, mark::text as mark, journal_time(at) as at, kind, subject, value from access_journal
    where line > ${line} order by line limit ${STEP}`.execute(db)
  return rows
}

/** Returns the mark that identifies the database; empty before the worker's first run. A restored copy has the same mark. */
export async function journalName(db: Db): Promise<string> {
  const { rows } = await sql<{ mark: string }>`select mark::text as mark from access_journal where kind = 'begin'`.execute(db)
  return rows[0]?.mark ?? ''
}

/** Reads the newest numbered line. Its number and mark are also stored outside the database. */
export async function journalHead(db: Db): Promise<{ line: number; mark: string } | undefined> {
  const { rows } = await sql<{ line: number; mark: string }>`select line::int as line, mark::text as mark from access_journal
    where line is not null order by line desc limit 1`.execute(db)
  return rows[0]
}

async function markOf(db: Db, line: number): Promise<string | undefined> {
  const { rows } = await sql<{ mark: string }>`select mark::text as mark from access_journal where line = ${line}`.execute(db)
  return rows[0]?.mark
}

/**
 * Appends the missing lines to the journal file and its copy. The rows of the database are the source, so a kill at any point loses no
 * line: the next call continues after the last complete line.
 * @returns the number of new lines
 * @throws Error if the file's last line is not the database's
 */
async function saveAccessJournal(lease: Lease, config: JournalConfig): Promise<number> {
  if (await lease.read(hasUnnumbered)) await lease.inTransaction(numberRows)
  const name = await lease.read(journalName)
  signAgain(config, name)
  const added = await catchUp(lease, config, name, 'journal')
  // After the journal, so that a shorter journal than its copy was cut.
  await catchUp(lease, config, name, 'copy')
  return added
}

async function catchUp(lease: Lease, config: JournalConfig, name: string, which: 'journal' | 'copy'): Promise<number> {
  const last = lastLine(config, name, which)
  if (last !== undefined && (await lease.read((db) => markOf(db, last.line))) !== last.mark)
    throw new Error(
      `Line ${last.line} of the access ${which} in DATA_DIR is not in this database: it belongs to another copy. Move the file away if this database is the right one.`,
    )
  let added = 0
  while ((await lease.read((db) => linesAfter(db, lastLine(config, name, which)?.line ?? 0))).length > 0) {
    // Appends in a transaction of the lease, so that another worker cannot take over and write the same lines.
    added += await lease.inTransaction(async (tx) => {
      const end = lastLine(config, name, which)
      const lines = await linesAfter(tx, end?.line ?? 0)
      appendLines(config, { name, which, lines, previous: end?.mac ?? '' })
      return lines.length
    })
  }
  return added
}

/** Brings the journal file up to the database. Under the job's lease, because two writers would repeat lines. */
export const accessJournalJob: Job = {
  name: 'access-journal',
  everySeconds: 10,
  run: (lease, deps) => saveAccessJournal(lease, deps.config),
}

/** Comparison of a restored database with its journal: the lines that only the journal has, or the reason why the journal is refused. */
export type JournalMatch = { lost: JournalLine[] } | { refused: string }

/**
 * Compares verified lines with a restored database.
 * @returns the lines that were written after the backup; or the reason why the journal does not belong to it
 */
export async function matchJournal(db: Db, lines: readonly JournalLine[]): Promise<JournalMatch> {
  if (lines[0]?.mark !== (await journalName(db))) return { refused: 'it belongs to another database' }
  const { rows } = await sql<{ line: number | null; mark: string }>`
    (select line::int as line, mark::text as mark from access_journal where line is not null order by line desc limit 1)
    union all select null, mark::text from access_journal where line is null`.execute(db)
  const numbered = rows.find(({ line }) => line !== null)?.line ?? 0
  if (lines.length < numbered)
    return { refused: `it was shortened: the backup has line ${numbered}, and the journal ends with line ${lines.length}` }
  if (numbered > 0 && lines[numbered - 1]?.mark !== rows.find(({ line }) => line === numbered)?.mark)
    return { refused: `line ${numbered} differs from the backup` }
  const known = new Set(rows.map(({ mark }) => mark))
  return { lost: lines.slice(numbered).filter(({ mark }) => !known.has(mark)) }
}

/** Adds the journal's lines to a restored database, so that the journal continues after them. Call it before any other change. */
export async function importLines(tx: Tx, lines: readonly JournalLine[]): Promise<void> {
  const column = (name: keyof JournalLine) => lines.map((line) => String(line[name]))
  await sql`
    insert into access_journal as existing (line, mark, at, kind, subject, value)
    select l.line::bigint, l.mark::uuid, l.at::timestamptz, l.kind, l.subject, l.value
    from unnest(${column('line')}::text[], ${column('mark')}::text[], ${column('at')}::text[], ${column('kind')}::text[],
      ${column('subject')}::text[], ${column('value')}::text[]) l (line, mark, at, kind, subject, value)
    where not exists (select from access_journal j where j.line = l.line::bigint)
    on conflict (mark) do update set line = excluded.line`.execute(tx)
}

/** Adds a line about a restore. */
export async function recordRestore(tx: Tx, head: string): Promise<void> {
  await sql`insert into access_journal (kind, subject, value) values ('restore', '', ${head})`.execute(tx)
}
