import { readFileSync } from 'node:fs'
import { errorCatalogue } from '@tizara/contract'
import { expect, it } from 'vitest'
import { NO_ENTRY, POINTS } from './attacks/attack.ts'
import { ATTACKS, withAttacks } from './attacks/index.ts'
import { codeOfTest, CONTROLS, FAULTS, mistakesInTables, isPrinted, type Proof, readProofs } from './proof-tables.ts'

const with57 = (change: Partial<Proof>) => CONTROLS.map((one) => (one.name.startsWith('57 ') ? { ...one, ...change } : one))
const MISSING = '0099.md'
const here = 'scripts/proof-tables.test.ts'
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

it('finds no error in the tables of controls and faults', () => {
  expect(mistakesInTables(CONTROLS, FAULTS)).toEqual([])
})

it.each<[string, Partial<Proof>, string]>([
  ['a title that no test has', { tests: [{ file: 'test/search.test.ts', title: 'finds nothing' }] }, 'has no test "finds nothing"'],
  ['a file that is not there', { tests: [{ file: 'e2e/gone.spec.ts', title: 'x' }] }, 'e2e/gone.spec.ts is no test file'],
  ['a file without tests', { tests: [{ file: 'scripts/test.mjs', title: 'x' }] }, 'scripts/test.mjs is no test file'],
  ['no test and no reason', { tests: [], note: '' }, 'has neither a test nor a reason'],
  ['a reason on a page that is not there', { note: `[none](decisions/${MISSING})` }, `docs/decisions/${MISSING} is not there`],
])('rejects a control with %s', (_, change, fault) => {
  expect(mistakesInTables(with57(change), FAULTS)).toEqual([expect.stringContaining(fault)])
})

it('rejects a control that is missing or listed twice, and a fault without a test', () => {
  expect(mistakesInTables(CONTROLS.slice(1), FAULTS)).toEqual([expect.stringContaining('not 1 to 120')])
  expect(mistakesInTables([...CONTROLS.slice(0, 1), ...CONTROLS], FAULTS)).toEqual([expect.stringContaining('not 1 to 120')])
  expect(mistakesInTables(CONTROLS, [{ name: 'fire', tests: [], note: '' }])).toEqual(['The fault "fire" has no test'])
})

it('rejects a control whose test exists but did not pass', () => {
  const faults = mistakesInTables(with57({ tests: [{ file: here, title: 'x' }] }), FAULTS, () => false)
  expect(faults).toContainEqual(expect.stringMatching(`^57 .*: ${here} has no test "x"$`))
})

it('matches a parametrized title with the printed title', () => {
  expect([isPrinted('finds %s', ['finds nothing']), isPrinted('finds %s', ['it finds nothing'])]).toEqual([true, false])
})

it('reads the code of a named test with what it uses in its file, and of no other test', () => {
  const code = `
    const read = () => 'first.action'
    const own = async () => [read(), 'second.action']
    const unused = 'third.action'
    describe('group', () => {
      const near = 'fourth.action'
      it.each(['fifth.action'])('[I7] finds %s', () => own(near))
      it('skips it', () => { const own = 'sixth.action'; expect(unused).toBe(own) })
    })`
  const found = (title: string) => [...codeOfTest(code, title).matchAll(/(\w+)\.action/g)].map(([, word]) => word).toSorted()
  expect(found('finds %s')).toEqual(['fifth', 'first', 'fourth', 'second'])
  expect(found('skips it')).toContain('third')
  expect(found('finds')).toEqual([])
})

it('reads the rows of one table of a page', () => {
  const page = 'a\n\n| | C |\n|---|---|---|---|\n| 1 | C | `a.test.ts` › x\\|y<br>`a.test.ts` › z | n |\n| 2 | D |  |  |\n\nb'
  const tests = ['x|y', 'z'].map((title) => ({ file: 'a.test.ts', title }))
  expect(readProofs(page, '| | C |')).toEqual([
    { name: '1 C', tests, note: 'n' },
    { name: '2 D', tests: [], note: '' },
  ])
  expect(() => readProofs(page, '| other |')).toThrow('other')
  expect(() => readProofs(page.replaceAll('›', '>'), '| | C |')).toThrow('does not have the form')
})

it('lists attacks at each point, in the order of the points, in docs/security.md too', () => {
  expect([...new Set(ATTACKS.map(({ point }) => point))]).toEqual(POINTS)
  const names = ATTACKS.map(({ attack }) => attack)
  expect(new Set(names).size).toBe(names.length)
  const page = read('docs/security.md')
  expect(withAttacks(page)).toBe(page)
  expect(() => withAttacks('# Security')).toThrow('no section')
})

it('names only codes of the error catalogue, and audit actions that a named test contains, or the reason why there is none', () => {
  for (const { attack, message, audit, tests } of ATTACKS) {
    const codes = [...message.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code)
    expect([attack, codes.filter((code) => !(code in errorCatalogue))]).toEqual([attack, []])
    const texts = tests.map(({ file, title }) => codeOfTest(read(file), title)).join('\n')
    const actions = [...audit.matchAll(/`([a-z-]+(?:\.[a-z-]+)+)`/g)].map(([, action = '']) => action)
    expect([attack, actions.filter((action) => !texts.includes(action))]).toEqual([attack, []])
    const reasons: readonly string[] = Object.values(NO_ENTRY)
    expect([attack, actions.length > 0 || reasons.includes(audit)]).toEqual([attack, true])
  }
})
