import { expect, it } from 'vitest'
import { testTitles } from './test-titles.ts'

it('reads the titles of tests and groups, nested or not', () => {
  const code = `
    describe('group', () => { it("one", () => {}); test(\`two\`, async () => {}) })
    test.describe('third', () => { it.only('fourth', () => {}) })`
  expect(testTitles(code, false)).toEqual(['group', 'one', 'two', 'third', 'fourth'])
})

it('leaves out what is no title: values, comments, steps, other calls', () => {
  const code = `
    // [AA-01]
    const id = '[AA-02]'
    it('title', () => { expect('[AA-03]').toBe(id); say('[AA-04]'); test.step('[AA-05]', run) })`
  expect(testTitles(code, false)).toEqual(['title'])
})

it('puts the rows of a table into the title, in place or named', () => {
  const code = `
    const rows: readonly [string, number][] = [['AA-01] [AA-02', 1], ['AA-03', 2]]
    it.each(rows)('[%s] of %i', () => {})
    it.each([{ id: 'AA-04' }] as const)('[$id]', () => {})
    it.for(['a'])('is %s', () => {})
    describe.each(elsewhere)('[%s]', () => {})`
  expect(testTitles(code, false)).toEqual(['[AA-01] [AA-02] of …', '[AA-03] of …', '[AA-04]', 'is a', '[…]'])
})

it('does not count the parts of a row that the title does not show', () => {
  expect(testTitles(`it.each([['a', '[AA-01]']])('%s', () => {})`, false)).toEqual(['a'])
})

it('runs through loops over tables', () => {
  const code = `
    for (const [row, path] of [['AA-01', '/'], ['AA-02', '/x']] as const) it(\`[\${row}] at \${path}\`, () => {})
    const places = [{ id: '[AA-03]', at: { path: '/y' } }]
    for (const { id, at } of places) { test(\`\${id} \${at.path}\`, () => {}) }
    for (const place of [...places, { id: 'more' }]) { test(\`\${place.id}\`, () => {}) }`
  expect(testTitles(code, false)).toEqual(['[AA-01] at /', '[AA-02] at /x', '[AA-03] /y', '[AA-03]', 'more'])
})

it('does not guess what comes in from elsewhere', () => {
  const code = `
    import { ids } from './places.ts'
    test(\`\${ids} [AA-01] \${list.map(({ id }) => id).join(' ')}\`, () => {})
    const view = <p>it</p>`
  expect(testTitles(code, true)).toEqual(['… [AA-01] …'])
})
