import { expect, it } from 'vitest'
import { CONTROLS } from './controls.ts'
import { FAULTS } from './faults.ts'
import { controlRows, faultsOfTables, isPrinted, withRows } from './proof-tables.ts'

const with57 = (change: object) => CONTROLS.map((one) => (one.id === '57' ? { ...one, ...change } : one))
const MISSING = '0099.md'
const here = 'scripts/proofs/proof-tables.test.ts'

it('finds no error in the tables of controls and faults', () => {
  expect(faultsOfTables(CONTROLS, FAULTS)).toEqual([])
})

it.each<[string, object, string]>([
  ['a title that no test has', { tests: { 'test/search.test.ts': ['finds nothing'] } }, 'has no test "finds nothing"'],
  ['a file that is not there', { tests: { 'e2e/gone.spec.ts': ['x'] } }, 'e2e/gone.spec.ts is no test file, or none of its tests passed'],
  ['a file without tests', { tests: { 'scripts/test.mjs': ['x'] } }, 'scripts/test.mjs is no test file, or none of its tests passed'],
  ['no test and no reason', { tests: {}, note: undefined }, 'Control 57 has neither a test nor a reason'],
  ['a reason on a page that is not there', { note: `[none](decisions/${MISSING})` }, `docs/decisions/${MISSING} is not there`],
])('rejects a control with %s', (_, change, fault) => {
  expect(faultsOfTables(with57(change), FAULTS)).toEqual([expect.stringContaining(fault)])
})

it('rejects a control that is missing or listed twice, and a fault without a test', () => {
  expect(faultsOfTables(CONTROLS.slice(1), FAULTS)).toEqual([expect.stringContaining('not 1 to 120')])
  expect(faultsOfTables([...CONTROLS.slice(0, 1), ...CONTROLS], FAULTS)).toEqual([expect.stringContaining('not 1 to 120')])
  expect(faultsOfTables(CONTROLS, [{ fault: 'fire', tests: {}, seen: '' }])).toEqual(['The fault "fire" has no test'])
})

it('rejects a control whose test exists but did not pass', () => {
  expect(faultsOfTables(with57({ tests: { [here]: ['x'] } }), FAULTS, () => false)).toContain(`Control 57: ${here} has no test "x"`)
})

it('matches a parametrized title with the printed title', () => {
  expect([isPrinted('finds %s', ['finds nothing']), isPrinted('finds %s', ['it finds nothing'])]).toEqual([true, false])
})

it('replaces the rows of one table of a page and keeps the rest', () => {
  const rows = controlRows([{ id: '1', control: 'C', tests: { 'a.test.ts': ['x', 'y'] }, note: 'n' }])
  expect(rows).toEqual(['| 1 | C | `a.test.ts` › x<br>`a.test.ts` › y | n |'])
  const page = 'a\n\n| | C |\n|---|---|\n| old |\n| older |\n\nb'
  expect(withRows(page, '| | C |', rows)).toBe(`a\n\n| | C |\n|---|---|\n${rows[0]}\n\nb`)
  expect(() => withRows(page, '| other |', rows)).toThrow('other')
})
