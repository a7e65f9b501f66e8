import { PGlite } from '@electric-sql/pglite'
import { afterAll, expect, it } from 'vitest'
import { makeDatabase } from './make.ts'
import { joinBaseline, joinBodies, type SqlFolder } from '../../apps/server/src/platform/db/schema-files.ts'

const lite = await PGlite.create()
afterAll(() => lite.close())

const sqlFolder = (folder: string, tier: number, files: Record<string, string>): SqlFolder => ({
  folder,
  tier,
  files: Object.entries(files).map(([name, text]) => ({ name, text })),
})
const BELOW = { 'functions.sql': 'create or replace function one() returns int language sql as $$ select max(id) from thing $$;\n' }
const TABLE = 'create table thing (\n  id int primary key check (id >= 0)\n);\n'
const VIEW = 'create view things as select id from thing;\n'
const folders = [sqlFolder('below', 0, BELOW), sqlFolder('above', 1, { 'schema.sql': TABLE, 'views.sql': VIEW })]
const grown = [
  sqlFolder('below', 0, BELOW),
  sqlFolder('above', 1, { 'schema.sql': TABLE.replace('\n)', ',\n  size int\n)'), 'views.sql': VIEW }),
]

it('joins the folders from the lowest tier, and dumps the resulting database', async () => {
  expect(joinBaseline(folders)).toMatch(/-- below\/functions\.sql[^]*-- above\/schema\.sql[^]*-- above\/views\.sql/)
  expect(joinBodies(folders)).toMatch(/drop view if exists things;[^]*create or replace function one[^]*create view things/)
  const files = await makeDatabase(lite, folders, [])
  expect(files['db/schema.sql']).toContain('constraint thing_id_check CHECK ((id >= 0))')
  expect(files['src/platform/db/tables.generated.ts']).toContain('export interface ThingTable {\n  id: number\n}')
})

it('rejects a function that uses an unknown name', async () => {
  const broken = sqlFolder('above', 1, { 'functions.sql': BELOW['functions.sql'].replace('one', 'two').replace('max(id)', 'max(size)') })
  await expect(makeDatabase(lite, [...folders, broken], [])).rejects.toThrow('column "size" does not exist')
})

it('accepts changes after a release that produce the same tables as the folders, and rejects others', async () => {
  const released = { name: '0001_baseline.sql', text: joinBaseline(folders) }
  const change = (text: string) => ({ name: '0002_grow.sql', text })
  const led = await makeDatabase(lite, grown, [released, change('alter table thing add column size int')])
  expect(led['db/schema.sql']).toContain('  size integer')
  const wrong = [released, change('alter table thing add column size bigint')]
  await expect(makeDatabase(lite, grown, wrong)).rejects.toThrow(
    '0002_grow.sql makes other tables: it has "  size bigint," where the folders have "  size integer,"',
  )
})
