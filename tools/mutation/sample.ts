import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { equivalents } from './equivalents.ts'
import { type Mutant, toMutant } from './mutant.ts'
import { sqlSpots } from './sql-mutators.ts'
import { quotedWords, tsSpots } from './ts-mutators.ts'

const server = 'apps/server/src'
/** Money code by area, as path prefixes. */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  money: ['packages/money/src/'],
  chain: [`${server}/gateways/chain/`],
  ledger: [`${server}/ledger/`],
  http: ['calls/idempotency', 'calls/money-calls', 'calls/money-group', 'calls/duplicate-window', 'schema.sql'].map(
    (name) => `${server}/http/${name}`,
  ),
  ...Object.fromEntries(
    ['withdrawals', 'deposits', 'transfers', 'coin', 'staking', 'nfts', 'rewards'].map((name) => [name, [`${server}/modules/${name}/`]]),
  ),
}

const git = (root: string, ...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })

/** Returns all possible mutants in an area's files, without known equivalents. */
export function mutantsOf(root: string, beginnings: readonly string[]): Mutant[] {
  const known = new Set(equivalents.map(({ file, before, after }) => `${file}\n${before}\n${after}`))
  return git(root, 'ls-files', '-co', '--exclude-standard', '--', ...beginnings.map((beginning) => `${beginning}*`))
    .split('\n')
    .filter((file) => /\.(?:ts|sql)$/.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => mutantsIn(file, readFileSync(path.join(root, file), 'utf8')))
    .filter(({ file, before, after }) => !known.has(`${file}\n${before}\n${after}`))
}

/** Returns all possible mutants in a file. */
export function mutantsIn(file: string, source: string): Mutant[] {
  const spots = file.endsWith('.sql') ? sqlSpots(source, quotedWords(source)) : tsSpots(file, source)
  return spots.map((spot) => toMutant(file, source, spot))
}

/** Returns the lines that differ from a git reference, by file. */
export const changedLines = (root: string, reference: string) => linesOf(git(root, 'diff', '-U0', '--no-color', reference))

/** Returns the lines added by a diff without context, by file. */
export function linesOf(diff: string): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>()
  let file = new Set<number>()
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ b/')) lines.set(line.slice(6), (file = new Set()))
    const [, from, count] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    for (let index = 0; from !== undefined && index < Number(count ?? 1); index += 1) file.add(Number(from) + index)
  }
  return lines
}

/**
 * Orders mutants for sampling. Areas alternate, rules alternate within an area, and the seed decides within a rule. The position of a
 * mutant depends only on the mutant's lines, so that a sample stays the same when other code changes.
 */
export function draw(areas: readonly Mutant[][], seed: number): Mutant[] {
  const ordered = areas.map((mutants) => {
    const ranked = mutants
      .map((mutant) => ({ mutant, rank: rank(seed, mutant) }))
      .toSorted((a, b) => a.rank.localeCompare(b.rank) || a.mutant.start - b.mutant.start)
    const byRule = [...Map.groupBy(ranked, ({ mutant }) => mutant.rule).values()]
    return takeTurns(byRule).map(({ mutant }) => mutant)
  })
  return takeTurns(ordered)
}

const takeTurns = <T>(lists: readonly T[][]): T[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat()

const rank = (seed: number, { file, before, after }: Mutant) =>
  createHash('sha256').update([seed, file, before, after].join('\n')).digest('hex')
