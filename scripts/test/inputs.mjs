/** Hashes the inputs of a step, because a step that passed on the same inputs is not repeated. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const digest = (/** @type {string | Buffer} */ text) => createHash('sha256').update(text).digest('hex')

/**
 * Reads the working tree from Git: files of the index, changed files and new files.
 * @param {string} root
 * @returns {Map<string, string> | undefined} a digest by path, or undefined without a repository
 */
export function readTree(root) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\0')
      .filter((entry) => entry !== '')
  try {
    const tree = new Map(
      git('ls-files', '-s', '-z').map((entry) => {
        const [id = '', file = ''] = entry.split('\t')
        return [file, id]
      }),
    )
    const differ = git('ls-files', '-m', '-o', '-d', '--exclude-standard', '-z')
    for (const file of differ) {
      const at = path.join(root, file)
      if (existsSync(at) && statSync(at).isFile()) tree.set(file, `${statSync(at).mode} ${digest(readFileSync(at))}`)
      else tree.delete(file)
    }
    return tree
  } catch {
    return undefined
  }
}

/** @type {(file: string, inputs: readonly string[]) => boolean} */
const isInput = (file, inputs) => inputs.some((input) => input === '.' || file === input || file.startsWith(`${input}/`))

/**
 * Returns the inputs of a step, by path.
 * @param {import('./steps.mjs').Step} step
 * @param {ReadonlyMap<string, string> | undefined} tree from {@link readTree}
 * @returns {[string, string][] | undefined} paths and digests in order, or undefined for a step that must always run
 */
export function inputsOf({ inputs }, tree) {
  if (inputs === undefined || tree === undefined) return undefined
  return [...tree].filter(([file]) => isInput(file, [...inputs, 'package-lock.json'])).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Hashes a step's commands and all inputs that its result depends on.
 * @param {import('./steps.mjs').Step} step
 * @param {ReadonlyMap<string, string> | undefined} tree from {@link readTree}
 * @param {string} machine programs and settings outside the repository
 * @returns {string | undefined} undefined for a step that must always run
 */
export function hashInputs(step, tree, machine) {
  const files = inputsOf(step, tree)
  return files === undefined ? undefined : digest(JSON.stringify([step.commands, machine, files]))
}

/**
 * Returns the changed source files if nothing else changed. Only tests that import these files can then fail.
 * @param {Readonly<Record<string, string>>} before digests by path
 * @param {Readonly<Record<string, string>>} now
 * @param {RegExp} sources paths of modules that only tests which import them use
 * @returns {string[] | undefined} undefined if a file was deleted, or if another file changed
 */
export function changedSources(before, now, sources) {
  const changed = Object.keys(now).filter((file) => now[file] !== before[file])
  const isKnown = changed.every((file) => sources.test(file)) && Object.keys(before).every((file) => file in now)
  return isKnown && changed.length > 0 ? changed : undefined
}

/**
 * Returns a text with the inputs outside the repository: versions of Node and PostgreSQL, and the environment's test settings.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export function readMachine(root, env) {
  const script = `import { execFileSync } from 'node:child_process'
    import { findPostgres } from './test/postgres.ts'
    import { findBrowser } from './test/browser.ts'
    console.log(process.version, process.arch, execFileSync(findPostgres() + '/postgres', ['--version'], { encoding: 'utf8' }), await findBrowser())`
  const programs = execFileSync(path.join(root, 'node_modules', '.bin', 'node'), ['--input-type=module', '-e', script], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  const settings = Object.entries(env).filter(([name]) => /^(TEST|SEARCH|MONEY)/.test(name) && name !== 'TEST_LIMIT_SECONDS')
  return JSON.stringify([programs, settings.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}
