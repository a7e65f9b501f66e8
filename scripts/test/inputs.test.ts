import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { changedSources, hashInputs, readTree } from './inputs.mjs'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

let root: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'ignore' })
const write = (file: string, text: string) => writeFileSync(path.join(root, file), text)

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'inputs-'))
  folders.push(root)
  for (const folder of ['web', 'web-old', 'server']) mkdirSync(path.join(root, folder))
  write('web/a.ts', 'a')
  write('web-old/a.ts', 'a')
  write('server/b.ts', 'b')
  write('package-lock.json', '{}')
  write('.gitignore', '*.log\n')
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'x')
})

const step = { name: 'web', weight: 1, seconds: 1, commands: [['vitest', 'run']], inputs: ['web'] }
const hash = (change: Partial<typeof step> = {}, machine = 'node 24') => hashInputs({ ...step, ...change }, readTree(root), machine)

it('keeps the hash while the inputs are the same, committed or not', () => {
  const before = hash()
  expect(before).toMatch(/^[0-9a-f]{64}$/)
  write('server/b.ts', 'changed')
  write('web-old/a.ts', 'changed')
  write('web/run.log', 'ignored')
  expect(hash()).toBe(before)
})

it.each([
  ['is changed', () => write('web/a.ts', 'changed')],
  ['is changed and staged', () => (write('web/a.ts', 'changed'), git('add', '-A'))],
  ['is changed, staged and changed again', () => (write('web/a.ts', 'changed'), git('add', '-A'), write('web/a.ts', 'again'))],
  ['is new', () => write('web/new.ts', '')],
  ['is gone', () => rmSync(path.join(root, 'web/a.ts'))],
  ['is renamed', () => git('mv', 'web/a.ts', 'web/b.ts')],
])('changes the hash when an input %s', (_, change) => {
  const before = hash()
  change()
  expect(hash()).not.toBe(before)
})

it('changes the hash between two edits of an unstaged file', () => {
  write('web/a.ts', 'first')
  const first = hash()
  write('web/a.ts', 'other')
  expect(hash()).not.toBe(first)
})

it('changes the hash with the locked packages, the machine and the commands', () => {
  const before = hash()
  expect(hash({}, 'node 25')).not.toBe(before)
  expect(hash({ commands: [['vitest', 'list']] })).not.toBe(before)
  write('package-lock.json', '{"a":1}')
  expect(hash()).not.toBe(before)
})

it('reads every file when a step reads the whole repository', () => {
  const before = hash({ inputs: ['.'] })
  write('server/b.ts', 'changed')
  expect(hash({ inputs: ['.'] })).not.toBe(before)
})

it('returns no hash without a repository or without inputs', () => {
  expect(hashInputs({ name: 'x', weight: 1, seconds: 1, commands: [] }, readTree(root), '')).toBeUndefined()
  rmSync(path.join(root, '.git'), { recursive: true })
  expect(readTree(root)).toBeUndefined()
  expect(hash()).toBeUndefined()
})

it('returns the changed modules only if nothing else changed', () => {
  const before = { 'web/a.ts': '1', 'web/b.css': '1', '': 'node 24' }
  const changed = (now: Record<string, string>) => changedSources(before, now, /^web\/.*\.ts$/)
  expect(changed({ ...before, 'web/a.ts': '2', 'web/new.ts': '1' })).toEqual(['web/a.ts', 'web/new.ts'])
  expect(changed({ ...before, 'web/a.ts': '2', 'web/b.css': '2' })).toBeUndefined()
  expect(changed({ ...before, 'web/a.ts': '2', '': 'node 25' })).toBeUndefined()
  expect(changed({ 'web/b.css': '1', '': 'node 24' })).toBeUndefined()
  expect(changed(before)).toBeUndefined()
})
