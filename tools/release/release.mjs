/**
 * `npm run release`: packs `release/tizara-VERSION-linux-x64.tar.gz`, which runs the product on an empty machine: server code,
 * production packages, built web app, the client of the API, Node and the `tizara` command. `-- --arch arm64` packs for that processor, and
 * `-- --key FILE` signs with an SSH key. The unpacked folder runs without installation or build, and the product never changes it.
 *
 * The same source gives an archive with the same digest, if the machines have the same versions of tar, gzip and strip.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { ensureBuilt, ensureInstalled } from '../../scripts/start.mjs'
import { billOfMaterials } from './sbom.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = readArguments(import.meta.url, {
  arch: { type: 'string', default: process.arch },
  out: { type: 'string', default: 'release' },
  key: { type: 'string' },
})
const { arch, key } = values
if (!['x64', 'arm64'].includes(arch)) {
  console.error(`--arch takes x64 or arm64, not ${arch}.`)
  process.exit(2)
}

/** Maximum unpacked size of a release in bytes. The Node binary has 119 million of them. */
const LIMIT = 155_000_000
/** Packages that production never loads: the embedded database. */
const LEFT_OUT = /^@electric-sql\//
/**
 * Required files without an import: processor binaries, fonts of statements (`printable.ts` reads them by path), and package
 * licences.
 */
const NEEDED =
  /\.node$|\.so\.[\d.]+$|^@fontsource\/(noto-sans\/(unicode\.json$|files\/.*(latin|vietnamese|greek|cyrillic)(-ext)?-400-normal\.woff$)|vazirmatn\/files\/.*-arabic-400-normal\.woff$)|\/(licen[cs]e|copying|notice)[^/]*$/i

/** Documents for developers only. */
const FOR_BUILDERS = /^(pictures$|requirements\.md$|spec-)/

const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
const about = read('package.json')
const name = `tizara-${about.version}-linux-${arch}`
const work = mkdtempSync(path.join(tmpdir(), 'release-'))
const folder = path.join(work, name)
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
process.on('uncaughtException', (error) => {
  // Errors of the system or of a called program, such as a full disk, are printed as one line, other errors with a stack.
  const refused = 'syscall' in error || 'status' in error
  console.error(refused ? `Nothing was packed: ${error.message.split('\n')[0]}` : error)
  process.exit(1)
})

const write = (file, text, mode = 0o644) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text, { mode })
}
const json = (value) => `${JSON.stringify(value, null, 2)}\n`

/** Copies the runtime files of the project. */
function copyProject() {
  const ran = (file) => !/(\.test\.ts|[/\\]node_modules)$/.test(file)
  for (const part of [
    'apps/server/src',
    'apps/server/db',
    'apps/server/tiers.json',
    'packages/contract',
    'packages/languages',
    'packages/money',
    'apps/web/dist',
  ])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true, filter: ran })
  for (const part of ['deploy', 'CHANGELOG.md']) cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
  const forOperators = (file) => !FOR_BUILDERS.test(path.relative(path.join(root, 'docs'), file))
  cpSync(path.join(root, 'docs'), path.join(folder, 'docs'), { recursive: true, filter: forOperators })
}

/** Packs the TypeScript client of the API for other software. */
function addClient() {
  execFileSync(path.join(root, 'node_modules/.bin/node'), [path.join(root, 'tools/client/make-client.ts'), path.join(folder, 'client')])
}

/** Installs production packages for the requested processor at the versions of the lock file, without running their scripts. */
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
  write('sbom.cdx.json', json(billOfMaterials({ root, folder, name, version, node: about.devDependencies.node })))
  rmSync(path.join(folder, 'package-lock.json'))
}

/** Adds the project's Node, and strips debug symbols if this machine has the tool. */
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
  // The second program is for the other processor (Debian packages binutils-aarch64-linux-gnu and binutils-x86-64-linux-gnu).
  const strips = ['strip', `${{ x64: 'x86_64', arm64: 'aarch64' }[arch]}-linux-gnu-strip`]
  if (!strips.some((program) => spawnSync(program, ['--strip-unneeded', target], { stdio: 'ignore' }).status === 0))
    console.log(`The Node in it keeps its debug symbols, which are 18 MB: this machine has none of ${strips.join(', ')} for it.`)
  write(
    'bin/tizara',
    `#!/bin/sh
# Every command of the product, with the Node beside this file: \`tizara help\`.
here=$(dirname -- "$(readlink -f -- "$0")")
NODE_ENV="\${NODE_ENV:-production}" exec "$here/node" "$here/tizara.mjs" "$@"
`,
    0o755,
  )
  write(
    'bin/tizara.mjs',
    `// The modules of a release are JavaScript, but keep the ending .ts, by which they import each other.
// This hook loads them as JavaScript.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load: (url, context, next) =>
    url.endsWith('.ts') ? { format: 'module', source: readFileSync(new URL(url)), shortCircuit: true } : next(url, context),
})
await import('../apps/server/src/cli/tizara.ts')
`,
  )
}

/**
 * Strips the types from all modules in the release. Otherwise Node would strip types at each start, and a start would take five times as
 * long. Lines and columns stay the same.
 */
function stripTypes() {
  const modules = ['apps', 'packages']
    .flatMap((part) => entriesOf(path.join(folder, part)).map(fileOf))
    .filter((file) => file.endsWith('.ts'))
  execFileSync(path.join(root, 'node_modules/.bin/node'), [path.join(root, 'tools/release/strip-types.ts'), ...modules])
}

const packages = path.join(folder, 'node_modules')
/** Lists all files and folders below a folder, folders first. Does not follow links, because these lead to workspace packages. */
const entriesOf = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => [entry, ...(entry.isDirectory() ? entriesOf(fileOf(entry)) : [])])
const fileOf = (entry) => path.join(entry.parentPath, entry.name)

/** Removes the files of packages that no module of the server imports or reads. */
function prune() {
  // Uses the project's Node, because the current Node may not support types.
  const trace = [path.join(root, 'tools/release/reached-files.ts'), folder, ...modulesOfServer()]
  const reached = new Set(JSON.parse(execFileSync(path.join(root, 'node_modules/.bin/node'), trace, { encoding: 'utf8', maxBuffer: 1e8 })))
  for (const entry of entriesOf(packages)) {
    const file = fileOf(entry)
    const stays = reached.has(path.relative(folder, file)) || NEEDED.test(path.relative(packages, file))
    if (entry.isFile() && !stays) rmSync(file)
  }
  for (const entry of entriesOf(packages).toReversed())
    if (entry.isDirectory() && readdirSync(fileOf(entry)).length === 0) rmdirSync(fileOf(entry))
}

const modulesOfServer = () =>
  entriesOf(path.join(folder, 'apps/server/src'))
    .map(fileOf)
    .filter((file) => file.endsWith('.ts'))

/** Loads all server modules with the remaining packages, to show that no command lacks a file. */
function loads() {
  if (arch !== process.arch || process.platform !== 'linux') return
  // Skips modules that start something when loaded: processes, commands, and the embedded database.
  const modules = modulesOfServer().filter((file) => !/src\/(cli|main)\/(process\/)?[\w-]+\.ts$|embedded/.test(file))
  const load = 'for (const file of process.argv.slice(1)) await import(file); process.exit(0)'
  execFileSync(path.join(folder, 'bin', 'node'), ['--input-type=module', '-e', load, ...modules], { cwd: folder, stdio: 'inherit' })
}

/** Checks that each native file is built for the requested processor (byte 18 of an ELF file). */
function isOfArch() {
  const machine = { x64: 62, arm64: 183 }[arch]
  const binaries = readdirSync(folder, { recursive: true }).filter((file) => /\.node$|\.so(\.[\d.]+)?$|^bin[/\\]node$/.test(file))
  const wrong = binaries.filter((file) => readFileSync(path.join(folder, file)).readUInt16LE(18) !== machine)
  if (binaries.length < 4 || wrong.length > 0) throw new Error(`Not of ${arch}: ${wrong.join(', ') || 'parts are missing'}`)
}

const bytesOf = (directory) => entriesOf(directory).reduce((sum, entry) => sum + (entry.isFile() ? lstatSync(fileOf(entry)).size : 0), 0)

/** Returns the time of the source in Unix seconds: SOURCE_DATE_EPOCH, otherwise the time of the last commit. */
function sourceTime() {
  const requested = process.env.SOURCE_DATE_EPOCH
  if (requested !== undefined) return Number(requested)
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? Number(stdout) : 0
}

function pack() {
  const out = path.resolve(root, values.out)
  mkdirSync(out, { recursive: true })
  const archive = path.join(out, `${name}.tar.gz`)
  const sums = `${archive}.sha256`
  // Order, owner, mode and time of the entries are fixed, and gzip stores no name and time, so that equal files give equal bytes.
  const fixed = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX', '--sort=name', `--mtime=@${sourceTime()}`]
  try {
    execFileSync('tar', [...fixed, '-C', work, '--use-compress-program=gzip --no-name', '-cf', `${archive}.part`, name])
    const digest = createHash('sha256')
      .update(readFileSync(`${archive}.part`))
      .digest('hex')
    writeFileSync(`${sums}.part`, `${digest}  ${name}.tar.gz\n`)
    if (key !== undefined) execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', 'tizara', `${sums}.part`])
    // Renames the archive when it is complete, so that an error keeps the earlier archive.
    renameSync(`${archive}.part`, archive)
    renameSync(`${sums}.part`, sums)
    rmSync(`${sums}.sig`, { force: true })
    if (key !== undefined) renameSync(`${sums}.part.sig`, `${sums}.sig`)
  } finally {
    for (const part of [`${archive}.part`, `${sums}.part`, `${sums}.part.sig`]) rmSync(part, { force: true })
  }
  return archive
}

ensureInstalled()
ensureBuilt()
copyProject()
installPackages()
prune()
stripTypes()
addClient()
addNode()
isOfArch()
loads()
const bytes = bytesOf(folder)
const archive = pack()
console.log(
  `${archive}: ${Math.round(lstatSync(archive).size / 1e6)} MB, ${Math.round(bytes / 1e6)} MB unpacked, ${key === undefined ? 'not signed (--key FILE)' : 'signed'}`,
)
if (bytes > LIMIT) {
  console.error(`A release has at most ${LIMIT / 1e6} MB unpacked.`)
  process.exitCode = 1
}
