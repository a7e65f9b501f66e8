import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import type { Db } from '../../platform/db/database.ts'
import { readPageRange } from '../../platform/db/paging.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { type AuditSearch, estimateAudit, listAudit } from './index.ts'

const ROWS = 40
const MAX_SEARCHED = 10
const FIRST = Date.parse('2026-03-01T12:00:00Z')

let db: Db
let ids: bigint[]

beforeEach(async () => {
  db = (await testDatabase()).db
  // One row a day, with gaps between the ids. Every tenth row is a refusal by a visitor.
  await sql`insert into audit_event (id, at, actor_role, action, outcome, previous_hash, hash) overriding system value
    select n * 3, ${new Date(FIRST)}::timestamptz + n * interval '1 day', case when n % 10 = 0 then 'VISITOR' else 'SYSTEM' end, 'test.' || n,
      case when n % 10 = 0 then 'FORBIDDEN' else 'ok' end, 'p' || n, 'h' || n from generate_series(0, ${ROWS - 1}::int) n`.execute(db)
  ids = (await db.selectFrom('audit_event').select('id').orderBy('id', 'desc').execute()).map(({ id }) => id)
})

const dayOf = (n: number) => new Date(FIRST + n * DAY_MS).toISOString().slice(0, 10)
const searchOf = (search: Partial<AuditSearch>, query = {}): AuditSearch => ({
  text: '',
  pageRange: readPageRange({ limit: 25, ...query }),
  maxSearched: MAX_SEARCHED,
  ...search,
})

/** Follows a search to its end. */
async function searchAll(search: AuditSearch) {
  const found: string[] = []
  const pages: number[] = []
  let before: bigint | undefined
  do {
    const { rows, searchedTo } = await listAudit(db, { ...search, before })
    found.push(...rows.map(({ action }) => action))
    pages.push(rows.length)
    before = rows.length === search.pageRange.limit ? rows.at(-1)?.id : searchedTo?.id
  } while (before !== undefined)
  return { found, pages }
}
const newestFirst = (...numbers: number[]) => numbers.map((n) => `test.${n}`)

it.each<[string, Partial<AuditSearch>, object, number[], number[]]>([
  ['a text without a match', { text: 'nobody' }, {}, [], [0, 0, 0, 0]],
  ['a text with one match in the oldest row', { text: 'test.0' }, {}, [0], [0, 0, 0, 1]],
  ['refusals', { kind: 'refused' }, {}, [30, 20, 10, 0], [1, 1, 1, 1]],
  ['an actor', { who: 'member' }, {}, [30, 20, 10, 0], [1, 1, 1, 1]],
  ['a period', {}, { from: dayOf(11), to: dayOf(13) }, [13, 12, 11], [3]],
  ['a period before the log', {}, { to: dayOf(-5) }, [], [0]],
  ['a period after the log', {}, { from: dayOf(99) }, [], [0]],
])('finds all rows of %s in steps of a limited number of rows', async (_, search, query, numbers, pages) => {
  const seen = await searchAll(searchOf(search, query))
  expect(seen).toEqual({ found: newestFirst(...numbers), pages })
})

it('ends a page that is not full after a limited number of rows, and says how far it came', async () => {
  const { rows, total, searchedTo } = await listAudit(db, searchOf({ text: 'nobody' }))
  expect([rows, total]).toEqual([[], 0])
  expect(searchedTo).toEqual({ id: ids[MAX_SEARCHED - 1], at: new Date(FIRST + (ROWS - MAX_SEARCHED) * DAY_MS) })
  expect((await listAudit(db, searchOf({ text: 'nobody', maxSearched: ROWS }))).searchedTo).toBeUndefined()
})

it('estimates the rows of a search for an export from parts of the log, and exactly for a short log', async () => {
  expect(await estimateAudit(db, searchOf({ kind: 'refused', maxSearched: 1000 }))).toBe(4)
  expect(await estimateAudit(db, searchOf({}, { from: dayOf(11), to: dayOf(13) }))).toBe(3)
  await sql`insert into audit_event (id, at, actor_role, action, outcome, previous_hash, hash) overriding system value
    select n, now(), 'SYSTEM', 'many', case when n % 2 = 0 then 'FORBIDDEN' else 'ok' end, 'p' || n, 'h' || n from generate_series(1000, 4999) n`.execute(
    db,
  )
  const estimate = await estimateAudit(db, searchOf({ kind: 'refused', maxSearched: 500 }))
  expect(Math.abs(estimate - 2_004)).toBeLessThan(200)
})
