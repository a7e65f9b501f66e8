import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('..', import.meta.url)
const read = (file: string) => readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
const FAULTS = ['F13', 'F37']

interface Named {
  file: string
  title: string
}
interface Control {
  id: string
  held: Named[]
  note: string
}

/** The tests that a cell names: file › words of the title, one below the other. */
const testsOf = (cell: string): Named[] =>
  (cell === '' ? [] : cell.split('<br>')).map((one) => {
    const [, file = '', title = ''] = /^`([^`]+)` › (.+)$/.exec(one) ?? []
    return { file, title }
  })
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

function isThere({ file, title }: Named): void {
  expect(file).toMatch(/\.(?:test|spec)\.tsx?$/)
  expect(existsSync(fileURLToPath(new URL(file, root))), file).toBe(true)
  expect(title.length, file).toBeGreaterThan(5)
  expect(read(file), `${file} › ${title}`).toContain(title)
}

const controls: Control[] = read('docs/security.md')
  .split('\n')
  .filter((line) => /^\| (?:\d+|F\d+) \|/.test(line))
  .map((line) => {
    const [id = '', , held = '', note = ''] = cellsOf(line)
    return { id, held: testsOf(held), note }
  })

it('every control stands in the table once', () => {
  const wanted = [...Array.from({ length: 120 }, (_, index) => String(index + 1)), ...FAULTS]
  expect(controls.map((control) => control.id)).toEqual(wanted)
})

describe.each(controls)('control $id', ({ held, note }) => {
  it('has tests that are there, or says why it has none', () => {
    held.forEach(isThere)
    if (held.length === 0) expect(note).not.toBe('')
    const page = /\]\(([^)]+)\)/.exec(note)?.[1]
    if (page !== undefined) expect(read(`docs/${page}`)).toContain('Controls that are met otherwise')
  })
})

const faults = read('docs/faults.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Fault') && !line.startsWith('| ---'))
  .map(cellsOf)

it.each(faults)('the fault "%s" has tests that are there', (_, held = '') => {
  const tests = testsOf(held)
  expect(tests).not.toEqual([])
  tests.forEach(isThere)
})
