/**
 * `npm run rewards -- --day 2026-03-02 --dry-run`: previews the rewards of a business day (UTC) and prints a hash over all rows.
 * `npm run rewards -- --day 2026-03-02 [--hash H]`: pays them; with a hash, only if the result has this hash. Without
 * `--day` it prints the next day. Exits with 0, or with 1 and the reason.
 */
import { formatUnits } from '@tizara/money'
import { haltedSince, payDay, simulateDay } from '../modules/rewards/index.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import { utcDay } from '../platform/runtime/clock.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { openPrepared } from '../main/open-database.ts'

const { values } = commandLine('rewards')
if (values.day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(values.day)) {
  console.error(`--day requires a date such as 2026-03-02, not ${values.day}.`)
  process.exit(2)
}
if (values.day === undefined && (values['dry-run'] || values.hash !== undefined)) {
  console.error('--dry-run and --hash require --day.')
  process.exit(2)
}
const deps = createDeps()
const database = await openPrepared(deps.config, { limits: false })
const { db } = database

async function main(): Promise<void> {
  const { day } = values
  if (day === undefined) {
    const open = await db.selectFrom('reward_day').select('day').where('status', '=', 'OPEN').orderBy('day').limit(1).executeTakeFirst()
    const halted = await haltedSince(db)
    console.log(
      `The next day to pay is ${open?.day ?? utcDay(deps.clock.now())}.${halted === null ? '' : ` Automatic runs have been halted since ${halted}.`}`,
    )
    return
  }
  const result = values['dry-run']
    ? await simulateDay(db, deps, day)
    : await payDay(db, deps, { day, hash: values.hash, by: 'command line' })
  for (const total of result.totals) {
    console.log(`${total.kind.padEnd(18)} ${String(total.rows).padStart(10)} rows ${formatUnits(total.amount).padStart(24)} ${total.asset}`)
  }
  console.log(`${values['dry-run'] ? 'would pay' : 'paid'} ${result.accruals} rewards of ${day}`)
  console.log(`hash: ${result.hash}`)
}

try {
  await main()
} catch (error) {
  const message = error instanceof AppError ? error.fieldErrors[0]?.message : undefined
  console.error(message ?? errorText(error))
  process.exitCode = 1
} finally {
  await database.close()
}
