import { type CallExpression, type Expression, parseSync, type Statement, Visitor } from 'oxc-parser'
import { type Spot, swapped } from './mutant.ts'
import { sqlSpots } from './sql-mutators.ts'

const OPERATORS = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '&&': '||',
    '||': '&&',
  }),
)
const METHODS = new Map(Object.entries({ min: 'max', max: 'min', some: 'every', every: 'some' }))
/** Removable links of a call chain. */
const LINKS = new Set(['where', 'forUpdate', 'forNoKeyUpdate', 'forShare', 'forKeyShare', 'skipLocked', 'filter', 'limit', 'toSorted'])

/** Returns the quoted words of a source file: `'PENDING'`, `'SYS-FEE'`. */
export const quotedWords = (source: string): string[] => [...source.matchAll(/'([\w-]+)'/g)].map(([, word]) => word ?? '')

/** Finds spots for mutants in a TypeScript file, including its SQL. Skips types, imports and string literals. */
export function tsSpots(file: string, source: string): Spot[] {
  const spots: Spot[] = []
  const add = (rule: string, { start, end }: { start: number; end: number }, text: string) => spots.push({ rule, start, end, text })
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  const alternatives = quotedWords(source)
  const types = new Set<number>()
  const isText = (node: Expression) => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')

  const operator = (node: { left: { end: number }; right: { start: number }; operator: string }) => {
    const other = OPERATORS.get(node.operator)
    if (other === undefined) return
    const start = source.indexOf(node.operator, node.left.end)
    add(/[<>]/.test(node.operator) ? 'boundary' : 'operator', { start, end: start + node.operator.length }, other)
  }
  const constant = (node: Expression | { type: string }) => {
    if (!('value' in node) || node.type !== 'Literal') return
    if (typeof node.value === 'bigint') add('constant', node, `${node.value + 1n}n`)
    if (typeof node.value === 'number' && Number.isInteger(node.value) && node.value <= 100) add('constant', node, String(node.value + 1))
  }
  const call = (node: CallExpression) => {
    if (node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return
    const { object, property } = node.callee
    if (LINKS.has(property.name) && !textOf(node).endsWith('.limit(1)'))
      add(property.name === 'where' ? 'condition' : 'link', { start: object.end, end: node.end }, '')
    const other = METHODS.get(property.name)
    if (other !== undefined) add('extreme', property, other)
    const [values] = node.arguments
    if (property.name === 'set' && values?.type === 'ObjectExpression' && values.properties.length > 1)
      values.properties.forEach((one, index) => {
        const next = values.properties[index + 1]
        const before = values.properties[index - 1]
        add('property', next === undefined ? { start: before?.end ?? one.start, end: one.end } : { start: one.start, end: next.start }, '')
      })
  }

  new Visitor({
    TSLiteralType: (node) => void types.add(node.literal.start),
    BinaryExpression: (node) => {
      if (isText(node.left) || isText(node.right)) return
      operator(node)
      constant(node.left)
      constant(node.right)
    },
    LogicalExpression: operator,
    UnaryExpression: (node) => {
      if (node.operator === '!') add('negation', node, textOf(node.argument))
    },
    IfStatement: (node) => {
      if (node.alternate === null && exitsEarly(node.consequent)) add('guard', node, ';')
    },
    ExpressionStatement: (node) => {
      if (node.expression.type === 'AwaitExpression' && node.expression.argument.type === 'CallExpression') add('call', node, ';')
    },
    ConditionalExpression: (node) =>
      add('branches', { start: node.consequent.start, end: node.alternate.end }, `${textOf(node.alternate)} : ${textOf(node.consequent)}`),
    CallExpression: call,
    ObjectExpression: (node) => {
      const sides = node.properties.filter(
        (one) => one.type === 'Property' && one.key.type === 'Identifier' && /^(?:from|to)$/.test(one.key.name),
      )
      const [from, to] = sides
      // Skips shorthands such as `{ from, to: a }`, because a swap would change the name of a key.
      if (from?.type !== 'Property' || to?.type !== 'Property' || from.shorthand || to.shorthand) return
      add(
        'direction',
        { start: from.value.start, end: to.value.end },
        textOf(to.value) + source.slice(from.value.end, to.value.start) + textOf(from.value),
      )
    },
    Literal: (node) => {
      if (types.has(node.start)) return
      if (typeof node.value === 'boolean') add('boolean', node, String(!node.value))
      const other = typeof node.value === 'string' ? swapped(node.value, alternatives) : undefined
      if (other !== undefined) add('word', node, `'${other}'`)
    },
    TaggedTemplateExpression: (node) => {
      if (!textOf(node.tag).startsWith('sql')) return
      const { start } = node.quasi
      const expressions = node.quasi.expressions.map((one) => [one.start - start - 2, one.end - start + 1] as const)
      const hidden = expressions.reduce(
        (text, [from, to]) => text.slice(0, from) + '~'.repeat(to - from) + text.slice(to),
        textOf(node.quasi),
      )
      const inner = hidden.slice(1, -1)
      for (const spot of sqlSpots(inner, alternatives))
        if (spot.rule !== 'unique') add(spot.rule, { start: start + 1 + spot.start, end: start + 1 + spot.end }, spot.text)
    },
  }).visit(parseSync(file, source).program)
  return spots.filter(({ start, end, text }) => textOf({ start, end }) !== text)
}

function exitsEarly(node: Statement): boolean {
  if (node.type === 'BlockStatement') return node.body.length === 1 && node.body[0] !== undefined && exitsEarly(node.body[0])
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(node.type)
}
