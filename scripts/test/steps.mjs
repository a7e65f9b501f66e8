/**
 * Steps of `npm test`. Weights and seconds affect only the order of the steps; update both from the table of a run. The file is plain
 * JavaScript, because it runs before packages are installed. docs/decisions/0023-short-and-full-test-runs.md explains the extents.
 */

/** Extents of a run: `npm test`, all tests, and the difference. */
export const EXTENTS = { short: 'short', all: 'long', added: 'long' }

/** Maximum duration of a run on 2 idle cores, in seconds. The end of a run reports a longer duration. */
export const TARGET_SECONDS = { short: 600, all: 3000, added: 3000 }

/**
 * Maximum processor time of a run in seconds, without browsers. CI enforces this limit, because processor time, unlike the duration,
 * hardly depends on other load. A short run of 590 s used 888 s, so 600 s correspond to 900 s; the rest allows for slower processors.
 * A slow processor raises it (SPEED_STEPS). TEST_LIMIT_SECONDS overrides the limit; 0 disables the check.
 */
export const LIMIT_SECONDS = { short: 1200, all: 6000, added: 6000 }

/**
 * Steps whose work hardly changes, and the seconds of processor time that they use together in a run of 888 s. They tell how fast the
 * processor is: on a machine whose other users slow it down, the same run used 1,407 s, and these steps 79 s.
 */
export const SPEED_STEPS = { names: ['lint', 'structure'], seconds: 47 }

/** Inputs of the checks of all code: the code, and the configuration of the checks. */
const CODE = ['apps', 'packages', 'e2e', 'scripts', 'tools', 'bench', 'test', 'package.json', 'tsconfig.json', 'tsconfig.base.json']
const EVERYTHING = ['.']
/** Inputs of the server's tests. A test that reads another file of the repository fails (test/guard-inputs.ts). */
const SERVER = [
  'apps/server',
  'packages',
  'test',
  'scripts',
  'tools',
  'deploy',
  'docs',
  'package.json',
  'tsconfig.base.json',
  'vitest.config.ts',
]

/**
 * Niceness of the steps that run beside the end-to-end tests (step journeys). The end-to-end tests have priority, because the product
 * answers 503 if it gets too little processor time (docs/decisions/0024-test-step-scheduling.md).
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
      '{order}',
    ],
  ],
  ...rest,
})

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[][]} commands programs of node_modules/.bin with arguments; `{results}`, `{empty}`, `{order}` and `{trace}` are filled in
 * @property {number} weight number of cores that the step keeps busy
 * @property {number} [niceness] niceness of the step's processes; default 0
 * @property {number} seconds expected duration until a run has measured the duration
 * @property {string[]} [inputs] files and folders that the step reads; a step without inputs always runs
 * @property {string[]} [needs] steps that must pass first
 * @property {boolean} [tests] the step writes NAME.json into the results folder and has additional tests in the longer extents
 * @property {boolean} [complete] the short run contains all tests of the step, so that `--all` adds no tests
 * @property {RegExp} [sources] after a change of only these modules, the step runs only the test files that import them
 * @property {boolean} [helper] runs only if another step of the run needs this step
 * @property {boolean} [first] a quick check, which starts before all other steps, so that its failure is reported at once
 * @property {boolean} [last] runs after all other steps
 */

/** @type {Step[]} */
export const STEPS = [
  { name: 'format', weight: 1, first: true, seconds: 1, inputs: EVERYTHING, commands: [['oxfmt', '--check', '.']] },
  // Also reports type errors, so that each file is parsed and checked once.
  {
    name: 'lint',
    weight: 1,
    first: true,
    niceness: YIELDING,
    seconds: 20,
    inputs: [...CODE, '.oxlintrc.json', 'vitest.config.ts'],
    commands: [['oxlint', '--type-aware', '--type-check', '--deny-warnings']],
  },
  {
    name: 'structure',
    weight: 1,
    first: true,
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
  // `install` packs a release, which contains the build.
  vitest('packages', 1, 45, EVERYTHING, { needs: ['build'] }),
  vitest('server', 1, 400, SERVER, { projects: ['server', 'server-isolated'] }),
  // Compares the statements recorded by `server`.
  vitest('server-embedded', 1, 100, SERVER, { needs: ['server'] }),
  vitest('web-unit', 1, 4, ['apps/web', 'packages', 'test', 'vitest.config.ts', 'package.json'], { complete: true }),
  vitest('web', 1, 200, ['apps/web', 'packages', 'test', 'docs', 'vitest.config.ts', 'package.json'], {
    complete: true,
    sources: /^apps\/web\/src\/(?!test\/).*\.tsx?$/,
  }),
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
  {
    name: 'programs',
    weight: 1,
    seconds: 50,
    inputs: ['apps/server', 'packages', 'e2e', 'test', 'scripts', 'tools', 'docs', 'package.json'],
    needs: ['build'],
    tests: true,
    commands: [['playwright', 'test', '-c', 'e2e/programs.config.ts', '--forbid-only', '{empty}']],
  },
  { name: 'trace', weight: 1, seconds: 3, last: true, commands: [['node', 'scripts/spec-trace.ts', '{trace}']] },
]

/**
 * Selects the steps of a run, with the steps that these need. Extent `added` selects only steps with additional tests.
 * @param {readonly Step[]} steps
 * @param {string} extent
 * @param {readonly string[]} names only these, if any
 * @param {(step: Step) => boolean} isUnchanged true for a step that passed on the same inputs
 * @returns {{ run: Step[], unchanged: Step[] }}
 */
export function selectSteps(steps, extent, names, isUnchanged = () => false) {
  const selected = steps.filter((step) => {
    if (names.length > 0) return names.includes(step.name)
    return !step.helper && (extent !== 'added' || (step.tests === true && step.complete !== true) || step.last === true)
  })
  const unchanged = selected.filter(isUnchanged)
  const run = selected.filter((step) => !unchanged.includes(step))
  const needed = new Set(run.flatMap(({ needs = [] }) => needs))
  return { run: steps.filter((step) => run.includes(step) || needed.has(step.name)), unchanged }
}

/**
 * Replaces the placeholders `{results}`, `{empty}`, `{order}` and `{trace}` in a command.
 * @param {readonly string[]} command
 * @param {{ results: string, extent: string, traced: boolean, shuffle?: string | undefined, isolate?: boolean | undefined }} run
 * `traced` if the reports of all steps exist; `shuffle` is the seed of a random order of the test files
 * @returns {string[]}
 */
export function fillIn([program = '', ...args], { results, extent, traced, shuffle, isolate = false }) {
  const filled = args.flatMap((arg) => {
    if (arg === '{order}')
      return [
        ...(shuffle === undefined ? [] : ['--sequence.shuffle.files', `--sequence.seed=${shuffle}`]),
        ...(isolate ? ['--isolate'] : []),
      ]
    if (arg === '{trace}') return traced ? ['--reports', results, '--extent', extent] : []
    // A project without additional tests must not fail.
    if (arg === '{empty}') return extent !== 'added' ? [] : [program === 'vitest' ? '--passWithNoTests' : '--pass-with-no-tests']
    return [arg.replace('{results}', results)]
  })
  return [program, ...filled]
}

/**
 * Limits a command of Vitest to the test files that import one of these modules, also through other modules.
 * @param {readonly string[]} command
 * @param {readonly string[]} files
 * @returns {string[]}
 */
export function limitToRelated([program = '', , ...args], files) {
  return [program, 'related', '--run', '--passWithNoTests', ...args, ...files]
}
