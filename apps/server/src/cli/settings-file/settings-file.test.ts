import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { BadUsage } from '../staff/errors.ts'
import { readLogos, readSettingsFile } from './settings-file.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'settings-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const EXAMPLE = readFileSync(path.join(import.meta.dirname, '../../../../../docs/platform.example.json'), 'utf8')
const read = (text: string | Buffer) => {
  const file = path.join(folder, 'platform.json')
  writeFileSync(file, text)
  return readSettingsFile(file)
}

it('reads files with the line ends and byte order mark of any system', () => {
  const seen = read(EXAMPLE)
  expect(seen.plans?.length).toBeGreaterThan(0)
  expect(read(EXAMPLE.replaceAll('\n', '\r\n'))).toEqual(seen)
  expect(read(`\uFEFF${EXAMPLE}`)).toEqual(seen)
})

it('rejects a file that is truncated at any byte, or that contains no platform settings', () => {
  const whole = EXAMPLE.trimEnd().length
  for (let end = 0; end < whole; end += 7) expect(() => read(EXAMPLE.slice(0, end)), `cut at ${end}`).toThrow(BadUsage)
  for (const other of ['[]', 'null', '1', '"x"', ' ', Buffer.alloc(20), Buffer.from(EXAMPLE, 'utf16le')])
    expect(() => read(other), String(other)).toThrow(BadUsage)
  expect(() => readSettingsFile(folder)).toThrow(BadUsage)
})

it.each([
  ['terms', 'javascript:alert(1)'],
  ['accent', 'red'],
  ['accent', 'url(x)'],
  ['accent', '#ffffff}body{display:none'],
  ['name', ''],
  ['logos', 'x.svg'],
])('rejects a brand whose %s is %j, and names the field', (field, value) => {
  expect(() => read(JSON.stringify({ brand: { name: 'Coral', [field]: value } }))).toThrow(`brand.${field}: `)
})

it('rejects a logo that cannot be read, and names the field', () => {
  const file = path.join(folder, 'platform.json')
  for (const logo of ['none.svg', '..', 'a\0b'])
    expect(() => readLogos(file, read(JSON.stringify({ brand: { name: 'Coral', logo } })))).toThrow('brand.logo: ')
})
