import type { JsonSchema } from './example.ts'

const limits = (schema: JsonSchema): string => {
  const { minimum, maximum, minLength, maxLength } = schema
  const span = (low: number | undefined, high: number | undefined, unit: string) =>
    low === undefined && high === undefined ? [] : [`${low ?? ''}…${high ?? ''}${unit}`]
  const found = [...span(minimum, maximum, ''), ...span(minLength, maxLength, ' characters')]
  return found.length === 0 ? '' : ` (${found.join(', ')})`
}

/** Formats a schema for people: `{ id: string, rows: [{ amount: number }] }`. `?` marks optional keys. */
export function shapeOf(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*[./]/, '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((one) => shapeOf(one, indent)))].join(' | ')
  if (schema.allOf !== undefined) return shapeOf(Object.assign({}, ...schema.allOf) as JsonSchema, indent)
  if (schema.properties !== undefined) {
    const inner = `${indent}  `
    const lines = Object.entries(schema.properties).map(
      ([key, part]) => `${inner}${key}${schema.required?.includes(key) === true ? '' : '?'}: ${shapeOf(part, inner)}`,
    )
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
  }
  if (schema.items !== undefined) return `[${shapeOf(schema.items, indent)}]`
  return `${schema.type === undefined ? 'anything' : [schema.type].flat().join(' | ')}${limits(schema)}`
}
