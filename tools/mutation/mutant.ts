import { systemKinds, walletKinds } from '../../apps/server/src/ledger/chart-of-accounts.ts'

/** Small plausible mistake: a range of a file, and its replacement. */
export interface Mutant {
  /** Path from the project root. */
  file: string
  /** Rule that created the mutant. */
  rule: string
  /** Range of the removed text, from and to (exclusive), and its replacement. */
  start: number
  end: number
  text: string
  /** Line number from 1. */
  line: number
  /** Affected lines before and after, each joined into one. */
  before: string
  after: string
}

/** Location where a rule applies. */
export type Spot = Pick<Mutant, 'rule' | 'start' | 'end' | 'text'>

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Completes a spot with its position in the file. */
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

/** Returns the file's text with the mutant. */
export const plant = (source: string, { start, end, text }: Spot): string => source.slice(0, start) + text + source.slice(end)

/** Pairs of words that a mutant exchanges. */
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
 * Returns a plausible wrong word in place of a word: the other word of the pair, another wallet, system account or status.
 * @param alternatives quoted words of the same file, as source of another status
 */
export function swapped(word: string, alternatives: readonly string[]): string | undefined {
  const statuses = alternatives.filter((other) => /^[A-Z][A-Z_]+$/.test(other) && !PAIRS.has(other))
  const family = [walletKinds, systemKinds, statuses].find((words: readonly string[]) => words.includes(word))
  const others = [...new Set<string>(family)].toSorted()
  const next = PAIRS.get(word) ?? others[(others.indexOf(word) + 1) % others.length]
  return next === word ? undefined : next
}
