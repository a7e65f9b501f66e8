import { swapped, type Spot } from './mutant.ts'

const SWAPS = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '+': '-',
    '-': '+',
    and: 'or',
    or: 'and',
    'is null': 'is not null',
    'is not null': 'is null',
    'not exists': 'exists',
    greatest: 'least',
    least: 'greatest',
    min: 'max',
    max: 'min',
    ceil: 'floor',
    floor: 'ceil',
    'unique index': 'index',
    desc: '',
    distinct: '',
    'skip locked': '',
  }),
)
/** Patterns of words to replace, by rule name. */
const WORDS: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ['boundary', /(?<=\s)(?:<=|>=|<|>)(?=\s)/g],
  ['sign', /(?<=[\w)\]~] )[+-](?= [\w$(~])/g],
  ['logic', /(?<!create )\b(?:and|or)\b/g],
  ['null', /\bis (?:not )?null\b/g],
  ['exists', /\bnot exists\b/g],
  ['extreme', /\b(?:greatest|least|min|max|ceil|floor)(?=\()/g],
  ['unique', /\bunique index\b/g],
  ['order', /\bdesc\b/g],
  ['distinct', /(?<=\bselect )distinct\b(?! on)/g],
  ['skip locked', /\bskip locked\b/g],
]
/** Patterns of removals. */
const REMOVED: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ['lock', /\bfor (?:no key update|key share|update|share)\b/g],
  ['guard', /\bif [^;]*? then\s+(?:raise|return|continue|exit)[^;]*;\s*end if;/g],
  ['call', /(?<=^|[;\n])\s*perform [^;]*;/g],
]
const END_OF_CONDITION =
  /^(?:\b(?:and|or|group|order|limit|offset|for|returning|union|then|else|loop|on|left|join|where|window|having|end|as|do|using|cross)\b|[;,])/

/** Replaces comments, quoted texts, indexes and `if not exists` with `~`, which no rule matches. */
const hide = (text: string) =>
  text.replaceAll(/--[^\n]*|'[^'\n]*'|create index [^;]*;|\bif not exists\b/g, (match) => '~'.repeat(match.length))

/** Returns the spots for mutants in SQL. `~` marks a template expression. Constants such as 'PENDING' have a separate rule below. */
export function sqlSpots(sql: string, alternatives: readonly string[]): Spot[] {
  const code = hide(sql)
  const spots: Spot[] = []
  const each = (pattern: RegExp, take: (match: RegExpExecArray) => void) => [...code.matchAll(pattern)].forEach(take)
  for (const [rule, pattern] of WORDS)
    each(pattern, ({ 0: found, index }) => {
      if (!(found === 'and' && isRange(code, index)))
        spots.push({ rule, start: index, end: index + found.length, text: SWAPS.get(found) ?? '' })
    })
  for (const [rule, pattern] of REMOVED)
    each(pattern, ({ 0: found, index }) => spots.push({ rule, start: index, end: index + found.length, text: '' }))
  each(/(?<=(?:[<>=+*/-]|<=|>=) )\d+\b/g, ({ 0: found, index }) =>
    spots.push({ rule: 'constant', start: index, end: index + found.length, text: String(BigInt(found) + 1n) }),
  )
  each(/\b(?:where|and)\b/g, ({ 0: word, index }) => {
    const start = index + word.length
    const end = endOfCondition(code, start)
    if (!(word === 'and' && isRange(code, index)) && code.slice(start, end).trim() !== '')
      spots.push({ rule: 'condition', start, end, text: ' true ' })
  })
  for (const { 1: word = '', index } of sql.matchAll(/'([\w-]+)'/g)) {
    const other = code[index] === '~' ? swapped(word, alternatives) : undefined
    if (other !== undefined) spots.push({ rule: 'word', start: index + 1, end: index + 1 + word.length, text: other })
  }
  return spots
}

/** Returns true if this `and` belongs to a `between`. */
const isRange = (code: string, index: number) => /\bbetween\b(?:(?!\b(?:and|or|where|on|when)\b)[^;])*$/.test(code.slice(0, index))

function endOfCondition(code: string, start: number): number {
  let depth = 0
  for (let index = start; index < code.length; index += 1) {
    const at = code[index] ?? ''
    if (at === '(' || at === '[') depth += 1
    else if (at === ')' || at === ']') depth -= 1
    if (depth < 0) return index
    const atWord = /\W/.test(code[index - 1] ?? ' ')
    if (depth > 0 || !(atWord || /[;,]/.test(at)) || !END_OF_CONDITION.test(code.slice(index, index + 12))) continue
    if (code.startsWith('and', index) && isRange(code.slice(start, index), index - start)) continue
    return index
  }
  return code.length
}
