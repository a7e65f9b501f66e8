import { parseSync } from '@swc/core'

/** Use of a table, view or function in a statement. */
export type NameUse = 'read' | 'write' | 'refer' | 'call'

/** Name in a statement, with or without an owner. */
export interface Named {
  name: string
  how: NameUse
}

const READ = new Set(['from', 'join', 'using', 'on', 'only', 'truncate', 'table', 'lock'])
const NOT_AN_ALIAS = new Set([
  'where',
  'join',
  'left',
  'inner',
  'cross',
  'full',
  'right',
  'on',
  'group',
  'order',
  'union',
  'for',
  'set',
  'limit',
  'lateral',
])

/** Finds names in an SQL text: in from lists and joins, as targets of writes or references, and as functions. */
export function namesInSql(text: string): Named[] {
  const words = text
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, ' ? ')
    .toLowerCase()
    .split(/\s+|(?<=[(),;])|(?=[(),;])|\$\w*\$/)
    .filter((word) => word !== '')
  const found: Named[] = []
  const own = new Set(
    words.filter((_, index) => words[index + 1] === 'as' && ['(', 'materialized', 'not'].includes(words[index + 2] ?? '')),
  )
  const add = (word: string | undefined, how: NameUse) => {
    const name = /^(?:public\.)?([a-z_][a-z0-9_]*)/.exec(word ?? '')?.[1]
    if (name !== undefined && !own.has(name)) found.push({ name, how })
  }
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (words[index + 1] === '(' && !['from', 'join', 'into', 'table'].includes(before ?? '')) add(word, 'call')
    if (word === 'into' || (word === 'update' && before !== 'or')) add(words[index + 1], 'write')
    else if (word === 'references') add(words[index + 1], 'refer')
    else if (word === 'truncate' || (word === 'from' && before === 'delete')) add(words[index + 1], 'write')
    else if (word === 'from' && before !== 'distinct') for (const item of fromList(words, index + 1)) add(item, 'read')
    else if (READ.has(word) && word !== 'from') add(words[index + 1], 'read')
  }
  return found
}

/** Yields the tables of `from a x, b as y`. */
function* fromList(words: string[], start: number): Generator<string | undefined> {
  let index = start
  for (;;) {
    yield words[index]
    index += 1
    if (words[index] === 'as') index += 1
    if (words[index] !== ',' && !NOT_AN_ALIAS.has(words[index] ?? '')) index += 1
    if (words[index] !== ',') return
    index += 1
  }
}

const BUILDERS: Record<string, NameUse> = {
  selectFrom: 'read',
  from: 'read',
  using: 'read',
  table: 'read',
  insertInto: 'write',
  insertRows: 'write',
  updateTable: 'write',
  deleteFrom: 'write',
  mergeInto: 'write',
}
const SQL_TEXT = /^\s*(select|insert|update|delete|with|truncate|create|alter|lock|from|join|left join|inner join|union)\b/i

interface Node {
  type?: string
  [key: string]: unknown
}

/** Finds names in a TypeScript source: in sql`…` templates, in SQL strings, and in calls of the query builder. */
export function namesInCode(source: string): Named[] {
  const found: Named[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (node === null || typeof node !== 'object') return
    const { type } = node as Node
    if (type === 'TaggedTemplateExpression' && (node as Node)['tag'] !== undefined && isSql((node as Node)['tag'] as Node))
      found.push(...namesInSql(textOf((node as Node)['template'] as Node)))
    else if (type === 'TemplateLiteral' || type === 'StringLiteral') {
      const text = type === 'StringLiteral' ? String((node as Node)['value']) : textOf(node as Node)
      if (SQL_TEXT.test(text)) found.push(...namesInSql(text))
    } else if (type === 'CallExpression') found.push(...builderCall(node as Node))
    for (const [key, value] of Object.entries(node)) if (key !== 'span') visit(value)
  }
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }))
  return found
}

const isSql = (tag: Node): boolean =>
  tag['value'] === 'sql' ||
  (tag.type === 'CallExpression' && isSql(tag['callee'] as Node)) ||
  (tag['expression'] !== undefined && isSql(tag['expression'] as Node))

const textOf = (template: Node): string => ((template['quasis'] ?? []) as { raw: string }[]).map(({ raw }) => raw).join(' ? ')

function builderCall(call: Node): Named[] {
  const callee = call['callee'] as Node & { property?: { value?: string }; value?: string }
  const method = callee.property?.value ?? callee.value ?? ''
  const how = BUILDERS[method] ?? (/Join(Lateral)?$/.test(method) ? 'read' : undefined)
  const argument = (call['arguments'] as { expression: Node }[])[method === 'insertRows' ? 1 : 0]?.expression
  if (how === undefined || argument === undefined) return []
  const items =
    argument.type === 'ArrayExpression' ? (argument['elements'] as { expression: Node }[]).map(({ expression }) => expression) : [argument]
  return items
    .filter(({ type }) => type === 'StringLiteral')
    .flatMap((item) => /^(\w+)( as \w+)?$/.exec(String(item['value']))?.[1] ?? [])
    .map((name) => ({ name, how }))
}
