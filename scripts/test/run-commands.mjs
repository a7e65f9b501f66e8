/** Runs the commands of a step, with all that they print in one file. */
import { spawn } from 'node:child_process'
import { openSync, closeSync } from 'node:fs'
import path from 'node:path'

/** Runs a program at a niceness and then writes the processor time of its process tree, which Node does not know, to descriptor 3. */
const TIMED = 'nice=$1; shift; nice -n "$nice" "$@" 3>&-; code=$?; times >&3; exit $code'

/** Process groups that run now. */
const groups = new Set()

/** Longest wait for programs that were told to end. */
const END_MS = 10_000

function signalAll(/** @type {NodeJS.Signals} */ signal) {
  for (const pid of groups) {
    try {
      process.kill(-pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** Ends everything that runs, as the terminal does for the programs in front of it, and waits until it has ended. */
export async function endCommands(/** @type {NodeJS.Signals} */ signal) {
  signalAll(signal)
  const until = Date.now() + END_MS
  while (groups.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
  signalAll('SIGKILL')
}

/**
 * Reads what the shell's `times` prints: of the shell, then of its children.
 * @param {string} text
 * @returns {number} seconds of processor time of the children
 */
export function readTimes(text) {
  const children = text.trim().split('\n').at(-1) ?? ''
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

/**
 * @param {readonly string[]} command
 * @param {{ root: string, env: NodeJS.ProcessEnv, log: number, niceness: number }} how
 * @returns {Promise<{ passed: boolean, cpu: number }>}
 */
function runCommand([program = '', ...args], { root, env, log, niceness }) {
  const file = path.join(root, 'node_modules', '.bin', program)
  const [shell, given] = process.platform === 'win32' ? [file, args] : ['sh', ['-c', TIMED, 'sh', String(niceness), file, ...args]]
  return new Promise((resolve) => {
    const child = spawn(shell, given, {
      cwd: root,
      env,
      stdio: ['ignore', log, log, 'pipe'],
      detached: true,
      shell: process.platform === 'win32',
    })
    groups.add(child.pid)
    let times = ''
    child.stdio[3]?.on('data', (text) => (times += String(text)))
    child.once('error', () => resolve({ passed: false, cpu: 0 }))
    child.once('close', (code) => {
      groups.delete(child.pid)
      resolve({ passed: code === 0, cpu: readTimes(times) })
    })
  })
}

/**
 * Runs commands one after the other, also after one that fails, or at the same time.
 * @param {readonly (readonly string[])[]} commands
 * @param {{ root: string, env: NodeJS.ProcessEnv, log: string, together?: boolean, niceness?: number }} how `log` is the file with
 *   all that they print; 0 is the usual `niceness`, and 19 yields the processor to all others
 * @returns {Promise<{ passed: boolean, seconds: number, cpu: number }>}
 */
export async function runCommands(commands, { root, env, log: file, together = false, niceness = 0 }) {
  const started = performance.now()
  const log = openSync(file, 'w')
  const run = (/** @type {readonly string[]} */ command) => runCommand(command, { root, env, log, niceness })
  const results = together ? await Promise.all(commands.map(run)) : []
  if (!together) for (const command of commands) results.push(await run(command))
  closeSync(log)
  return {
    passed: results.every(({ passed }) => passed),
    seconds: (performance.now() - started) / 1000,
    cpu: results.reduce((sum, { cpu }) => sum + cpu, 0),
  }
}
