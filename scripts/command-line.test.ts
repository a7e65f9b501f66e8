import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'commands-'))
const data = path.join(folder, 'data')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface CommandResult {
  code: number
  output: string
  errorOutput: string
}

/** Runs a command line like npm's shell or a release. */
function run(args: readonly string[]): Promise<CommandResult> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TIZARA_SETTINGS: '/dev/null',
    DATA_DIR: data,
    DATABASE_URL: 'postgres://a:b@127.0.0.1:9/none',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(folder, 'compiled'),
  }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root, env }, (_, output, errorOutput) =>
      resolve({ code: child.exitCode ?? -1, output, errorOutput }),
    )
  })
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const scripts = Object.entries((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts)
/** Scripts in package.json that run other programs. */
const OTHERS = new Set(['build', 'format'])
const ours = scripts.filter(([name]) => !OTHERS.has(name)).map(([name, line]) => [name, line.split(' ').slice(1)] as const)
const benches = readdirSync(path.join(root, 'bench')).filter((name) => name.endsWith('.ts'))
const released = [...read('apps/server/src/cli/process/tizara.ts').matchAll(/^ {2}(\w+): \{ does:/gm)].map(([, name = '']) => name)
const TIZARA = 'apps/server/src/cli/tizara.ts'

/** All command lines: scripts of a clone, benchmarks, and commands of a release. */
const commands = [
  ...ours,
  ...benches.map((name) => [`bench ${name}`, [`bench/${name}`]] as const),
  ...released.map((name) => [`tizara ${name}`, [TIZARA, name]] as const),
]

const inPairs = async <T>(list: readonly T[], work: (one: T) => Promise<void>) => {
  const left = [...list]
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all([worker(), worker()])
}

it('every command rejects an unknown option in one sentence before it starts', async () => {
  for (const [name, line] of scripts) expect([name, OTHERS.has(name) || line.startsWith('node ')]).toEqual([name, true])
  expect(commands.length).toBeGreaterThan(55)
  await inPairs(commands, async ([name, line]) => {
    const ended = await run([...line, '--hlep'])
    expect([name, ended]).toEqual([
      name,
      { code: 2, output: '', errorOutput: expect.stringMatching(/^[^\n]*--hlep[^\n]*\n.*\bhelp\b.*|^[^\n]*--hlep[^\n]*\bhelp\b[^\n]*\n$/) },
    ])
    expect([name, ended.errorOutput]).not.toEqual([name, expect.stringMatching(/\n +at /)])
  })
  expect(existsSync(data)).toBe(false)
})

it('every command prints its usage with --help before it starts', async () => {
  // Tests only the scripts with their own code, because the benchmarks share one function for arguments and errors.
  const quick = commands.filter(([, [file = '']]) => file.endsWith('.mjs') || file === TIZARA)
  await inPairs([...quick, ['a benchmark', ['bench/rewards.ts']] as const], async ([name, line]) => {
    const { code, output, errorOutput } = await run([...line, '--help'])
    expect([name, code, errorOutput]).toEqual([name, 0, ''])
    expect(output).toMatch(/npm (run|start|test)|tizara/)
  })
  expect(existsSync(data)).toBe(false)
})

it.each([
  'backup',
  'restore',
  'restore a.dump b.dump',
  'restore nothing.dump',
  'setup --admin a@gmail.com nothing.json',
  'settings',
  'settings import',
  'settings check nothing.json',
  'import',
  'import check nothing',
  'programme',
  'figures',
  'programme simulate nothing.json',
  'payments rescan',
  'payments rescan first',
  'payments adopt nothing',
  'rewards --day',
  'rewards --day yesterday',
  'rewards --dry-run',
  'rewards --hash abc',
  'payments doctor --full',
  'secrets hot-wallet',
  'doctor --mail=',
  'doctor --mail --json',
  'migrate now',
])('%s: reports a missing or invalid argument in one sentence', async (line) => {
  const { code, output, errorOutput } = await run(['scripts/entry.mjs', ...line.split(' ')])
  expect([code, output, errorOutput.trim().split('\n')]).toEqual([2, '', [expect.stringMatching(/^(?!.*\.\.).*\w/)]])
})
