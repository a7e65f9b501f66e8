import { describe, expect, it } from 'vitest'
import { findProblems, findInterrupted, mergeReports, mergeSecondRun, readReport } from './reports.mjs'
import { sumRuns } from './sum-runs.mjs'
import { checkDuration, checkTime, countTests, writeSummary } from './summary.mjs'

const assertion = (fullName: string, status: string, failureMessages: string[] = []) => ({ fullName, status, failureMessages })
const vitest = {
  testResults: [
    {
      name: '/r/apps/a.test.ts',
      status: 'failed',
      startTime: 1000,
      endTime: 3500,
      assertionResults: [
        assertion('adds', 'passed'),
        assertion('subtracts', 'failed', ['\u001B[31mexpected 1\u001B[39m\n2\n3\n4\n5']),
        assertion('waits', 'skipped'),
        assertion('later', 'todo'),
        assertion('opens', 'passed', ['timed out']),
      ],
    },
    { name: '/r/apps/b.test.ts', status: 'failed', message: 'no such module', startTime: 0, endTime: 0, assertionResults: [] },
  ],
}
const ended = { state: 'passed' as const, seconds: 0 }
const spec = (title: string, status: string) => ({
  title,
  file: 'a.spec.ts',
  tests: [{ status, results: [{ duration: 1500, error: status === 'unexpected' ? { message: 'no button' } : undefined }] }],
})
const playwright = {
  config: { rootDir: '/r/e2e' },
  suites: [
    {
      specs: [spec('signs in', 'expected')],
      suites: [{ specs: [spec('pays', 'unexpected'), spec('opens', 'flaky'), spec('rests', 'skipped')] }],
    },
  ],
}

describe('readReport', () => {
  it('reads failures, skipped and flaky tests, and files that did not load, from Vitest', () => {
    expect(readReport(vitest, '/r')).toEqual({
      passed: 2,
      failed: [
        { title: 'subtracts', why: '\u001B[31mexpected 1\u001B[39m\n2\n3\n4\n5' },
        { title: 'apps/b.test.ts', why: 'no such module' },
      ],
      skipped: ['waits', 'later'],
      flaky: ['opens'],
      files: [
        { file: 'apps/a.test.ts', seconds: 2.5 },
        { file: 'apps/b.test.ts', seconds: 0 },
      ],
    })
  })

  it('reads a Playwright report in the same form', () => {
    expect(readReport(playwright, '/r')).toEqual({
      passed: 2,
      failed: [{ title: 'pays', why: 'no button' }],
      skipped: ['rests'],
      flaky: ['opens'],
      files: [{ file: 'e2e/a.spec.ts', seconds: 6 }],
    })
  })

  it('reports a Playwright error outside the tests', () => {
    expect(readReport({ ...playwright, suites: [], errors: [{ message: 'no browser' }] }, '/r').failed).toEqual([
      { title: 'the run', why: 'no browser' },
    ])
  })

  it('names the files of a crashed Vitest process, and counts their second results as flaky', () => {
    const result = (name: string, status: string) => ({
      name,
      status: 'passed',
      startTime: 0,
      endTime: 2000,
      message: '',
      assertionResults: [{ fullName: `${name} pays`, status, failureMessages: [] }],
    })
    const first = { testResults: [result('/r/a.test.ts', 'passed'), result('/r/b.test.ts', 'pending')] }
    expect(findInterrupted(first)).toEqual(['/r/b.test.ts'])
    expect(findInterrupted({ testResults: [result('/r/a.test.ts', 'skipped')] })).toEqual([])
    const merged = (status: string) => readReport(mergeSecondRun(first, { testResults: [result('/r/b.test.ts', status)] }), '/r')
    expect(merged('passed')).toMatchObject({ passed: 2, failed: [], skipped: [], flaky: ['/r/b.test.ts pays'] })
    expect(merged('failed')).toMatchObject({ passed: 1, failed: [{ title: '/r/b.test.ts pays' }] })
    expect(merged('pending')).toMatchObject({ passed: 1, skipped: ['/r/b.test.ts pays'] })
  })

  it('rejects any other report', () => {
    expect(() => readReport({}, '/r')).toThrow('neither')
  })

  it('fails the step when tests were skipped, when the report has none, and when it is missing', () => {
    const empty = { passed: 0, failed: [], skipped: [], flaky: [], files: [] }
    expect(findProblems({ ...empty, passed: 1 }, 'short')).toEqual([])
    expect(findProblems({ ...empty, passed: 1, skipped: ['waits'] }, 'added')).toEqual(['skipped tests: waits'])
    expect(findProblems(empty, 'short')).toEqual(['it contains no test'])
    expect(findProblems(empty, 'added')).toEqual([])
    expect(findProblems(undefined, 'added')).toEqual(['it wrote no report'])
  })
})

const report = readReport(vitest, '/r')
const good = { passed: 7, failed: [], skipped: [], flaky: [], files: [{ file: 'w.test.tsx', seconds: 4 }] }
const steps = [
  { name: 'types', state: 'failed' as const, seconds: 7, cpu: 12 },
  { name: 'server', state: 'failed' as const, seconds: 240, cpu: 460, report, problems: ['skipped tests: waits, later'] },
  { name: 'web', state: 'passed' as const, seconds: 100, cpu: 150, report: good },
  { name: 'web-unit', state: 'unchanged' as const, seconds: 0, cpu: 0, report: good },
  { name: 'journeys', state: 'left out' as const, seconds: 0, cpu: 0 },
]

describe('the summary of a run', () => {
  it('counts tests, also of unchanged steps, and failed steps without tests', () => {
    // Failed: types; two tests and the skipped ones of server; journeys; and the run itself.
    expect(countTests(steps, ['too slow'])).toEqual({ passed: 16, failed: 6, skipped: 2 })
  })

  it('names each failure with the first lines of its reason, and ends with the counts', () => {
    const text = writeSummary(steps, { seconds: 300, problems: ['too slow'], slowest: 1 })
    expect(text.split('\n')).toEqual([
      '✗ types: see what it printed',
      '✗ server: subtracts',
      '    expected 1',
      '    2',
      '    3',
      '    4',
      '✗ server: apps/b.test.ts',
      '    no such module',
      '✗ server: skipped tests: waits, later',
      '✗ journeys: not run, because a step that it needs failed',
      '✗ too slow',
      'flaky: server: opens',
      '',
      'step      seconds  cpu  tests',
      'types         7.0   12         failed',
      'server        240  460      2  failed',
      'web           100  150      7  passed',
      'web-unit                    7  unchanged',
      'journeys                       left out',
      'total: 300 s, 622 s of processor time',
      '',
      'Slowest files:',
      '  4.0 s  web  w.test.tsx',
      '',
      'Failed: types, server, journeys',
      '',
      '16 passed, 6 failed, 2 skipped',
    ])
  })

  it('reports that a run in CI used too much processor time, unless the check is disabled', () => {
    const run = { extent: 'short', isCi: true, override: undefined }
    const check = (cpu: number, how: object = {}) => checkTime([{ ...ended, name: 'server', cpu }], { ...run, ...how })
    expect(check(1201)).toEqual([expect.stringContaining('used 1201 s of processor time, but its limit is 1200 s')])
    expect(check(1200)).toEqual([])
    expect(check(1201, { isCi: false })).toEqual([])
    expect(check(1201, { extent: 'added' })).toEqual([])
    expect(check(6001, { extent: 'all' })).toHaveLength(1)
    expect(check(9999, { override: '0' })).toEqual([])
    expect(check(1201, { override: '1300' })).toEqual([])
    expect(check(20, { override: '10' })).toHaveLength(1)
  })

  it('raises the limit by the slowness of the processor, which lint and structure show', () => {
    const run = { extent: 'short', isCi: true, override: undefined }
    const check = (server: number, lint: number, structure: number) =>
      checkTime(
        Object.entries({ server, lint, structure }).map(([name, cpu]) => ({ ...ended, name, cpu })),
        run,
      )
    expect(check(1328, 53, 26)).toEqual([])
    expect(check(2000, 53, 26)).toEqual([expect.stringContaining('its limit is 2017 s')])
    expect(check(1200, 20, 10)).toEqual([expect.stringContaining('its limit is 1200 s')])
  })

  it('names the goal when a run took longer', () => {
    expect(checkDuration(600, 'short')).toBe('')
    expect(checkDuration(601, 'short')).toBe('; the goal on 2 idle cores is 600 s')
    expect(checkDuration(3000, 'added')).toBe('')
    const lines = writeSummary([], { seconds: 613, problems: [], extent: 'short' }).split('\n')
    expect(lines).toContain('total: 613 s, 0.0 s of processor time; the goal on 2 idle cores is 600 s')
  })
})

describe('the sum of two runs', () => {
  const output = (count: string) => `[1/2] web …\n\ntotal: 12 s, 20 s of processor time\n\n${count}\n`

  it('ends with the counts of both, after the failures of each', () => {
    const first = `✗ web: opens\n    why\n${output('10 passed, 1 failed, 0 skipped')}`
    const { sum, text } = sumRuns([
      { name: 'npm test', output: first },
      { name: 'more', output: output('5 passed, 0 failed, 2 skipped') },
    ])
    expect(sum).toEqual({ passed: 15, failed: 1, skipped: 2 })
    expect(text).toBe(
      'npm test: 12 s, 10 passed, 1 failed, 0 skipped\n  ✗ web: opens\nmore: 12 s, 5 passed, 0 failed, 2 skipped\n\n15 passed, 1 failed, 2 skipped',
    )
  })

  it('counts an incomplete run as a failure', () => {
    expect(sumRuns([{ name: 'npm test', output: 'Killed' }]).sum).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

it('a run of some files replaces their results and keeps the others', () => {
  const reportOf = (...files: [name: string, status: string][]) => ({
    testResults: files.map(([name, status]) => ({ name, status, assertionResults: [] })),
  })
  const merged = mergeReports(reportOf(['a', 'passed'], ['b', 'failed']), reportOf(['b', 'passed'], ['c', 'passed']))
  expect(merged).toEqual(reportOf(['a', 'passed'], ['b', 'passed'], ['c', 'passed']))
})
