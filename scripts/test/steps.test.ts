import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fillIn, limitToRelated, selectSteps, STEPS } from './steps.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const namesOf = (steps: readonly { name: string }[]) => steps.map(({ name }) => name)

describe('the table of steps', () => {
  it('has a step for each project of vitest', () => {
    const configs = ['vitest.config.ts', 'apps/web/vitest.config.ts'].map((file) => readFileSync(path.join(root, file), 'utf8')).join('')
    const projects = [...configs.matchAll(/(?:name: |server\()'([\w-]+)'/g)].map(([, name = '']) => name)
    const run = STEPS.flatMap(({ commands }) => commands.flat()).map((word) => /^--project=(.+)$/.exec(word)?.[1])
    expect(projects).toEqual(expect.arrayContaining(['server', 'web']))
    expect(projects.filter((name) => !run.includes(name))).toEqual([])
  })

  it('names inputs that exist and prerequisites that are steps', () => {
    expect(new Set(namesOf(STEPS)).size).toBe(STEPS.length)
    for (const { name, inputs = [], needs = [] } of STEPS) {
      expect([name, inputs.filter((input) => !existsSync(path.join(root, input)))]).toEqual([name, []])
      expect([name, needs.filter((need) => !namesOf(STEPS).includes(need))]).toEqual([name, []])
    }
  })

  it('starts the checks of format, lint and structure before all tests', () => {
    expect(namesOf(STEPS.filter(({ first }) => first === true))).toEqual(['format', 'lint', 'structure'])
  })

  it('has a report, or no tests, in each step', () => {
    for (const { name, tests = false, commands } of STEPS)
      expect([name, tests]).toEqual([name, commands.some(([program = '']) => ['vitest', 'playwright'].includes(program))])
  })
})

describe('the steps of a run', () => {
  it('are all steps in a short run and with --all', () => {
    for (const extent of ['short', 'all']) expect(namesOf(selectSteps(STEPS, extent, []).run)).toEqual(namesOf(STEPS))
  })

  it('are the steps with tests and their prerequisites with --added', () => {
    const { run } = selectSteps(STEPS, 'added', [])
    expect(run.filter((step) => step.tests !== true).map(({ name }) => name)).toEqual(['build', 'trace'])
    expect(namesOf(run)).toEqual(expect.arrayContaining(namesOf(STEPS.filter(({ tests, complete }) => tests && complete !== true))))
    expect(namesOf(run)).not.toContain('web')
  })

  it('are the named steps and their prerequisites', () => {
    expect(namesOf(selectSteps(STEPS, 'short', ['journeys', 'lint']).run)).toEqual(['lint', 'build', 'journeys'])
  })

  it('omit unchanged steps and a build that only those need', () => {
    const builds = ['packages', 'budgets', 'journeys', 'programs']
    const { run, unchanged } = selectSteps(STEPS, 'short', [], ({ name }) => builds.includes(name))
    expect(namesOf(unchanged)).toEqual(builds)
    expect(namesOf(run)).not.toContain('build')
    expect(namesOf(selectSteps(STEPS, 'short', [], ({ name }) => name === 'journeys').run)).toContain('build')
  })
})

describe('a command', () => {
  it('receives the folder of results', () => {
    expect(fillIn(['vitest', '--out={results}/a.json'], { results: '/r', extent: 'short', traced: true })).toEqual([
      'vitest',
      '--out=/r/a.json',
    ])
  })

  it('may find no test only with --added', () => {
    const filled = (program: string, extent: string) => fillIn([program, '{empty}'], { results: '', extent, traced: true })
    expect(filled('vitest', 'short')).toEqual(['vitest'])
    expect(filled('vitest', 'all')).toEqual(['vitest'])
    expect(filled('vitest', 'added')).toEqual(['vitest', '--passWithNoTests'])
    expect(filled('playwright', 'added')).toEqual(['playwright', '--pass-with-no-tests'])
  })

  it('receives the seed of a random order, and isolation', () => {
    const how = { results: '', extent: 'short', traced: true }
    const filled = (chosen: { shuffle?: string; isolate?: boolean }) => fillIn(['vitest', '{order}'], { ...how, ...chosen })
    expect(filled({})).toEqual(['vitest'])
    expect(filled({ shuffle: '7' })).toEqual(['vitest', '--sequence.shuffle.files', '--sequence.seed=7'])
    expect(filled({ isolate: true })).toEqual(['vitest', '--isolate'])
    expect(STEPS.filter(({ commands }) => commands[0]?.[0] === 'vitest' && !commands[0].includes('{order}'))).toEqual([])
  })

  it('can be limited to the test files that import a module', () => {
    expect(limitToRelated(['vitest', 'run', '--project=web'], ['a.ts'])).toEqual([
      'vitest',
      'related',
      '--run',
      '--passWithNoTests',
      '--project=web',
      'a.ts',
    ])
  })

  it('traces reports only when all of them exist', () => {
    const filled = (traced: boolean) => fillIn(['node', 'x', '{trace}'], { results: '/r', extent: 'added', traced })
    expect(filled(true)).toEqual(['node', 'x', '--reports', '/r', '--extent', 'added'])
    expect(filled(false)).toEqual(['node', 'x'])
  })
})
