/** Runs the commands of a step, and writes all output to one file. */
import { spawn } from 'node:child_process'
import { openSync, closeSync } from 'node:fs'
import path from 'node:path'

/**
 * Shell script that runs a program with a niceness and writes the processor time of the process tree to descriptor 3. Node cannot
 * measure the processor time of a child's children.
 */
const TIMED = 'nice=$1; shift; nice -n "$nice" "$@" 3>&-; code=$?; times >&3; exit $code'

/** Running process groups. */
const groups = new Set()

/** Maximum wait in ms until stopped programs end. */
const END_MS = 10_000

function signalAll(/** @type {NodeJS.Signals} */ signal) {
  for (const pid of groups) {
    try {
      process.kill(-pid, signal)
    } catch {
      // The process has ended.
    }
  }
}

/** Sends the signal to the process groups of all running commands, like a terminal does, and waits until all have ended. */
export async function endCommands(/** @type {NodeJS.Signals} */ signal) {
  signalAll(signal)
  const until = Date.now() + END_MS
  while (groups.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
  signalAll('SIGKILL')
}

/**
 * Reads the output of the shell's `times`: the first line is the shell's time, the second line the time of the shell's children.
 * @param {string} text
 * @returns {number} processor seconds of the children
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
 * Runs commands in sequence, also after a failure.
 * @param {readonly (readonly string[])[]} commands
 * @param {{ root: string, env: NodeJS.ProcessEnv, log: string, niceness?: number }} how `log` is the output
 * file; the default `niceness` is 0, and 19 yields the processor to all others
 * @returns {Promise<{ passed: boolean, seconds: number, cpu: number }>}
 */
export async function runCommands(commands, { root, env, log: file, niceness = 0 }) {
  const started = performance.now()
  const log = openSync(file, 'w')
  const results = []
  for (const command of commands) results.push(await runCommand(command, { root, env, log, niceness }))
  closeSync(log)
  return {
    passed: results.every(({ passed }) => passed),
    seconds: (performance.now() - started) / 1000,
    cpu: results.reduce((sum, { cpu }) => sum + cpu, 0),
  }
}
