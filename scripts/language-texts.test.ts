import { readFileSync } from 'node:fs'
import { problemOf } from '@tizara/languages/check'
import { describe, expect, it } from 'vitest'
import { allTexts, sourceFiles, textsOf } from './language-texts.ts'

const found = (code: string) => textsOf('planted.tsx', code, true)

describe('texts of the member app', () => {
  it('finds no text outside the translation', () => {
    const untranslated = sourceFiles('apps/web/src').flatMap((file) =>
      textsOf(file, readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'), true).untranslated.map((text) => `${file}:${text}`),
    )
    expect(untranslated).toEqual([])
  })

  it('contains the messages of the schemas that forms and the server show', () => {
    const { app } = allTexts()
    for (const text of ['Minimum length is 6', 'Enter at most 20 networks', 'Must be a day such as 2026-01-31', 'Invalid value'])
      expect(app).toContain(text)
  })

  it('finds no text that is not a message', () => {
    const { app, server } = allTexts()
    expect(app.length).toBeGreaterThan(1000)
    expect([...app, ...server].flatMap((text) => (/[{<]/.test(text) ? (problemOf(text) ?? []) : []))).toEqual([])
  })
})

describe('search for texts', () => {
  it.each([
    ['an element', 'const A = () => <p>Hello</p>'],
    ['a sentence with a value', 'const A = ({ name }) => <p>Hello {name}</p>'],
    ['an attribute', 'const A = () => <Field label="Email" />'],
    ['a choice in an element', "const A = ({ on }) => <b>{on ? 'on' : 'off'}</b>"],
    ['an argument', "const f = () => toast('Copied to the clipboard')"],
    ['a template', 'const f = (n) => toast(`${n} rows exported`)'],
    ['a property', "const rows = [{ key: 'a', label: 'apy' }]"],
    ['a constant', "const FAILED = 'Something went wrong'"],
    ['a parameter', "const A = ({ label = 'Loading' }) => <Spinner label={label} />"],
    ['a constant that is translated when its module loads', "const all = t('All days')"],
    [
      'a list that is translated when its module loads',
      "const m = texts('label', [7, 30].map((days) => ({ label: t('{days} days', { days }) })))",
    ],
    ['a joined list', "const f = (names) => t('See {names}', { names: names.join(', ') })"],
    ['two values with a comma', 'const A = ({ a, b }) => <p>{a}, {b}</p>'],
    ['two values with a comma in a template', 'const f = (a, b) => `${a}, ${b}`'],
    ['two values with a comma of their own', "const A = ({ a, b }) => <p>{a}{', '}{b}</p>"],
    ['a function inside of texts', "const m = texts({ f: () => 'Not this way' })"],
  ])('reports %s when it is not translated', (_, code) => expect(found(code).untranslated.length).toBeGreaterThan(0))

  it.each([
    ['a class', 'const A = () => <p className="flex items-center">{cx(\'mt-4 flex\')}</p>'],
    ['a comparison', "if (state === 'Some state') go('/somewhere')"],
    ['a developer’s error', "throw new Error('the page has no root')"],
    ['a callback that runs later', "const all = () => [7].map((n) => t('{n} days', { n }))"],
    ['a value of a CSV file', "const c = { value: (row) => row.names.join('; '), cell: (row) => <b>{row.name}</b> }"],
    ['a unit', 'const A = () => <Money unit="USD" />'],
  ])('does not report %s', (_, code) => expect(found(code).untranslated).toEqual([]))

  it('collects translated texts', () => {
    expect(
      found(`
        const m = texts({ a: 'One', b: { c: 'Two' }, f: (n) => t('Three {n}', { n }) })
        const list = texts('label', [{ key: 'Not this', label: 'Four' }, column('x', 'Five')])
        const A = () => <T text="Six <b>{n}</b>" n={t('Seven')} b={(content) => <b>{content}</b>} />
        const e = (row) => t(row.label ?? (row.isOpen ? 'Eight' : 'Nine'))
      `),
    ).toEqual({ translated: ['One', 'Two', 'Three {n}', 'Four', 'Five', 'Six <b>{n}</b>', 'Seven', 'Eight', 'Nine'], untranslated: [] })
  })
})
