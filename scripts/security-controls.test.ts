import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('..', import.meta.url)
const read = (file: string) => readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
const FAULTS = ['F13', 'F37']

interface Control {
  id: string
  held: { file: string; title: string }[]
  note: string
}

const controls: Control[] = read('docs/security.md')
  .split('\n')
  .filter((line) => /^\| (?:\d+|F\d+) \|/.test(line))
  .map((line) => {
    const [id = '', , held = '', note = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const tests = held === '' ? [] : held.split('<br>').map((one) => /^`([^`]+)` › (.+)$/.exec(one))
    return { id, held: tests.map((found) => ({ file: found?.[1] ?? '', title: found?.[2] ?? '' })), note }
  })

it('every control stands in the table once', () => {
  const wanted = [...Array.from({ length: 120 }, (_, index) => String(index + 1)), ...FAULTS]
  expect(controls.map((control) => control.id)).toEqual(wanted)
})

describe.each(controls)('control $id', ({ held, note }) => {
  it('has tests that are there, or says why it has none', () => {
    for (const { file, title } of held) {
      expect(file).toMatch(/\.(?:test|spec)\.tsx?$/)
      expect(existsSync(fileURLToPath(new URL(file, root))), file).toBe(true)
      expect(title.length, file).toBeGreaterThan(5)
      expect(read(file), `${file} › ${title}`).toContain(title)
    }
    if (held.length === 0) expect(note).not.toBe('')
    const page = /\]\(([^)]+)\)/.exec(note)?.[1]
    if (page !== undefined) expect(read(`docs/${page}`)).toContain('Controls that are met otherwise')
  })
})
