import { plantIn } from './copy.ts'
import type { Mutant } from './mutant.ts'
import { codeOf, relatedTests } from './related-tests.ts'
import type { TestRunner, Verdict } from './test-runner.ts'

/** Result of a mutant. `testFiles` is the number of test files run, and `invalid` means that the mutant is invalid SQL. */
export type Outcome = { is: 'killed' | 'timed out'; by: string } | { is: 'survived'; testFiles: number } | { is: 'invalid' }

/** Evaluates mutants one after the other. Skips tests that fail or time out without a mutant. */
export function createEvaluator(copy: string, runner: TestRunner) {
  const code = codeOf(copy)
  const [passing, failing] = [new Set<string>(), new Set<string>()]
  /** Number of killed mutants per mutated file and test file. Test files with more kills run first. */
  const kills = new Map<string, Map<string, number>>()

  /** Returns true if a test file passes without a mutant. */
  async function passesUnchanged(file: string, changed: string): Promise<boolean> {
    if (!runner.tests.includes(file)) return true
    const plain = await runner.run([file], [changed])
    if (!plain.killed) passing.add(file)
    else if (!plain.timedOut) failing.add(file)
    if (plain.killed) console.log(`  ${plain.by} fails without a mutant; its file is skipped`)
    return !plain.killed
  }

  /** Runs test files with the mutant in place. A file that times out runs again alone; only a second time-out counts. */
  async function firstKill(files: readonly string[], changed: string): Promise<Verdict> {
    const verdict = await runner.run(files, [changed])
    if (!verdict.killed || !verdict.timedOut) return verdict
    const alone = await runner.run([verdict.file], [changed])
    if (alone.killed) return alone
    passing.add(verdict.file)
    return firstKill(
      files.filter((file) => file !== verdict.file),
      changed,
    )
  }

  async function runWithMutant(mutant: Mutant, files: readonly string[]): Promise<Verdict | undefined> {
    const restore = plantIn(copy, mutant)
    const isSql = mutant.file.endsWith('.sql')
    const isInvalid =
      isSql &&
      (await runner.remakeDatabase().then(
        () => false,
        () => true,
      ))
    const verdict = isInvalid ? undefined : await firstKill(files, mutant.file)
    restore()
    if (isSql) await runner.remakeDatabase()
    return verdict
  }

  const evaluate = async (mutant: Mutant, skipped: ReadonlySet<string> = new Set()): Promise<Outcome> => {
    const before = kills.get(mutant.file) ?? new Map<string, number>()
    kills.set(mutant.file, before)
    const files = relatedTests(runner.tests, mutant.file, code)
      .filter((file) => !failing.has(file) && !skipped.has(file))
      .toSorted((a, b) => (before.get(b) ?? 0) - (before.get(a) ?? 0))
    const verdict = await runWithMutant(mutant, files)
    if (verdict === undefined) return { is: 'invalid' }
    if (!verdict.killed) return { is: 'survived', testFiles: files.length }
    const { by, file, timedOut } = verdict
    before.set(file, (before.get(file) ?? 0) + 1)
    if (!timedOut && passing.has(file)) return { is: 'killed', by }
    return (await passesUnchanged(file, mutant.file))
      ? { is: timedOut ? 'timed out' : 'killed', by }
      : evaluate(mutant, new Set([...skipped, file]))
  }
  return { evaluate, failing }
}
