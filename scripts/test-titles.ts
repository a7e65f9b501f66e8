import { parseSync } from '@swc/core'

/**
 * Reads the titles of the tests in a file as they are printed: string arguments of `it`, `test` and `describe`, with the
 * rows of `.each`, `.for` and `for … of` tables put in as far as they are written down in the same file. What a title
 * takes from anywhere else reads as `…`, so that an id counts only when it stands here.
 */

type Node = Readonly<Record<string, unknown>> & { readonly type: string }
/** What a name stands for: the rows of a table, or one value. */
type Scope = ReadonlyMap<string, unknown>
/** A value that is written down: text, list, or fields; anything else is undefined. */
type Value = string | undefined | readonly Value[] | { readonly [key: string]: Value }

const UNKNOWN = '…'
const RUNNERS = new Set(['it', 'test', 'describe'])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'
const nodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const isList = (value: unknown): value is readonly Value[] => Array.isArray(value)
const fieldsOf = (value: unknown): Scope =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])

/** What stands behind `as const`, `satisfies …`, brackets. */
function bare(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined
  return ['TsConstAssertion', 'TsAsExpression', 'TsSatisfiesExpression', 'ParenthesisExpression'].includes(node.type)
    ? bare(node['expression'])
    : node
}

/** The name of a member: `x.each`. */
const nameOf = (node: unknown): string => (isNode(node) && typeof node['value'] === 'string' ? node['value'] : '')

function template(node: Node, scope: Scope): string {
  const parts = nodes(node['expressions']).map((part) => {
    const value = read(part, scope)
    return typeof value === 'string' ? value : UNKNOWN
  })
  return nodes(node['quasis'])
    .map((quasi, index) => (typeof quasi['cooked'] === 'string' ? quasi['cooked'] : '') + (parts[index] ?? ''))
    .join('')
}

/** The value of an expression, as far as it is written down. */
function read(expression: unknown, scope: Scope): Value {
  const node = bare(expression)
  if (node === undefined) return undefined
  if (node.type === 'StringLiteral') return nameOf(node)
  if (node.type === 'TemplateLiteral') return template(node, scope)
  if (node.type === 'Identifier') return valueOf(scope.get(nameOf(node)))
  if (node.type === 'MemberExpression') return valueOf(fieldsOf(read(node['object'], scope)).get(nameOf(node['property'])))
  if (node.type === 'ArrayExpression') {
    const elements = Array.isArray(node['elements']) ? node['elements'] : []
    return elements.flatMap((element: unknown): readonly Value[] => {
      const value = read(Reflect.get(Object(element), 'expression'), scope)
      const spread: unknown = Reflect.get(Object(element), 'spread')
      return typeof spread === 'object' && spread !== null ? (isList(value) ? value : []) : [value]
    })
  }
  if (node.type === 'ObjectExpression') {
    const fields = nodes(node['properties']).filter(({ type }) => type === 'KeyValueProperty')
    return Object.fromEntries(fields.map((field) => [nameOf(field['key']), read(field['value'], scope)]))
  }
  return undefined
}

function valueOf(value: unknown): Value {
  if (typeof value === 'string') return value
  if (isList(value)) return value
  const fields = fieldsOf(value)
  return fields.size === 0 ? undefined : Object.fromEntries([...fields].map(([key, field]) => [key, valueOf(field)]))
}

/** The names that a pattern such as `[id, path]` or `{ id }` gives to the parts of a value. */
function bind(pattern: unknown, value: Value): [string, Value][] {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [[nameOf(pattern), value]]
  if (pattern.type === 'ArrayPattern') {
    const parts = Array.isArray(pattern['elements']) ? pattern['elements'] : []
    return parts.flatMap((part: unknown, index) => bind(part, isList(value) ? value[index] : undefined))
  }
  if (pattern.type !== 'ObjectPattern') return []
  return nodes(pattern['properties']).flatMap((property) => {
    const field = valueOf(fieldsOf(value).get(nameOf(property['key'])))
    return property.type === 'KeyValuePatternProperty'
      ? bind(property['value'], field)
      : [[nameOf(property['key']), field] as [string, Value]]
  })
}

/** The runner's own title of a row: `%s` takes the row's parts in turn, `$key` a field. */
function titleOfRow(title: string, row: Value): string {
  const parts = isList(row) ? [...row] : [row]
  const fields = fieldsOf(row)
  const text = (value: unknown): string => (typeof value === 'string' ? value : UNKNOWN)
  return title.replaceAll(/%[sdifjop]/g, () => text(parts.shift())).replaceAll(/\$(\w+)/g, (_, key: string) => text(fields.get(key)))
}

/** `it`, `test.describe`, `it.each` …: the runner, and the table it was given. */
function runnerOf(callee: unknown): { table?: Node } | undefined {
  const node = bare(callee)
  if (node?.type === 'Identifier') return RUNNERS.has(nameOf(node)) ? {} : undefined
  if (node?.type === 'MemberExpression') return nameOf(node['property']) === 'step' ? undefined : runnerOf(node['object'])
  if (node?.type !== 'CallExpression') return undefined
  const table = firstArgument(node)
  const target = bare(node['callee'])
  if (target?.type !== 'MemberExpression' || runnerOf(target) === undefined) return undefined
  return ['each', 'for'].includes(nameOf(target['property'])) && table !== undefined ? { table } : {}
}

function firstArgument(call: Node): Node | undefined {
  const [first] = Array.isArray(call['arguments']) ? call['arguments'] : []
  const expression: unknown = Reflect.get(Object(first), 'expression')
  return isNode(expression) ? expression : undefined
}

function titlesOfCall(call: Node, scope: Scope): string[] {
  const runner = runnerOf(call['callee'])
  const title = bare(firstArgument(call))
  if (runner === undefined || title === undefined || !['StringLiteral', 'TemplateLiteral', 'Identifier'].includes(title.type)) return []
  const text = read(title, scope)
  if (typeof text !== 'string') return []
  if (runner.table === undefined) return [text]
  const rows = read(runner.table, scope)
  return isList(rows) ? rows.map((row) => titleOfRow(text, row)) : [titleOfRow(text, undefined)]
}

function* walk(node: unknown, scope: Map<string, unknown>): Generator<string> {
  if (Array.isArray(node)) {
    for (const part of node) yield* walk(part, scope)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if (isNode(node)) {
    if (node.type === 'VariableDeclaration' && node['kind'] === 'const') {
      for (const one of nodes(node['declarations']))
        for (const [name, value] of bind(one['id'], read(one['init'], scope))) scope.set(name, value)
    }
    if (node.type === 'CallExpression') yield* titlesOfCall(node, scope)
    const rows = node.type === 'ForOfStatement' ? read(node['right'], scope) : undefined
    if (isList(rows)) {
      const [loop] = nodes(Reflect.get(Object(node['left']), 'declarations'))
      for (const row of rows) yield* walk(node['body'], new Map([...scope, ...bind(loop?.['id'], row)]))
      return
    }
  }
  for (const part of Object.values(node)) yield* walk(part, scope)
}

/** The titles of a test file's tests and groups. */
export function testTitles(code: string, tsx: boolean): string[] {
  return [...walk(parseSync(code, { syntax: 'typescript', tsx, target: 'es2022' }).body, new Map())]
}
