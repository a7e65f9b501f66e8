import { plantIn } from './copy.ts'
import type { Mutant } from './mutant.ts'
import { codeOf, relatedTests } from './related-tests.ts'
import type { TestRunner, Verdict } from './test-runner.ts'

/** Mutant's result. `asked` is the number of test files run, and `refused` means invalid SQL. */
export type Outcome = { is: 'noticed' | 'hangs'; by: string } | { is: 'missed'; asked: number } | { is: 'refused' }

/** Runs tests on mutants in sequence, and skips tests that fail or time out without a mutant. */
export function makeJudge(copy: string, runner: TestRunner) {
  const code = codeOf(copy)
  const [sound, failing] = [new Set<string>(), new Set<string>()]
  /** Detections per mutated file and test file. The most successful tests run first. */
  const noticed = new Map<string, Map<string, number>>()

  /** Returns true if a test file passes without a mutant. */
  async function isSound(file: string, changed: string): Promise<boolean> {
    if (!runner.tests.includes(file)) return true
    const plain = await runner.run([file], [changed])
    if (!plain.noticed) sound.add(file)
    else if (!plain.timedOut) failing.add(file)
    if (plain.noticed) console.log(`  ${plain.by} fails without a mistake; its file is left out`)
    return !plain.noticed
  }

  /** Runs the files against the mutant. A timed-out file runs again alone, and a second time-out counts as a hang. */
  async function firstToNotice(files: readonly string[], changed: string): Promise<Verdict> {
    const verdict = await runner.run(files, [changed])
    if (!verdict.noticed || !verdict.timedOut) return verdict
    const alone = await runner.run([verdict.file], [changed])
    if (alone.noticed) return alone
    sound.add(verdict.file)
    return firstToNotice(
      files.filter((file) => file !== verdict.file),
      changed,
    )
  }

  async function planted(mutant: Mutant, files: readonly string[]): Promise<Verdict | undefined> {
    const restore = plantIn(copy, mutant)
    const isSql = mutant.file.endsWith('.sql')
    const refused =
      isSql &&
      (await runner.remakeDatabase().then(
        () => false,
        () => true,
      ))
    const verdict = refused ? undefined : await firstToNotice(files, mutant.file)
    restore()
    if (isSql) await runner.remakeDatabase()
    return verdict
  }

  const judge = async (mutant: Mutant, left: ReadonlySet<string> = new Set()): Promise<Outcome> => {
    const before = noticed.get(mutant.file) ?? new Map<string, number>()
    noticed.set(mutant.file, before)
    const files = relatedTests(runner.tests, mutant.file, code)
      .filter((file) => !failing.has(file) && !left.has(file))
      .toSorted((a, b) => (before.get(b) ?? 0) - (before.get(a) ?? 0))
    const verdict = await planted(mutant, files)
    if (verdict === undefined) return { is: 'refused' }
    if (!verdict.noticed) return { is: 'missed', asked: files.length }
    const { by, file, timedOut } = verdict
    before.set(file, (before.get(file) ?? 0) + 1)
    if (!timedOut && sound.has(file)) return { is: 'noticed', by }
    return (await isSound(file, mutant.file)) ? { is: timedOut ? 'hangs' : 'noticed', by } : judge(mutant, new Set([...left, file]))
  }
  return { judge, failing }
}
