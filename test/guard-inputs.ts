import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { STEPS } from '../scripts/test/steps.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SYNC = [
  'readFileSync',
  'readdirSync',
  'openSync',
  'createReadStream',
  'readFile',
  'readdir',
  'open',
  'cpSync',
  'copyFileSync',
] as const
const ASYNC = ['readFile', 'readdir', 'open', 'cp', 'copyFile'] as const

/** Returns the path inside the repository, or undefined for one outside, or in a folder of packages. */
function insideRepository(file: unknown): string | undefined {
  if (typeof file !== 'string' && !(file instanceof URL)) return undefined
  if (file instanceof URL && file.protocol !== 'file:') return undefined
  const relative = path.relative(root, path.resolve(file instanceof URL ? fileURLToPath(file) : file))
  return relative.startsWith('..') || relative.split(path.sep).includes('node_modules') ? undefined : relative
}

/**
 * Makes reading a file of the repository fail in this process if the file is not an input of the step. `npm test` does not repeat a step
 * after a change of other files, so its result must not depend on them. Files that other processes read are not checked.
 * @param name a step of scripts/test/steps.mjs
 */
export function guardInputs(name: string): void {
  const inputs = [...(STEPS.find((step) => step.name === name)?.inputs ?? []), 'package-lock.json']
  const check = (file: unknown): void => {
    const relative = insideRepository(file)
    if (relative === undefined || inputs.some((input) => relative === input || relative.startsWith(input + path.sep))) return
    throw new Error(`${relative} is not an input of the step ${name} (scripts/test/steps.mjs)`)
  }
  const guard = (target: object, names: readonly string[]): void => {
    const functions = target as Record<string, (...args: unknown[]) => unknown>
    for (const read of names) {
      const original = functions[read]
      if (original === undefined) continue
      functions[read] = function guarded(this: unknown, ...args: unknown[]) {
        check(args[0])
        return original.apply(this, args)
      }
    }
  }
  guard(fs, SYNC)
  guard(fs.promises, ASYNC)
  syncBuiltinESMExports()
}
