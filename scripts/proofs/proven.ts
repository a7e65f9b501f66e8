import type { TestResult } from '../requirement-trace.ts'
import { CONTROLS } from './controls.ts'
import { FAULTS } from './faults.ts'
import { faultsOfTables, isPrinted } from './proof-tables.ts'

/** Lists controls and faults whose named tests did not run and pass. A control may name a group of tests. */
export function findUnproven(results: readonly TestResult[]): string[] {
  const byFile = Map.groupBy(
    results.filter(({ outcome }) => outcome === 'passed'),
    ({ file }) => file,
  )
  return faultsOfTables(CONTROLS, FAULTS, (file, title) => {
    const tests = byFile.get(file)
    return (
      tests &&
      isPrinted(
        title,
        tests.flatMap((test) => [test.title, ...test.groups]),
      )
    )
  })
}
