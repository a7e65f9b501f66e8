/**
 * `npm start`: installs missing packages, builds a stale web app, and starts the product with the project's Node. Runs on any Node
 * from 20 and needs no package.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, entryFile } from '../apps/server/src/cli/command-line.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = path.join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }

/** Runs a command, and exits with the command's code on failure. With `quiet`, prints the output only on failure. */
function run(command, args, { quiet = false } = {}) {
  const output = quiet ? { stdio: ['inherit', 'pipe', 'pipe'], maxBuffer: 64_000_000 } : { stdio: 'inherit' }
  const result = spawnSync(command, args, { cwd: root, env, shell: process.platform === 'win32', ...output })
  if (result.status === 0) return
  if (quiet) process.stderr.write(Buffer.concat([result.stdout, result.stderr].filter(Boolean)))
  process.exit(result.status ?? 1)
}

function newest(at) {
  if (statSync(at).isFile()) return statSync(at).mtimeMs
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath ?? entry.path, entry.name)).mtimeMs), 0)
}

/** Installs the locked packages unless the lock's digest matches the last installation. */
export function ensureInstalled() {
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  const digest = createHash('sha256').update(lock).digest('hex')
  const note = path.join(root, 'node_modules', '.installed-lock')
  const recorded = existsSync(note) ? readFileSync(note, 'utf8') : undefined
  if (existsSync(path.join(bin, 'node')) && recorded === digest) return
  console.log('Installing packages (first start only)…')
  // `npm ci` would fail if a registry mirror lacks optional packages of other platforms. `--include=dev` is needed because, with
  // NODE_ENV=production, npm would not install the project's Node.
  run('npm', ['install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(note, digest)
}

/**
 * Builds the web app unless the build is newer than its sources. Prints the output of the build only if the build fails or `verbose` is
 * set.
 */
export function ensureBuilt({ verbose = false } = {}) {
  const index = path.join(root, 'apps', 'web', 'dist', 'index.html')
  const web = path.join(root, 'apps', 'web')
  // The pages and the configuration of the build are files beside its folders.
  const files = readdirSync(web).filter((name) => /\.(ts|js|html)$/.test(name))
  const sources = [path.join(root, 'packages'), ...['src', 'scripts', ...files].map((name) => path.join(web, name))].filter((at) =>
    existsSync(at),
  )
  if (existsSync(index) && statSync(index).mtimeMs > Math.max(...sources.map(newest))) return
  console.log('Building the web app…')
  run('npm', ['run', '--silent', 'build', '-w', '@tizara/web'], { quiet: !verbose })
}

/** Running entry point. */
let child

/**
 * Forwards signals to the entry point, including signals during the installation and the build. Call this function first, because
 * an unhandled signal ends the process.
 */
export function passSignalsOn() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal))
}

/**
 * Runs a server entry point with the project's Node until the server ends. After a signal, waits for the server's end. npm's shell
 * does not forward signals, so the end of this shell counts as a signal.
 */
export function runEntry(name, args) {
  const parent = process.ppid
  child = spawn(path.join(bin, 'node'), [entryFile(name), ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'node'), ...env },
    stdio: 'inherit',
  })
  setInterval(() => process.ppid !== parent && child?.kill('SIGTERM'), 250).unref()
  // The exit code of a server is 0 if a signal came before its start.
  const unbegun = ['api', 'worker', 'serve'].includes(name) ? 0 : 1
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? unbegun : 1)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  passSignalsOn()
  const { values } = commandLine('serve')
  ensureInstalled()
  ensureBuilt(values)
  runEntry('serve', process.argv.slice(2))
}
