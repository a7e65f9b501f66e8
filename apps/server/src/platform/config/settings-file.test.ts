import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readSettingsFile } from './settings-file.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'settings-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (text: string | Buffer) => {
  const file = path.join(folder, 'tizara.env')
  writeFileSync(file, text)
  return Object.fromEntries(readSettingsFile(file))
}
const PLAIN = `# the instance
PORT=3000

 MAIL_FROM = a@b.example  # who
export BRAND_NAME="Coin & Co # 1"
MAIL_TEXTS='{
  "reset": {"subject": "x=y"}
}'
TOKEN_SYMBOL=
`
const SEEN = {
  PORT: '3000',
  MAIL_FROM: 'a@b.example',
  BRAND_NAME: 'Coin & Co # 1',
  MAIL_TEXTS: '{\n  "reset": {"subject": "x=y"}\n}',
  TOKEN_SYMBOL: '',
}

it.each([
  ['plain lines', PLAIN],
  ['Windows’ line ends', PLAIN.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${PLAIN}`],
  ['trailing spaces', PLAIN.replaceAll('\n', ' \t\n').replaceAll(/(?<=\{|\}) \t/g, '')],
  ['no final line end', PLAIN.trimEnd()],
])('reads a file with %s', (_, text) => {
  expect(read(text)).toEqual(SEEN)
})

it.each([
  ['a value with a #', 'DATA_KEY=abc#def\n', 'DATA_KEY has a # in it'],
  ['a value that begins with #', 'DATA_KEY=#def\n', 'DATA_KEY has a # in it'],
  ['a duplicate name', 'DATA_KEY=one\nPORT=1\nDATA_KEY=two\n', 'DATA_KEY is set twice'],
  ['a line without =', 'PORT=1\nDATA_KEY\n', 'neither NAME=value nor a comment'],
  ['an unclosed quote', 'DATA_KEY="one\nPORT=1\n', 'DATA_KEY has an unmatched quote'],
  ['a truncated file', PLAIN.slice(0, PLAIN.indexOf('"reset"') + 3), 'neither NAME=value nor a comment'],
  ['UTF-16', Buffer.from(PLAIN, 'utf16le'), 'neither NAME=value nor a comment'],
])('rejects %s by name, without its value', (_, text, why) => {
  expect(() => read(text)).toThrow(why)
  expect(() => read(text)).not.toThrow(/abc|one|two|def/)
})
