import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, Pool } from 'pg'
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node'
import { TEMPLATE } from '../../apps/server/test/global-setup.ts'
import type * as Migrating from '../../apps/server/src/platform/db/migrate.ts'

/** Maximum time in ms without output. After this time a test run has failed. */
const SILENCE_MS = 180_000

const TIME_OUT = /timed out in /

/** Result of a test run: the mutant survived, or the first failed test with its file, and whether it only timed out. */
export type Verdict = { killed: false } | { killed: true; by: string; file: string; timedOut: boolean }

/** One Vitest and one database server for repeated test runs on a project copy. */
export interface TestRunner {
  /** Test files of the money code's projects, as paths from the root. */
  tests: string[]
  /** Runs the files in this order until one fails. */
  run(tests: readonly string[], changed: readonly string[]): Promise<Verdict>
  /**
   * Recreates the template of the test databases.
   * @throws Error on invalid SQL
   */
  remakeDatabase(): Promise<void>
  close(): Promise<void>
}

/** Starts Vitest in a project copy. */
export async function startRunner(copy: string): Promise<TestRunner> {
  process.chdir(copy)
  process.env['TEST_EXTENT'] = 'all'
  let failure: Extract<Verdict, { killed: true }> | undefined
  let lastSign = 0
  const passed = new Set<string>()
  let running = ''
  const fail = (file: string, errors: readonly { message: string }[], test = '') => {
    const timedOut = errors.length > 0 && errors.every(({ message }) => TIME_OUT.test(message))
    failure ??= { killed: true, by: test === '' ? file : `${file} › ${test}`, file, timedOut }
    void vitest.cancelCurrentRun('test-failure')
  }
  const vitest = await createVitest('test', {
    root: copy,
    watch: false,
    bail: 1,
    project: ['packages', 'server', 'server-isolated'],
    // Isolates workers, because cached modules would hide the next mutant.
    isolate: true,
    sequence: { sequencer: InTheOrderGiven },
    reporters: [
      {
        onTestModuleStart: (module) => void (running = module.relativeModuleId),
        onTestCaseResult: (test) => {
          lastSign = Date.now()
          const { state, errors } = test.result()
          if (state === 'failed') fail(test.module.relativeModuleId, errors, test.fullName)
        },
        onTestModuleEnd: (module) => {
          lastSign = Date.now()
          if (module.state() === 'passed') passed.add(module.moduleId)
          if (module.state() === 'failed') fail(module.relativeModuleId, [...module.errors(), ...suiteErrors(module)])
        },
      },
    ],
  })
  // Replaces Vitest's Ctrl-C handling, which leaves the database server running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.removeAllListeners(signal)
    process.once(signal, () => {
      process.on('uncaughtException', () => process.exit(130))
      void vitest.close().finally(() => process.exit(130))
    })
  }
  await vitest.standalone()
  const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [path.relative(copy, one.moduleId), one]))
  const remake = async () => {
    const server = vitest.projects.find(({ name }) => name === 'server')?.getProvidedContext().testDatabase
    if (server?.kind !== 'postgres') throw new Error('there is no database server yet')
    await remakeTemplate(copy, server.url)
  }
  /** Runs test files. Runs incomplete files a second time, because a cancelled run can also affect the next run. */
  const runComplete = async (files: readonly TestSpecification[], again: boolean): Promise<readonly unknown[]> => {
    passed.clear()
    const { unhandledErrors } = await vitest.runTestSpecifications([...files])
    const left = files.filter((file) => !passed.has(file.moduleId))
    if (failure !== undefined || unhandledErrors.length > 0 || left.length === 0) return unhandledErrors
    if (again) return runComplete(left, false)
    console.log(`  did not finish, twice: ${left.map((file) => path.relative(copy, file.moduleId)).join(', ')}`)
    return unhandledErrors
  }
  return {
    tests: [...specifications.keys()],
    run: async (tests, changed) => {
      failure = undefined
      lastSign = Date.now()
      const readAgain = () => changed.forEach((file) => vitest.invalidateFile(path.join(copy, file)))
      readAgain()
      const silence = setInterval(() => {
        if (Date.now() - lastSign > SILENCE_MS) fail(running, [{ message: 'timed out in silence' }], 'came to no end')
      }, 5_000)
      const unhandledErrors = await runComplete(
        tests.flatMap((test) => specifications.get(test) ?? []),
        true,
      )
      clearInterval(silence)
      readAgain()
      if (failure === undefined && unhandledErrors.length > 0) fail(running, [], String(unhandledErrors[0]))
      return failure ?? { killed: false }
    },
    remakeDatabase: remake,
    close: () => vitest.close(),
  }
}

/** Returns errors in the hooks of a file's suites. */
const suiteErrors = (module: TestModule) => [...module.children.allSuites()].flatMap((suite) => suite.errors())

/** Sequencer that keeps the given order. Vitest would otherwise start with the tests that failed last. */
class InTheOrderGiven {
  shard = (files: TestSpecification[]) => files
  sort = (files: TestSpecification[]) => files
}

async function remakeTemplate(copy: string, url: string): Promise<void> {
  // Uses the copy's module, which reads the SQL files beside it.
  const migrating = pathToFileURL(path.join(copy, 'apps/server/src/platform/db/migrate.ts')).href
  const { migrate } = (await import(migrating)) as typeof Migrating
  const client = new Client({ connectionString: url })
  await client.connect()
  const pool = new Pool({ connectionString: url.replace(/\/postgres$/, `/${TEMPLATE}`) })
  try {
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE}`)
    await migrate(pool)
  } finally {
    await pool.end()
    await client.end()
  }
}
