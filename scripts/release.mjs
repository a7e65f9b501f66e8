/**
 * `npm run release`: packs `release/tizara-VERSION-linux-x64.tar.gz`, with which an empty machine runs the product: server
 * code, production packages, the built web app, its own Node and the `tizara` command. `-- --arch arm64` packs the same
 * for the other processor. Nothing is installed or built where it is unpacked, and nothing is written into its folder.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled } from './start.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch }, out: { type: 'string', default: 'release' } } })
const { arch } = values
if (!['x64', 'arm64'].includes(arch)) throw new Error('--arch takes x64 or arm64')

/** Most bytes that a release may have unpacked. */
const LIMIT = 150_000_000
/** What production never starts: the embedded database. */
const LEFT_OUT = /^@electric-sql\//
/** Files of packages that only people and compilers read, and builds for browsers. */
const UNREAD_FILES = /\.(map|md|markdown|flow|d\.[cm]?ts|[cm]?ts|tsx)$|^(tsconfig.*\.json|\.\w.*)$/
const UNREAD_FOLDERS = /^(test|tests|__tests__|docs|examples?|benchmarks?|bench|\.github|bundle|es6-modern)$/
/** Parts of packages that nothing here imports: sources beside what was built of them, and telephone books but the one in use. */
const UNREAD_PARTS = [
  '@zxcvbn-ts/language-common/src',
  ...['source', 'mobile', 'min', ...['min', 'mobile', 'full'].flatMap((book) => [`metadata.${book}.json`, `metadata.${book}.json.js`])].map(
    (part) => `libphonenumber-js/${part}`,
  ),
]

const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
const about = read('package.json')
const name = `tizara-${about.version}-linux-${arch}`
const work = mkdtempSync(path.join(tmpdir(), 'release-'))
const folder = path.join(work, name)
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

const write = (file, text, mode = 0o644) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text, { mode })
}
const json = (value) => `${JSON.stringify(value, null, 2)}\n`

/** Copies of the project what runs. */
function copyProject() {
  const ran = (file) => !/(\.test\.ts|[/\\]node_modules)$/.test(file)
  for (const part of ['apps/server/src', 'apps/server/db', 'packages/contract', 'packages/money', 'apps/web/dist'])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true, filter: ran })
  for (const part of [
    'docs/install.md',
    'docs/operations.md',
    'docs/settings.md',
    'docs/house.example.json',
    'docs/house.schema.json',
    'docs/provider.md',
    'docs/runbook.md',
    'deploy',
    'CHANGELOG.md',
  ])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
}

/** Installs the production packages for the processor that is asked for, at the versions of the lock, without running any of them. */
function installPackages() {
  const server = read('apps/server/package.json')
  delete server.devDependencies
  server.dependencies = Object.fromEntries(Object.entries(server.dependencies).filter(([one]) => !LEFT_OUT.test(one)))
  write('apps/server/package.json', json(server))
  const { version, type } = about
  write('package.json', json({ name: 'tizara', version, type, private: true, released: true, workspaces: ['packages/*', 'apps/server'] }))
  cpSync(path.join(root, 'package-lock.json'), path.join(folder, 'package-lock.json'))
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, '--os=linux', `--cpu=${arch}`, '--libc=glibc'], { cwd: folder, stdio: 'inherit' })
  rmSync(path.join(folder, 'package-lock.json'))
}

/** The Node that the project runs on, without what only a debugger reads where this machine can take it out. */
function addNode() {
  const target = path.join(folder, 'bin', 'node')
  mkdirSync(path.dirname(target), { recursive: true })
  if (arch === process.arch && process.platform === 'linux') cpSync(path.join(root, 'node_modules', 'node', 'bin', 'node'), target)
  else {
    const box = path.join(work, 'node')
    mkdirSync(box)
    const version = about.devDependencies.node
    execFileSync('npm', ['install', '--prefix', box, '--force', '--no-audit', '--no-fund', `node-linux-${arch}@${version}`], {
      stdio: 'inherit',
    })
    cpSync(path.join(box, 'node_modules', `node-linux-${arch}`, 'bin', 'node'), target)
  }
  chmodSync(target, 0o755)
  try {
    execFileSync('strip', ['--strip-unneeded', target], { stdio: 'ignore' })
  } catch {
    console.log('The Node in it keeps its debug symbols: this machine has no `strip` for it.')
  }
  write(
    'bin/tizara',
    `#!/bin/sh
# Every command of the product, with the Node beside this file: \`tizara help\`.
here=$(dirname -- "$(readlink -f -- "$0")")
NODE_ENV="\${NODE_ENV:-production}" exec "$here/node" "$here/../apps/server/src/main/tizara.ts" "$@"
`,
    0o755,
  )
}

function pruneParts() {
  for (const part of UNREAD_PARTS) {
    const place = path.join(folder, 'node_modules', part)
    // One that is gone by itself has to go from the list.
    lstatSync(place)
    rmSync(place, { recursive: true })
  }
}

function prune(place) {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const file = path.join(place, entry.name)
    if (entry.isDirectory() && UNREAD_FOLDERS.test(entry.name)) rmSync(file, { recursive: true })
    else if (entry.isDirectory()) prune(file)
    else if (entry.isFile() && UNREAD_FILES.test(entry.name)) rmSync(file)
  }
}

const bytesOf = (place) =>
  readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(path.join(entry.parentPath, entry.name)).size, 0)

function pack() {
  const out = path.resolve(root, values.out)
  mkdirSync(out, { recursive: true })
  const archive = path.join(out, `${name}.tar.gz`)
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX', '--sort=name']
  execFileSync('tar', [...owner, '-C', work, '-czf', archive, name])
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${digest}  ${name}.tar.gz\n`)
  return archive
}

ensureInstalled()
ensureBuilt()
copyProject()
installPackages()
pruneParts()
prune(path.join(folder, 'node_modules'))
addNode()
const bytes = bytesOf(folder)
const archive = pack()
console.log(`${archive}: ${Math.round(lstatSync(archive).size / 1e6)} MB, ${Math.round(bytes / 1e6)} MB unpacked`)
if (bytes > LIMIT) {
  console.error(`A release has at most ${LIMIT / 1e6} MB unpacked.`)
  process.exitCode = 1
}
