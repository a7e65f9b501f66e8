import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { COMMANDS, commandLine } from '../apps/server/src/cli/command-line.mjs'
import { errorText } from '../apps/server/src/platform/runtime/error-text.ts'

/** Parses a command line that is refused. Returns the exit code and the printed line. */
function refusalOf(name: string, args: readonly string[]): [number, string] {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  try {
    expect(() => commandLine(name, args)).toThrow('exit 2')
    return [Number(exit.mock.calls[0]?.[0]), String(printed.mock.calls[0]?.[0])]
  } finally {
    vi.restoreAllMocks()
  }
}

const ways = Object.entries(COMMANDS).flatMap(([name, { ways: of = [] }]) => of.filter(Boolean).map((way) => [name, way] as const))
const valueOf = (word: string) => (/^[A-Z]+…?$/.test(word) ? 'value' : word)

describe('a command line', () => {
  it.each(ways.filter(([, way]) => way.includes(' ')))('%s %s names the missing argument when its last word is missing', (name, way) => {
    const [code, text] = refusalOf(name, way.split(' ').slice(0, -1))
    expect([code, text]).toEqual([2, `An argument is missing. Expected: ${way}. Run with --help for usage.`])
  })

  it.each(ways.filter(([, way]) => !way.endsWith('…')))('%s %s names the unknown argument when a word is added', (name, way) => {
    expect(refusalOf(name, [...way.split(' ').map(valueOf), 'added'])[1]).toMatch(/^Unknown argument: added\. Expected: /)
  })

  it.each(ways)('%s %s is rejected when an argument is empty', (name, way) => {
    expect(refusalOf(name, [...way.split(' ').slice(0, -1).map(valueOf), ''])[1]).toMatch(/^An argument is empty\./)
  })
})

describe('the text of an error', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'files-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'file')
  const inFile = path.join(file, 'part')
  writeFileSync(file, '')
  mkdirSync(path.join(folder, 'folder'))

  const failToConnect = () => {
    throw Object.assign(new Error('connect ENOENT /run/.s.PGSQL.5432'), { code: 'ENOENT', syscall: 'connect' })
  }

  it.each([
    ['a missing file', () => readFileSync(`${file}s`), `${file}s cannot be opened: there is no such file or folder`],
    ['a missing folder', () => readdirSync(`${file}s`), `${file}s cannot be opened: there is no such file or folder`],
    ['a file as folder', () => readdirSync(file), `${file} cannot be opened: a part of its path is a file and not a folder`],
    ['a file in a file', () => readFileSync(inFile), `${inFile} cannot be opened: a part of its path is a file and not a folder`],
    ['a folder as file', () => readFileSync(folder), `${folder} cannot be opened: it is a folder and not a file`],
    ['an existing file', () => writeFileSync(file, '', { flag: 'wx' }), `${file} cannot be created: it already exists`],
    ['another error', () => JSON.parse('{'), /JSON/],
    ['a socket of a database that does not run', () => failToConnect(), /^connect ENOENT/],
  ])('names the file and the reason: %s', (_, act, expected) => {
    let text = ''
    try {
      act()
    } catch (error) {
      text = errorText(error, folder)
    }
    expect(text).toMatch(expected)
  })

  it('is used by every command', () => {
    const cli = fileURLToPath(new URL('../apps/server/src/cli/', import.meta.url))
    const sources = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    expect(sources.length).toBeGreaterThan(30)
    expect(sources.filter((name) => /error instanceof Error \?/.test(readFileSync(path.join(cli, name), 'utf8')))).toEqual([])
  })
})
