/**
 * The steps of `npm test` as data. The weights and seconds decide only the order: measure them again with the table that a run prints.
 * Plain JavaScript, as it runs before the packages are installed. Why there are extents: docs/decisions/0023-one-run-in-layers.md.
 */

/** The extents of a run: what `npm test` runs, all tests, and the difference between the two. */
export const EXTENTS = { short: 'short', all: 'long', added: 'long' }

/** Longest time of a run on 2 cores, in seconds, which CI enforces; TEST_TIME_LIMIT_SECONDS overrides it, 0 turns it off. */
export const TIME_LIMIT_SECONDS = { short: 600, all: 3000, added: 3000 }

/** All code, and what configures its checks. */
const CODE = ['apps', 'packages', 'e2e', 'scripts', 'tools', 'bench', 'test', 'package.json', 'tsconfig.json', 'tsconfig.base.json']
const EVERYTHING = ['.']

/**
 * Niceness of all steps that run beside the journeys. The product under test answers 503 when it is short of processor time, as it
 * should, so the journeys come first: docs/decisions/0024-steps-that-yield.md.
 */
const YIELDING = 10

const vitest = (name, weight, seconds, inputs, { projects = [name], ...rest } = {}) => ({
  name,
  weight,
  seconds,
  niceness: YIELDING,
  inputs,
  tests: true,
  commands: [
    [
      'vitest',
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--allowOnly=false',
      '--silent=passed-only',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json={results}/${name}.json`,
      '{empty}',
    ],
  ],
  ...rest,
})

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[][]} commands programs of node_modules/.bin with arguments; `{results}`, `{empty}` and `{trace}` are filled in
 * @property {number} weight cores that it keeps busy, beside steps that wait for most of their time
 * @property {number} [niceness] how far its processes yield to other steps; 0 when left out
 * @property {number} seconds usual duration until one was measured
 * @property {string[]} [inputs] files and folders it reads; without them it always runs
 * @property {string[]} [needs] steps that must pass first
 * @property {boolean} [tests] writes NAME.json into the results folder, and runs again in the longer extents
 * @property {boolean} [complete] the short run has all of its tests, so that `--all` adds none
 * @property {boolean} [together] runs its commands at the same time
 * @property {boolean} [helper] runs only for the steps that need it
 * @property {boolean} [last] runs after all other steps
 */

/** @type {Step[]} */
export const STEPS = [
  {
    name: 'types',
    weight: 1,
    niceness: YIELDING,
    seconds: 16,
    inputs: CODE,
    together: true,
    commands: ['tsconfig.json', 'apps/web', 'e2e'].map((project) => ['tsc', '--noEmit', '-p', project]),
  },
  {
    name: 'lint',
    weight: 1,
    niceness: YIELDING,
    seconds: 14,
    inputs: [...CODE, '.oxlintrc.json'],
    commands: [['oxlint', '--type-aware', '--tsconfig', 'tsconfig.json', '--deny-warnings']],
  },
  { name: 'format', weight: 1, seconds: 1, inputs: EVERYTHING, commands: [['oxfmt', '--check', '.']] },
  {
    name: 'structure',
    weight: 1,
    niceness: YIELDING,
    seconds: 20,
    inputs: EVERYTHING,
    commands: [
      ['node', 'scripts/check-structure.mjs'],
      ['node', 'tools/database/make-database.ts', '--check'],
      ['node', 'scripts/make-docs.ts', '--check'],
      ['node', 'scripts/check-tables.ts'],
      ['node', 'scripts/check-words.ts'],
      ['knip'],
    ],
  },
  { name: 'build', weight: 1, seconds: 25, helper: true, commands: [['node', 'scripts/build-web.mjs']] },
  // `install` packs a release, which holds the build.
  vitest('packages', 1, 45, EVERYTHING, { needs: ['build'] }),
  // The tests of documents read the documents, and the labels that these quote of the web app.
  vitest('server', 1, 400, EVERYTHING, { projects: ['server', 'server-isolated'] }),
  // It compares the statements that `server` records.
  vitest('server-embedded', 1, 100, ['apps/server', 'packages', 'test', 'vitest.config.ts', 'package.json'], { needs: ['server'] }),
  vitest('web-unit', 1, 4, ['apps/web', 'packages', 'test', 'vitest.config.ts', 'package.json'], { complete: true }),
  vitest('web', 1, 200, ['apps/web', 'packages', 'test', 'docs', 'vitest.config.ts', 'package.json'], { complete: true }),
  {
    name: 'budgets',
    weight: 1,
    seconds: 2,
    inputs: ['apps/web', 'packages'],
    needs: ['build'],
    commands: [['node', 'apps/web/scripts/budgets.mjs']],
  },
  {
    name: 'journeys',
    weight: 1,
    seconds: 300,
    inputs: ['apps', 'packages', 'e2e', 'test', 'scripts', 'tools', 'docs', 'package.json'],
    needs: ['build'],
    tests: true,
    commands: [['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--forbid-only', '{empty}']],
  },
  { name: 'trace', weight: 1, seconds: 3, last: true, commands: [['node', 'scripts/spec-trace.ts', '{trace}']] },
]

/**
 * Selects the steps of a run with the steps that they need: those with tests in what `--all` adds, else all.
 * @param {readonly Step[]} steps
 * @param {string} extent
 * @param {readonly string[]} names only these, when there are any
 * @param {(step: Step) => boolean} isUnchanged steps that need not run, as they passed on the same inputs
 * @returns {{ run: Step[], unchanged: Step[] }}
 */
export function selectSteps(steps, extent, names, isUnchanged = () => false) {
  const wanted = steps.filter((step) => {
    if (names.length > 0) return names.includes(step.name)
    return !step.helper && (extent !== 'added' || (step.tests === true && step.complete !== true) || step.last === true)
  })
  const unchanged = wanted.filter(isUnchanged)
  const run = wanted.filter((step) => !unchanged.includes(step))
  const needed = new Set(run.flatMap(({ needs = [] }) => needs))
  return { run: steps.filter((step) => run.includes(step) || needed.has(step.name)), unchanged }
}

/**
 * Fills in the arguments of a command that depend on the run.
 * @param {readonly string[]} command
 * @param {{ results: string, extent: string, traced: boolean }} run `traced` when the reports of all steps are there
 * @returns {string[]}
 */
export function fillIn([program = '', ...args], { results, extent, traced }) {
  const filled = args.flatMap((arg) => {
    if (arg === '{trace}') return traced ? ['--reports', results, '--extent', extent] : []
    // A project to which `--all` adds nothing has no tests there.
    if (arg === '{empty}') return extent !== 'added' ? [] : [program === 'vitest' ? '--passWithNoTests' : '--pass-with-no-tests']
    return [arg.replace('{results}', results)]
  })
  return [program, ...filled]
}
