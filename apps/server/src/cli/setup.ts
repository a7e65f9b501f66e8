/**
 * `npm run setup -- --admin EMAIL [--done] [FILE]`: sets up a platform. Creates its first admin, who gets a mailed link to set a password,
 * and applies the price, plans, NFTs, programme, limits, commitment and pool of FILE. Needs the database. The setup closes permanently
 * with --done, with a second staff member, or with a member's first posting. After that, `settings import` proposes changes, which need a
 * second person. Asks for missing values. Exits with 0, with 1 if the server rejects a value, with 2 for invalid input.
 */
import { createInterface } from 'node:readline/promises'
import { email as emailSchema } from '@tizara/contract'
import { sql } from 'kysely'
import * as v from 'valibot'
import { readCatalogue, readRewardPool, recordRejectedCommand, setUpPlatform } from '../modules/staff/index.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import { inTransaction } from '../platform/db/database.ts'
import { printable } from '../platform/config/printable.ts'
import { shellCommand } from '../platform/runtime/release.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { changesTo, fundingTo, toCurrentPlatform, readLogos, readSettingsFile } from './settings-file/settings-file.ts'
import { openPrepared } from '../main/open-database.ts'
import { BadUsage } from './staff/errors.ts'

/** Lock key that serializes setups. */
const SETUP_LOCK = 1_702_257_016

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) return ''
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(question)
  terminal.close()
  return answer.trim()
}

async function setUp(): Promise<string> {
  const { values, positionals } = commandLine('setup')
  const admin = v.safeParse(emailSchema, values.admin ?? (await ask('Email address of the first admin: ')))
  if (!admin.success)
    throw new BadUsage(`${shellCommand('setup --admin EMAIL platform.json')} requires the email address of the first admin.`)
  const file =
    positionals[0] ??
    (values.done ? '' : await ask('Settings file with prices and offers (example: docs/platform.example.json), empty for none: '))
  const { desired, logos } = file === '' ? { desired: {}, logos: [] } : readLogos(file, readSettingsFile(file))
  const deps = createDeps()
  const database = await openPrepared(deps.config)
  try {
    const changes = await inTransaction(database.db, async (tx) => {
      // Serializes setups, because two concurrent setups would both find the same plan missing.
      await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(tx)
      const platform = toCurrentPlatform(await readCatalogue(tx, deps), await readRewardPool(tx, deps, deps.clock.now()))
      const [required, pool] = [changesTo(platform, desired), fundingTo(platform, desired)]
      await setUpPlatform(tx, deps, { admin: admin.output, changes: required, logos, pool, done: values.done })
      return [...required.map(({ subject }) => subject), ...pool.map((one) => `pool (${one.asset})`)]
    }).catch(async (error: unknown) => {
      await recordRejectedCommand(database.db, deps, 'staff.platform.set-up', error)
      throw error
    })
    const summary = changes.length === 0 ? 'No other values changed.' : `Applied: ${changes.join(', ')}.`
    return `${admin.output} is an admin of this platform. A new account gets a mail with a link to set its password. ${summary}${values.done ? ' Setup is closed.' : ''}`
  } finally {
    await database.close()
  }
}

try {
  console.log(await setUp())
} catch (error) {
  const isClosed = error instanceof AppError && error.code === 'STAFF_ONLY'
  const fieldErrors = error instanceof AppError ? error.fieldErrors.map(({ path, message }) => `\n  ${path}: ${message}`).join('') : ''
  const why = isClosed
    ? `Setup of this platform is closed. Propose changes with ${shellCommand('settings import FILE')}; a second person approves them.`
    : error instanceof Error
      ? error.message
      : String(error)
  console.error(printable(`${why}${fieldErrors}`))
  process.exitCode = error instanceof BadUsage ? 2 : 1
}
