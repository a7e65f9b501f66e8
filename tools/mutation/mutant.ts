import { systemKinds, walletKinds } from '../../apps/server/src/ledger/chart-of-accounts.ts'

/** A small mistake that someone could make: one piece of a file, and what would stand there instead. */
export interface Mutant {
  /** Path from the root of the project. */
  file: string
  /** Which kind of mistake it is. */
  rule: string
  /** The piece of the file's text that goes, from and to (exclusive), and what comes in its place. */
  start: number
  end: number
  text: string
  /** Counted from 1. */
  line: number
  /** The lines that it touches, before and after, in one line each. */
  before: string
  after: string
}

/** One place where a rule applies. */
export type Spot = Pick<Mutant, 'rule' | 'start' | 'end' | 'text'>

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Completes a spot by where it stands in its file. */
export function toMutant(file: string, source: string, { rule, start, end, text }: Spot): Mutant {
  const from = source.lastIndexOf('\n', start - 1) + 1
  const lineEnd = source.indexOf('\n', end)
  const to = lineEnd < 0 ? source.length : lineEnd
  return {
    file,
    rule,
    start,
    end,
    text,
    line: source.slice(0, start).split('\n').length,
    before: inOneLine(source.slice(from, to)),
    after: inOneLine(source.slice(from, start) + text + source.slice(end, to)),
  }
}

/** The text of the file with the mistake in it. */
export const plant = (source: string, { start, end, text }: Spot): string => source.slice(0, start) + text + source.slice(end)

/** Each word with the other side of it. */
const PAIRS = new Map<string, string>(
  [
    ['up', 'down'],
    ['USD', 'COIN'],
    ['usd', 'coin'],
    ['asc', 'desc'],
    ['<', '<='],
    ['>', '>='],
    ['=', '!='],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
)

/**
 * What someone could have written in place of a word of the money code: the other side, another wallet, another house
 * account or another status.
 * @param company the quoted words of the same file, of which the other status is taken
 */
export function swapped(word: string, company: readonly string[]): string | undefined {
  const statuses = company.filter((other) => /^[A-Z][A-Z_]+$/.test(other) && !PAIRS.has(other))
  const family = [walletKinds, systemKinds, statuses].find((words: readonly string[]) => words.includes(word))
  const others = [...new Set<string>(family)].toSorted()
  const next = PAIRS.get(word) ?? others[(others.indexOf(word) + 1) % others.length]
  return next === word ? undefined : next
}
