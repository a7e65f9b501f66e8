/**
 * Declares the command lines. It is plain JavaScript, because npm's Node may not strip types. The launcher checks them before it loads,
 * opens or builds anything; the command parses them again.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const yes = { type: 'boolean', default: false }
const text = { type: 'string' }

/**
 * Options as `parseArgs` takes them, and the accepted positional arguments. Lower-case words are literal; upper-case ones
 * are placeholders (`FILE`, or `HASH…` for one and more). Without `ways` only options are accepted.
 */
export const COMMANDS = {
  serve: { options: { verbose: yes } },
  api: {},
  worker: { options: { once: yes } },
  sandbox: {},
  migrate: {},
  seed: {},
  ready: {},
  doctor: { options: { json: yes, mail: text } },
  'ledger-audit': { options: { full: yes } },
  rewards: { options: { day: text, hash: text, 'dry-run': yes } },
  programme: { ways: ['max-gain', 'simulate FILE'] },
  figures: { ways: ['rebuild'] },
  accounts: { options: { month: text, format: text, out: text }, ways: ['export', 'chart'] },
  payments: { options: { full: yes }, ways: ['doctor', 'reconcile', 'rescan BLOCK', 'adopt HASH…'] },
  setup: { options: { admin: text, done: { type: 'boolean', default: false } }, ways: ['', 'FILE'] },
  languages: { ways: ['check'] },
  settings: { ways: ['export', 'import FILE', 'check FILE'] },
  import: { ways: ['check FOLDER', 'propose FOLDER', 'approve HASH', 'status HASH', 'report HASH'] },
  screening: { ways: ['check FILE', 'propose FILE', 'approve HASH'] },
  backup: { ways: ['FILE'] },
  restore: { options: { identity: text }, ways: ['FILE'] },
  'verify-export': { options: { key: text }, ways: ['FILE'] },
  'verify-proof': { options: { member: text, history: text }, ways: ['FILE…'] },
  secrets: {
    ways: ['', 'TOKEN_SECRET', 'DATA_KEY', 'PAYMENT_PROVIDER_SECRET', 'hot-wallet FILE', 'deposit-branch FILE', 'backup-key FILE'],
  },
}
/** Matches a placeholder such as FILE. Names of settings contain an underscore. */
const PLACEHOLDER = /^[A-Z]+…?$/

const fileIn = (folders, name) => folders.map((folder) => new URL(`${folder}${name}.ts`, import.meta.url)).find((file) => existsSync(file))

/**
 * Finds the entry file for a command or server process.
 * @param {string} name
 * @returns {string} its path
 * @throws Error if no such file exists
 */
export function entryFile(name) {
  const file = fileIn(['./', '../main/'], name)
  if (file === undefined) throw new Error(`The server has no command ${name}`)
  return fileURLToPath(file)
}

/**
 * Reads the command line of a server command. `staff` parses its own.
 * @param {string} name
 */
export function commandLine(name, args = process.argv.slice(2)) {
  const file = fileIn(['../main/process/', './process/', '../main/', './'], name) ?? new URL('process/tizara.ts', import.meta.url)
  const { options, ways } = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : {}
  return name === 'staff' ? { values: {}, positionals: args } : readArguments(file, options, ways, args)
}

/**
 * Reads a command line. `--help` prints the head comment of the command's file and exits with 0. An invalid line prints an
 * error and exits with 2.
 */
export function readArguments(file, options = {}, usages = [''], args = process.argv.slice(2)) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(manualOf(file))
    process.exit(0)
  }
  try {
    const read = parseArgs({ args, options, allowPositionals: true })
    const fault = faultOf(read, options, usages)
    if (fault === undefined) return read
    refuse(fault)
  } catch (error) {
    // Only the first sentence of Node's message: the rest is about other uses.
    refuse(String(error.message).split(/\. |\.?\n/)[0])
  }
}

function faultOf({ values, positionals }, options, usages) {
  for (const [name, { default: preset }] of Object.entries(options))
    if (/^\d+$/.test(preset) && !/^\d+(\.\d+)?$/.test(values[name])) return `--${name} requires a number, not ${values[name]}`
  const blank = Object.keys(values).find((name) => values[name] === '' && options[name].default !== '')
  if (blank !== undefined) return `--${blank} has no value`
  if (usages.some((way) => fits(way.split(' ').filter(Boolean), positionals))) return undefined
  const known = usages.filter((way) => way !== '')
  if (positionals.includes('')) return 'An argument is empty'
  const expected = (ways) => (ways.length === 0 ? '' : `. Expected: ${ways.join(' | ')}`)
  // Ways that begin with the typed words lack only their last words.
  const open = known.filter((way) => fits(way.split(' ').slice(0, positionals.length), positionals))
  if (open.length > 0) return `An argument is missing${expected(open)}`
  const first = positionals.findIndex(
    (_, index) => !known.some((way) => fits(way.split(' ').slice(0, index + 1), positionals.slice(0, index + 1))),
  )
  return `Unknown argument: ${positionals.slice(first).join(' ')}${expected(known)}`
}

const fits = (way, words) =>
  (way.at(-1)?.endsWith('…') ? words.length >= way.length : words.length === way.length) &&
  words.every((word, index) => {
    const expected = way[Math.min(index, way.length - 1)]
    return PLACEHOLDER.test(expected) ? word !== '' : word === expected
  })

function refuse(fault) {
  console.error(`${fault}. Run with --help for usage.`)
  process.exit(2)
}

/** Returns the comment at the head of a file as the manual. In a release it shows commands as `tizara rewards`. */
function manualOf(file) {
  const comment = /\/\*\*([^]*?)\*\//.exec(readFileSync(fileURLToPath(file), 'utf8'))?.[1] ?? ''
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/, '').trim())
  const manual = lines.join('\n').trim()
  const about = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))
  if (about.released !== true) return manual
  return manual.replaceAll(/npm run ([\w:-]+)( --(?= ))?/g, (_, name) => `tizara ${name === 'ledger:audit' ? 'audit' : name}`)
}
