/**
 * `npm run staff -- help`: what staff do, from a terminal, through the same use cases as the console. Works while the
 * product runs. Ends with 0, with 1 when the rules refuse it, with 2 when the command line is not understood.
 */
import { parseArgs } from 'node:util'
import { AppError } from '../platform/app-error.ts'
import { printable } from '../platform/printable.ts'
import { createDeps } from './deps.ts'
import { openPrepared } from './open-database.ts'
import { BadUsage } from './staff/arguments.ts'
import { commands, HELP } from './staff/commands.ts'
import { readActor } from './staff/who.ts'

const OPTIONS = {
  as: { type: 'string' },
  reason: { type: 'string' },
  tx: { type: 'string' },
  name: { type: 'string' },
  phone: { type: 'string' },
  from: { type: 'string' },
  page: { type: 'string' },
  search: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

function readLine() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error))
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readLine()
  const [name = 'help', ...args] = positionals
  if (name === 'help' || values.help) return console.log(HELP)
  const command = commands.get(name)
  if (command === undefined) throw new BadUsage(`There is no ${name}.`)
  const deps = createDeps()
  const database = await openPrepared(deps.config)
  try {
    const actor = await readActor(database.db, values.as, command.needsActor)
    for (const line of await command.run({ db: database.db, deps, actor, args, options: values })) console.log(printable(line))
  } finally {
    await database.close()
  }
}

try {
  await main()
} catch (error) {
  if (error instanceof BadUsage) {
    console.error(`${error.message}\nnpm run staff -- help shows what there is.`)
    process.exitCode = 2
  } else {
    const fault = error instanceof AppError ? error.faults.map((one) => `${one.path}: ${one.message}`).join('; ') : ''
    console.error(printable(`${error instanceof Error ? error.message : String(error)}${fault === '' ? '' : ` (${fault})`}`))
    process.exitCode = 1
  }
}
