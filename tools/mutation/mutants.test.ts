import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { AREAS, draw, linesOf, mutantsIn, mutantsOf } from './sample.ts'
import { equivalents } from './equivalents.ts'
import { plant } from './mutant.ts'
import { relatedTests } from './related-tests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const describeMutants = (file: string, source: string) => mutantsIn(file, source).map(({ rule, after }) => `${rule}: ${after}`)
const areas = Object.values(AREAS).map((beginnings) => mutantsOf(root, beginnings))

describe('mutants of a line of TypeScript', () => {
  it.each([
    ['if (held < wanted) throw refused', ['boundary: if (held <= wanted) throw refused', 'guard: ;']],
    ['await assertRested(tx, owner)', ['call: ;']],
    ['const left = balance - 1n', ['operator: const left = balance + 1n', 'constant: const left = balance - 2n']],
    ["multiply(coin, price, 'up')", ["word: multiply(coin, price, 'down')"]],
    ['move({ from: a, to: { owner, kind } })', ['direction: move({ from: { owner, kind }, to: a })']],
    [
      "open.where('at', '<', now).forUpdate()",
      ['condition: open.forUpdate()', "word: open.where('at', '<=', now).forUpdate()", "link: open.where('at', '<', now)"],
    ],
    ['row.set({ status, at: now })', ['property: row.set({ at: now })', 'property: row.set({ status })']],
    ["post('SYS-COIN')", ["word: post('SYS-CONVERT')"]],
    ['const paid = isUsd ? usd : coin', ['branches: const paid = isUsd ? coin : usd']],
    [
      'sql`select where id > ${least} for update`',
      [
        'boundary: sql`select where id >= ${least} for update`',
        'condition: sql`select where true for update`',
        'lock: sql`select where id > ${least} `',
      ],
    ],
    ["type Sides = 'up' | 'down' | 1 | true", []],
    ["import { sum } from './sum.ts'", []],
    ["say('a' + name, `+ 1`)", []],
  ])('%s', (line, expected) => {
    expect(describeMutants('a.ts', line).toSorted()).toEqual(expected.toSorted())
  })
})

describe('mutants of a piece of SQL', () => {
  it.each([
    [
      "where state = 'APPROVED' and id <> 2",
      [
        'condition: where true and id <> 2',
        "condition: where state = 'APPROVED' and true",
        "logic: where state = 'APPROVED' or id <> 2",
        "constant: where state = 'APPROVED' and id <> 3",
      ],
    ],
    ["in ('OPEN', 'DONE')", ["word: in ('DONE', 'DONE')", "word: in ('OPEN', 'OPEN')"]],
    ['if a < b then raise exception; end if;', ['boundary: if a <= b then raise exception; end if;', 'guard: ']],
    [
      'where slot between 0 and 99 and open',
      ['condition: where true and open', 'logic: where slot between 0 and 99 or open', 'condition: where slot between 0 and 99 and true'],
    ],
    ['perform pg_advisory_xact_lock(k.h);', ['call: ']],
    [
      'create unique index one on many (a desc);',
      ['order: create unique index one on many (a );', 'unique: create index one on many (a desc);'],
    ],
    ['create index fast on many (a desc) where b is null;', []],
    ["-- a < b and 'c'\ncreate or replace", []],
    ['set version = version + 1', ['constant: set version = version + 2', 'sign: set version = version - 1']],
  ])('%s', (text, expected) => {
    expect(describeMutants('a.sql', text).toSorted()).toEqual(expected.toSorted())
  })
})

it('finds valid mutants that change the file in every area', () => {
  const drawn = areas.flatMap((mutants) => draw([mutants], 7).slice(0, 60))
  expect(new Set(drawn.map(({ file }) => file)).size).toBeGreaterThan(50)
  for (const mutant of drawn) {
    const source = read(mutant.file)
    const mutated = plant(source, mutant)
    expect(mutated).not.toBe(source)
    if (mutant.file.endsWith('.ts')) expect([parseSync(mutant.file, mutated).errors, mutant]).toEqual([[], mutant])
  }
})

it('samples the same mutants for the same seed, and keeps the rest when a line is deleted', () => {
  const names = (seed: number, from = areas) => draw(from, seed).map(({ file, before, after }) => `${file} ${before} ${after}`)
  expect(names(1)).toEqual(names(1))
  expect(names(1)).not.toEqual(names(2))
  const first = draw(areas, 1).slice(0, areas.length)
  expect(
    new Set(first.map(({ file }) => Object.values(AREAS).findIndex((all) => all.some((beginning) => file.startsWith(beginning))))).size,
  ).toBe(areas.length)
  const one = areas[0] ?? []
  const gone = draw([one], 1)[3]
  const others = one.filter(({ rule, line }) => rule === gone?.rule && line !== gone.line)
  const kept = new Set(others)
  expect(draw([others], 1)).toEqual(draw([one], 1).filter((mutant) => kept.has(mutant)))
})

it('reads the added lines of a diff', () => {
  const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +3,2 @@\n-x\n+y\n+z\n@@ -9 +11 @@\n+w\n--- a/b.sql\n+++ b/b.sql\n@@ -4,2 +4,0 @@\n-gone\n'
  expect(linesOf(diff)).toEqual(
    new Map([
      ['a.ts', new Set([3, 4, 11])],
      ['b.sql', new Set()],
    ]),
  )
})

it('runs the tests beside a mutant first, then those of its folder, then those that name or import it', () => {
  const imports = new Map(
    Object.entries({
      'apps/server/src/modules/coin/buy.test.ts': ['apps/server/src/modules/coin/buy.ts'],
      'apps/server/src/modules/coin/undo/undo.test.ts': ['apps/server/src/modules/coin/buy.ts'],
      'apps/server/src/modules/coin/other.test.ts': ['apps/server/src/ledger/post.ts'],
      'apps/server/src/main/far.test.ts': ['apps/server/src/main/all.ts'],
      'apps/server/src/main/all.ts': ['apps/server/src/modules/coin/buy.ts'],
      'apps/server/src/main/near.test.ts': ['apps/server/src/modules/coin/buy.ts'],
      'apps/server/test/properties/faults/fault-points.test.ts': ['apps/server/src/modules/coin/buy.ts'],
    }),
  )
  const code = {
    imports: (from: string) => imports.get(from) ?? [],
    text: (from: string) => (from.includes('far') ? 'how to buy coin' : ''),
  }
  const tests = [...imports.keys()].filter((name) => name.endsWith('.test.ts')).toReversed()
  const run = (file: string) => relatedTests(tests, file, code).map((name) => path.basename(name, '.test.ts'))
  expect(run('apps/server/src/modules/coin/buy.ts')).toEqual(['buy', 'undo', 'far', 'near'])
  expect(run('apps/server/src/ledger/functions.sql')).toEqual(['other'])
})

it('lists as equivalent only mutants that still exist', () => {
  const gone = equivalents.filter(
    ({ file, before, after }) => !mutantsIn(file, read(file)).some((mutant) => mutant.before === before && mutant.after === after),
  )
  expect(gone).toEqual([])
})
