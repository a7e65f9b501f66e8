import fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchParameters } from '../../../../../test/search.ts'
import { MalformedJson, readJson } from './json.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

it('parses any JSON like the built-in parser, whitespace included', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.nat(3), (text, blanks) => {
      fc.pre(!/__proto__|constructor|prototype/.test(text))
      const spaced = JSON.stringify(JSON.parse(text), null, blanks)
      expect(readJson(spaced)).toEqual(JSON.parse(text))
    }),
    searchParameters('JSON', { short: 500, long: 50_000 }),
  )
})

it.each([
  ['twice side by side', '{"amount":1,"amount":2}'],
  ['twice with blanks', '{"amount" : 1, "amount"\n:2}'],
  ['twice, once escaped', '{"amount":1,"\\u0061mount":2}'],
  ['twice within', '{"a":[{"b":1,"c":{"b":2},"b":3}]}'],
  ['twice around an object', '{"a":{"b":1},"a":2}'],
  ['too deep', deep(33)],
  ...['__proto__', 'constructor', 'prototype'].flatMap((key): [string, string][] => {
    const escaped = `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}`
    return [
      [`the key ${key}`, `{"${key}":1}`],
      [`the key ${key}, escaped`, `{"a":1,"${escaped}":{}}`],
      [`the key ${key} within`, `{"a":[{"b":{"${key}" : null}}]}`],
    ]
  }),
  ['half a character', '{"a":[{"b":"x\\ud800y"}]}'],
  ['the halves in the wrong order', '"\\uDC00\\uD800"'],
  ['half a character as a key', '{"\\udfff":1}'],
  ['no end', '{"amount":1'],
  ['no end of a text', '{"amount'],
  ['a backslash at the end', '{"amount\\'],
  ['two values', '{} {}'],
])('rejects a key %s', (_, text) => {
  expect(() => readJson(text)).toThrow(MalformedJson)
})

it.each([
  ['the same key in two objects', '[{"a":1},{"a":2}]'],
  ['a key as a value', '{"a":"a","b":"a"}'],
  ['a quote in a key', '{"a\\"":1,"a":2}'],
  ['a colon in a text', '{"a":"b\\":","c":"b\\":"}'],
  ['both halves of a character, escaped', '{"a":"\\ud83d\\ude00"}'],
  ['half a character as text of an escape', '"\\\\ud800"'],
  ['nothing', ' '],
  ['32 levels', deep(32)],
])('accepts %s', (_, text) => {
  expect(readJson(text)).toEqual(text.trim() === '' ? {} : JSON.parse(text))
})
