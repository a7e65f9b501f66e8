import { readFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/database.ts'
import { dumpSchema } from '../../../../../tools/database/dump-schema.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { readSchema, type Schema, sqlFile } from './schema-files.ts'
import { missingFromSchema } from './schema-state.ts'

const BASELINE = 'create table thing (id int primary key, size int not null default 1)'
const GROW = 'alter table thing add column name text'
const DOUBLE = 'create or replace function double(n int) returns int language sql as $$ select n * 2 $$;'

const { pool, url } = await emptyDatabase()
beforeEach(() => pool.query('drop schema public cascade; create schema public'))

/** A schema of these migrations, by the word in their names. */
const schemaOf = (migrations: Record<string, string>, bodies = DOUBLE): Schema => ({
  migrations: Object.entries(migrations).map(([name, text]) => sqlFile(`${name}.sql`, text)),
  bodies: sqlFile('bodies.sql', bodies),
  version: '1.4.0',
})
const first = schemaOf({ '0001_baseline': BASELINE })
const second = schemaOf({ '0001_baseline': BASELINE, '0002_grow': GROW })
const lacks = (schema: Schema) => missingFromSchema(pool, schema).catch((error: Error) => error.message)
const columns = async () =>
  (await pool.query<{ name: string }>("select column_name as name from information_schema.columns where table_name = 'thing'")).rows.map(
    ({ name }) => name,
  )

it('creates the dumped schema in an empty database, and does nothing the second time', async () => {
  expect(await lacks(readSchema())).toMatch(/^The database is empty and needs 0001_baseline: run `npm run migrate`\.$/)
  expect(await migrate(pool)).toContain('0001_baseline.sql')
  const dump = await dumpSchema(async (text) => (await pool.query(text)).rows as never)
  expect(readFileSync(new URL('../../../db/schema.sql', import.meta.url), 'utf8')).toContain(`\n\n${dump}`)
  expect(await migrate(pool)).toEqual([])
  expect(await lacks(readSchema())).toBeUndefined()
})

it('runs new migrations once', async () => {
  expect(await migrate(pool, first)).toEqual(['0001_baseline.sql', 'functions and views'])
  expect(await lacks(second)).toBe('The database has version 0001_baseline and needs 0002_grow: run `npm run migrate`.')
  expect(await migrate(pool, second)).toEqual(['0002_grow.sql'])
  expect(await migrate(pool, second)).toEqual([])
  expect(await columns()).toEqual(['id', 'size', 'name'])
})

it('stops at a migration that was edited after it ran, and names it', async () => {
  await migrate(pool, schemaOf({ '0001_baseline': BASELINE, '0003_grow': GROW }))
  const edited = schemaOf({ '0001_baseline': BASELINE, '0003_grow': `${GROW} default ''` })
  await expect(migrate(pool, edited)).rejects.toThrow('0003_grow.sql was edited after it ran on this database')
  expect(await lacks(edited)).toContain('0003_grow.sql was edited')
  const late = schemaOf({ '0001_baseline': BASELINE, '0002_late': 'drop table thing', '0003_grow': GROW })
  await expect(migrate(pool, late)).rejects.toThrow('0002_late.sql has not run on this database, but the later 0003_grow.sql has')
  const lost = schemaOf({ '0001_baseline': BASELINE, '0004_more': 'create table more ()' })
  await expect(migrate(pool, lost)).rejects.toThrow('0003_grow.sql ran on this database and is missing here')
  expect(await columns()).toEqual(['id', 'size', 'name'])
})

it('stops at a database of a newer version, which this version may still use', async () => {
  await migrate(pool, first)
  await migrate(pool, schemaOf({ '0001_baseline': BASELINE, '0002_grow': GROW }, DOUBLE.replace('n * 2', 'n + n')))
  await expect(migrate(pool, first)).rejects.toThrow('0002_grow.sql ran on this database and is missing here, so a newer version')
  expect(await lacks(first)).toBeUndefined()
})

it('accepts the schema of the next minor version, and rejects later ones with an error', async () => {
  await migrate(pool, first)
  const next = { ...second, bodies: sqlFile('bodies.sql', DOUBLE.replace('n * 2', 'n + n')), version: '1.5.3' }
  expect(await migrate(pool, next)).toEqual(['0002_grow.sql', 'functions and views'])
  expect(await lacks(first)).toBeUndefined()
  for (const version of ['1.6.0', '2.0.0']) {
    const further = { ...next, bodies: sqlFile('bodies.sql', DOUBLE.replace('n * 2', `n * 2 -- ${version}`)), version }
    expect(await migrate(pool, further)).toEqual(['functions and views'])
    const sentence = `This database has the schema of version ${version}, which 1.4.0 cannot use. Start a newer version`
    expect(await lacks(first)).toContain(sentence)
    await expect(migrate(pool, first)).rejects.toThrow(sentence)
    expect(await lacks({ ...further, version: '1.5.9' })).toEqual(
      version === '1.6.0' ? undefined : expect.stringContaining(`the schema of version ${version}`),
    )
  }
})

it('reports a database from before the baseline', async () => {
  await pool.query('create table schema_migration (name text primary key, ran_at timestamptz not null default now())')
  const sentence = 'This database is older than 0001_baseline.sql. It cannot be upgraded'
  await expect(migrate(pool, first)).rejects.toThrow(sentence)
  expect(await lacks(first)).toContain(sentence)
})

it('rejects a database of another application, and names it', async () => {
  await pool.query('create table somebody_elses (id int)')
  const sentence = /^The database \w+ contains other tables\. Set DATABASE_URL to a database of this product\.$/
  await expect(migrate(pool, first)).rejects.toThrow(sentence)
  expect(await lacks(first)).toMatch(sentence)
  expect(await columns()).toEqual([])
})

it('names the lost note of the schema, deleted or emptied, and changes nothing', async () => {
  const ours = schemaOf({ '0001_baseline': 'create table member (id int); create table ledger_account (id int);' }, DOUBLE)
  await migrate(pool, ours)
  const sentence = /^The database \w+ has this product's tables but no schema version \(schema_migration\)/
  for (const loss of ['delete from schema_migration', 'drop table schema_migration']) {
    await pool.query(loss)
    await expect(migrate(pool, ours)).rejects.toThrow(sentence)
    expect(await lacks(ours)).toMatch(sentence)
  }
})

it('replaces changed functions and views, also views with other columns', async () => {
  await migrate(pool, first)
  const changed = schemaOf(
    { '0001_baseline': BASELINE },
    `drop view if exists sized; ${DOUBLE.replace('n * 2', 'n * 3')} create view sized as select size, id from thing`,
  )
  expect(await lacks(changed)).toContain('needs the functions of this version')
  expect(await migrate(pool, changed)).toEqual(['functions and views'])
  const other = schemaOf({ '0001_baseline': BASELINE }, changed.bodies.text.replace('size, id', 'id::text as name'))
  expect(await migrate(pool, other)).toEqual(['functions and views'])
  expect((await pool.query('select double(2) as n, (select count(name) from sized) as names')).rows).toEqual([{ n: 6, names: 0n }])
  expect(await migrate(pool, first)).toEqual(['functions and views'])
  expect((await pool.query('select double(2) as n')).rows).toEqual([{ n: 4 }])
})

it('rolls back a migration that fails midway, and names it', async () => {
  await migrate(pool, first)
  await expect(migrate(pool, schemaOf({ '0001_baseline': BASELINE, '0002_half': `${GROW}; select 1 / 0` }))).rejects.toThrow(
    '0002_half.sql: division',
  )
  expect(await columns()).toEqual(['id', 'size'])
  await expect(migrate(pool, schemaOf({ '0001_baseline': BASELINE }, DOUBLE.replace('n * 2', 'size from thingy')))).rejects.toThrow(
    'bodies.sql: ',
  )
  expect(await lacks(first)).toBeUndefined()
})

it('succeeds for several parallel first starts on one empty database, and runs once', async () => {
  const pools = url === undefined ? [pool, pool] : [1, 2, 3, 4].map(() => openDatabase({ url }).pool)
  const ran = await Promise.all(pools.map((each) => migrate(each)))
  expect(ran.flat().toSorted()).toEqual(['0001_baseline.sql', 'functions and views'])
  if (url !== undefined) await Promise.all(pools.map((each) => each.end()))
})

it('lets other calls pass while it waits for a table lock, and gives up in the end', async () => {
  await migrate(pool, first)
  // The embedded database has one session, so no other session can hold a table lock.
  if (url === undefined) return
  const reader = await pool.connect()
  await reader.query('begin; select * from thing')
  const short = { lock: 50, attempts: 3, pause: 10 }
  await expect(migrate(pool, second, short)).rejects.toThrow('0002_grow.sql: canceling statement due to lock timeout')
  const migrated = migrate(pool, second, { ...short, attempts: 1_000_000 })
  // Each query queues behind the waiting migration, and is answered while the reader continues.
  for (let call = 0; call < 20; call += 1) await pool.query('select * from thing')
  await reader.query('commit')
  reader.release()
  expect(await migrated).toEqual(['0002_grow.sql'])
})
