import { expect, it } from 'vitest'
import { problems, findBreaks } from './borders.ts'
import type { SqlFolder } from '../../apps/server/src/platform/db/schema-files.ts'

const sqlFolder = (folder: string, tier: number, schema = '', functions = ''): SqlFolder => ({
  folder,
  tier,
  files: [
    { name: 'functions.sql', text: functions },
    { name: 'schema.sql', text: schema },
  ],
})
const folders = [
  sqlFolder(
    'ground',
    0,
    '-- published: offer\ncreate table offer (\n  id int\n);\ncreate table secret (\n  id int\n);\ncreate view shown as select 1;',
    'create or replace function help(n int) returns int',
  ),
  sqlFolder('left', 1, 'create table stake (\n  id int\n);', 'create or replace function stake_sum() returns int'),
  sqlFolder('right', 1, 'create table ticket (\n  id int\n);'),
  sqlFolder('roof', 2, 'create table tile (\n  id int\n);'),
]
const breaksOf = (file: string, text: string) => findBreaks(folders, [{ file, text }]).breaks.map(({ name, why }) => `${name} ${why}`)

const above = 'tile is of a higher tier'
const beside = 'ticket is a sibling'
const hidden = 'secret is not published'
const foreign = 'offer writes a table of another folder'

it.each([
  ['a template that reads upward', 'left/a.ts', 'await sql<{ id: 1 }>`select id from tile t`.execute(db)', above],
  ['a part of a template', 'left/a.ts', 'const part = sql`left join tile on true ${other}`', above],
  ['a text that is SQL', 'left/a.ts', "const text = 'select 1 from stake s, ticket t'", beside],
  ['a template inside a template', 'left/a.ts', 'sql`select ${sql`(select max(id) from secret)`}`', hidden],
  ['a table by its name', 'left/a.ts', "sql`select * from ${sql.table('tile')}`", above],
  ['a write', 'left/a.ts', 'sql`insert into offer values (1) on conflict do update set id = 2`', foreign],
  ['a delete', 'left/a.ts', 'sql`with gone as (delete from offer returning id) select * from gone`', foreign],
  ['an update', 'left/a.ts', 'sql`update offer set id = 1`', foreign],
  ['a builder that reads upward', 'left/a.ts', "db.selectFrom('tile as t').selectAll()", above],
  ['a builder that joins a sibling', 'left/a.ts', "db.selectFrom('stake').innerJoin('ticket as t', 't.id', 'stake.id')", beside],
  ['a builder with a list', 'left/a.ts', "db.selectFrom(['stake', 'secret'])", hidden],
  ['a builder that writes', 'left/a.ts', "tx.updateTable('offer').set({ id: 1 })", foreign],
  ['a function that reads upward', 'left/functions.sql', 'create or replace function f() returns int as $$ select id from tile $$;', above],
  ['a trigger on a hidden table', 'left/schema.sql', 'create trigger t after insert on secret for each row execute function f();', hidden],
  ['a reference upward', 'left/schema.sql', 'create table x (\n  id int references tile (id)\n);', above],
  ['a function of a sibling', 'right/a.ts', 'sql`select stake_sum()`', 'stake_sum is a sibling'],
  ['an audit that reads upward', 'left/audit-checks.ts', 'sql`select id from tile`', above],
  ['a file of no folder', 'attic/a.ts', 'sql`select id from offer`', 'offer belongs to no folder'],
])('finds %s', (_, file, text, break_) => {
  expect(breaksOf(file, text)).toEqual([break_])
})

it.each([
  ['what is published, views and functions', 'left/a.ts', 'sql`select help(o.id) from offer o join shown on true`'],
  ['its own', 'left/a.ts', "sql`update stake set id = stake_sum()`; db.deleteFrom('stake')"],
  ['references to what is below', 'left/schema.sql', 'create table x (\n  id int references secret (id)\n);'],
  ['audits read what is below', 'left/audit-checks.ts', 'sql`select id from secret`'],
  [
    'columns, values and comments',
    'left/a.ts',
    "sql`select ticket from stake where a is distinct from tile and b = 'from tile' -- from tile`",
  ],
  ['texts that are no SQL', 'left/a.ts', "throw new Error('nothing to take from tile'); Buffer.from('secret text')"],
  ['names that a statement makes itself', 'left/a.ts', 'sql`with tile as (select 1) select * from tile`'],
])('accepts %s', (_, file, text) => {
  expect(breaksOf(file, text)).toEqual([])
})

it('rejects a table with two owners, and a published name without a table', () => {
  expect(() => findBreaks([...folders, sqlFolder('attic', 3, 'create table tile (\n);')], [])).toThrow('tile belongs to roof and to attic')
  expect(() => findBreaks([sqlFolder('attic', 3, '-- published: ghost')], [])).toThrow('attic publishes ghost, which is no table of it')
})

it('fails when it finds a break or reads too few tables', () => {
  const breaks = [{ file: 'left/a.ts', name: 'tile', why: 'is of a higher tier' }]
  const seen = { tables: 60, named: 1000 }
  expect(problems({ breaks: [], ...seen })).toEqual([])
  expect(problems({ breaks, ...seen })).toEqual(['apps/server/src/left/a.ts: tile is of a higher tier'])
  expect(problems({ breaks: [], tables: 0, named: 0 })).toEqual([expect.stringContaining('too few to be believed')])
})
