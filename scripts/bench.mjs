/** `npm run bench -- NAME`: runs one benchmark of bench/. Its last line is `ratio: X`. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ensureInstalled } from './start.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = '', ...args] = process.argv.slice(2)
if (name.startsWith('-')) readArguments(import.meta.url)
const file = path.join(root, 'bench', `${name}.ts`)
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(path.join(root, 'bench'))
    .filter((entry) => entry.endsWith('.ts'))
    .map((entry) => entry.slice(0, -3))
  console.error(`Name a benchmark: ${names.join(', ')}`)
  process.exit(2)
}
ensureInstalled()
const child = spawn(path.join(root, 'node_modules', '.bin', 'node'), [file, ...args], { cwd: root, stdio: 'inherit' })
child.on('exit', (code) => process.exit(code ?? 1))
