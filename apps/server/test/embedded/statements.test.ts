import { describe, expect, it } from 'vitest'
import { testDatabase } from '../database.ts'
import { describeAll, type DescribedStatement, type Description } from '../describe-statements.ts'
import { formOf } from '../record-statements.ts'
import { extent, readRecordings } from '../statement-recording.ts'

/**
 * Checks that both engines read the same SQL. Project `server` proves each statement on PostgreSQL; here the embedded engine,
 * another PostgreSQL version, must describe each one equally.
 */

/** Minimum number of statements, far below a full run, to reject a partial recording. */
const FEWEST = extent === 'added' ? 1 : 1_000
/** Maximum share of rejected statements. Tests send some to their own tables, or to provoke an error. */
const MAX_REJECTED = 0.05

const { pool } = await testDatabase()

/** Returns statements that this engine rejects, or describes differently from PostgreSQL. */
async function findDifferences(statements: readonly DescribedStatement[]): Promise<string[]> {
  const here = await describeAll(
    pool,
    statements.map(({ text }) => text),
  )
  return statements.flatMap(({ text, described }, index) => {
    const [there, now] = [described, here[index]?.described].map(meaningOf)
    return there === now ? [] : `${text}\n  PostgreSQL: ${there}\n  embedded:   ${now}`
  })
}

/** Compares error codes only, because messages differ between versions. */
const meaningOf = (description: Description | undefined): string => {
  if (description === undefined) return 'not described'
  if ('refused' in description) return `refused with ${description.refused}`
  return `(${description.parameters.join(', ')}) -> ${description.columns.join(', ')}`
}

it('accepts each statement of the PostgreSQL run with the same result types', async () => {
  const statements = readRecordings()
  expect(statements.length).toBeGreaterThanOrEqual(FEWEST)
  const refused = statements.filter(({ described }) => 'refused' in described)
  expect(refused.length).toBeLessThanOrEqual(statements.length * MAX_REJECTED)
  expect(await findDifferences(statements)).toEqual([])
})

describe('statement comparison', () => {
  const known = { parameters: ['bigint'], columns: ['id bigint'] }

  it.each([
    ['a function that only PostgreSQL has', 'select no_such_function($1) as id', known, 'refused with 42883'],
    ['a column that only PostgreSQL has', 'select no_such_column as id from member where id = $1', known, 'refused with 42703'],
    ['an error in planning', 'select id / (1 - 1) * (1 / 0) as id from member where id = $1', known, 'refused with 22012'],
    ['another type of a column', 'select id::text as id from member where id = $1', known, '(bigint) -> id text'],
    ['another type of a parameter', 'select id from member where id = $1::int', known, '(integer) -> id bigint'],
    ['another name of a column', 'select id as number from member where id = $1', known, '(bigint) -> number bigint'],
    [
      'a statement that only PostgreSQL refuses',
      'select id from member where id = $1',
      { refused: '42883', message: '' },
      '(bigint) -> id bigint',
    ],
    ['another error code', 'select id from no_such_table', { refused: '42883', message: '' }, 'refused with 42P01'],
  ])('reports %s', async (_, text, described, now) => {
    expect(await findDifferences([{ text, described }])).toEqual([expect.stringContaining(`embedded:   ${now}`)])
  })

  it('reports nothing when both engines agree, and runs no statement', async () => {
    const statements = [
      { text: 'select id from member where id = $1', described: known },
      { text: 'delete from setting', described: { parameters: [], columns: [] } },
      { text: 'commit', described: { parameters: [], columns: [] } },
      { text: 'select id from no_such_table', described: { refused: '42P01', message: 'in other words' } },
    ]
    expect(await findDifferences(statements)).toEqual([])
  })
})

describe('statement form', () => {
  it('is the same for lists of any length', () => {
    const forms = ['in ($1)', 'in ($1, $2)', 'in ($1, $2, $3)'].map((list) => formOf(`select 1 where 1 ${list}`))
    expect(new Set(forms).size).toBe(2)
    expect(formOf('insert into t values ($1, $2), ($3, $4), ($5, $6)')).toBe(formOf('insert into t values ($1, $2), ($3, $4)'))
  })

  it('differs for different statements', () => {
    expect(formOf('select $1, a')).not.toBe(formOf('select $1, b'))
    expect(formOf('select $1::int')).not.toBe(formOf('select $1::text'))
  })
})
