import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from './memory.mjs'
import { readTimes, runCommands } from './run-commands.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const report = path.join(folder, 'written.json')
writeFileSync(report, '{}')
const result = { passed: true, seconds: 12.34, cpu: 3.21, hash: 'a', report }

it('stores seconds, passed inputs and reports', () => {
  openMemory(folder, 'short').keep('web', result)
  const memory = openMemory(folder, 'short')
  expect(memory.secondsOf('web')).toBe(12.3)
  expect([memory.hasPassed('web', 'a'), memory.hasPassed('web', 'b'), memory.hasPassed('web', undefined)]).toEqual([true, false, false])
  expect(existsSync(memory.reportOf('web'))).toBe(true)
})

it('deletes inputs that failed later, and keeps the seconds of the passed run', () => {
  const memory = openMemory(folder, 'short')
  memory.keep('web', result)
  memory.keep('web', { ...result, passed: false, seconds: 1 })
  expect(memory.hasPassed('web', 'a')).toBe(false)
  expect(memory.secondsOf('web')).toBe(12.3)
})

it('stores no inputs that changed while the step ran', () => {
  const memory = openMemory(folder, 'short')
  memory.keep('web', { ...result, hash: undefined })
  expect(memory.hasPassed('web', 'a')).toBe(false)
})

it('stores the inputs of a passed step until it fails, and no duration of a partial run', () => {
  const memory = openMemory(folder, 'short')
  memory.keep('web', { ...result, files: { 'a.ts': '1' } })
  memory.keep('web', { ...result, seconds: 1, files: { 'a.ts': '2' }, partial: true })
  expect(memory.inputsOf('web')).toEqual({ 'a.ts': '2' })
  expect(memory.secondsOf('web')).toBe(12.3)
  memory.keep('web', { ...result, passed: false, files: { 'a.ts': '3' } })
  expect(memory.inputsOf('web')).toBeUndefined()
})

it('ignores results of --all in a short run', () => {
  openMemory(folder, 'short').keep('server', { ...result, hash: 'short' })
  const added = openMemory(folder, 'added')
  expect(added.secondsOf('server')).toBeUndefined()
  added.keep('server', { ...result, hash: 'added', seconds: 99 })
  const memory = openMemory(folder, 'short')
  expect([memory.hasPassed('server', 'added'), memory.hasPassed('server', 'short')]).toEqual([false, true])
  expect(memory.secondsOf('server')).toBe(12.3)
})

it('starts empty when its file is truncated', () => {
  openMemory(folder, 'short').keep('web', result)
  writeFileSync(path.join(folder, 'passed.json'), '{"web": "a')
  expect(openMemory(folder, 'short').hasPassed('web', 'a')).toBe(false)
})

it('reads the processor time of child processes from the shell’s output', () => {
  expect(readTimes('0m0.00s 0m0.01s\n1m2.50s 0m0.25s\n')).toBe(62.75)
  expect(readTimes('')).toBe(0)
})

it('runs all commands of a step, keeps their output, and fails when one fails', async () => {
  const root = path.join(import.meta.dirname, '../..')
  const log = path.join(folder, 'log')
  const print = (text: string, code: number) => ['node', '-e', `console.log('${text}'); console.error('!'); process.exit(${code})`]
  const ended = await runCommands([print('first', 1), print('second', 0)], { root, env: process.env, log })
  expect(ended.passed).toBe(false)
  expect(ended.cpu).toBeGreaterThan(0)
  expect(readFileSync(log, 'utf8')).toBe('first\n!\nsecond\n!\n')
  expect((await runCommands([print('a', 0), print('b', 0)], { root, env: process.env, log })).passed).toBe(true)
  expect((await runCommands([['no-such-program']], { root, env: process.env, log })).passed).toBe(false)
})
