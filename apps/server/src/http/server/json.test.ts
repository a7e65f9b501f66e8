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
  ['a key repeated next to itself', '{"amount":1,"amount":2}'],
  ['a key repeated with whitespace', '{"amount" : 1, "amount"\n:2}'],
  ['a key repeated, once escaped', '{"amount":1,"\\u0061mount":2}'],
  ['a key repeated in a nested object', '{"a":[{"b":1,"c":{"b":2},"b":3}]}'],
  ['a key repeated around an object', '{"a":{"b":1},"a":2}'],
  ['too much nesting', deep(33)],
  ...['__proto__', 'constructor', 'prototype'].flatMap((key): [string, string][] => {
    const escaped = `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}`
    return [
      [`the key ${key}`, `{"${key}":1}`],
      [`the key ${key}, escaped`, `{"a":1,"${escaped}":{}}`],
      [`the nested key ${key}`, `{"a":[{"b":{"${key}" : null}}]}`],
    ]
  }),
  ['half a surrogate pair', '{"a":[{"b":"x\\ud800y"}]}'],
  ['reversed surrogates', '"\\uDC00\\uD800"'],
  ['half a surrogate pair as a key', '{"\\udfff":1}'],
  ['a missing closing brace', '{"amount":1'],
  ['a missing closing quote', '{"amount'],
  ['a backslash at the end', '{"amount\\'],
  ['a second value', '{} {}'],
])('rejects %s', (_, text) => {
  expect(() => readJson(text)).toThrow(MalformedJson)
})

it.each([
  ['the same key in two objects', '[{"a":1},{"a":2}]'],
  ['a key as a value', '{"a":"a","b":"a"}'],
  ['a quote inside a key', '{"a\\"":1,"a":2}'],
  ['a colon inside a text', '{"a":"b\\":","c":"b\\":"}'],
  ['an escaped surrogate pair', '{"a":"\\ud83d\\ude00"}'],
  ['an escaped backslash before a surrogate code', '"\\\\ud800"'],
  ['an empty document', ' '],
  ['32 levels', deep(32)],
])('accepts %s', (_, text) => {
  expect(readJson(text)).toEqual(text.trim() === '' ? {} : JSON.parse(text))
})
