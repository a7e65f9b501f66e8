import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createLog } from './log.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'log-'))
afterAll(() => rmSync(folder, { recursive: true }))
const messages = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

it('appends entries to its file, without secrets, in a folder that it creates', () => {
  const file = path.join(folder, 'data', 'tizara.log')
  createLog('info', file).info({ member: { password: 'secret' } }, 'first')
  const log = createLog('info', file)
  log.info('second')
  log.debug('not at this level')
  expect(messages(file)).toEqual(['first', 'second'])
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
})

it('replaces a file of more than 10 MB at the start', () => {
  const file = path.join(folder, 'long.log')
  writeFileSync(file, 'x'.repeat(10_000_001))
  createLog('info', file).info('new')
  expect(messages(file)).toEqual(['new'])
})

it('does not fail when the file cannot be written', () => {
  const blocked = path.join(folder, 'file')
  writeFileSync(blocked, '')
  expect(() => createLog('silent', path.join(blocked, 'tizara.log')).info('entry')).not.toThrow()
  expect(readFileSync(blocked, 'utf8')).toBe('')
})
