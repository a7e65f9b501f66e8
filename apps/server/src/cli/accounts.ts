/**
 * `npm run accounts -- export --month 2026-10 --format hledger --out FOLDER` writes the journal of a closed month, and the file that
 * declares its accounts. Formats: csv, hledger, beancount. `chart` prints the chart of accounts in use, in the format of the file in
 * ACCOUNTS_CHART. A month's file never changes while the chart is the same. Exits with 0, with 1 if the export is refused, with 2 for
 * an invalid command line.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type AccountingFormat, accountingFormats } from '@tizara/contract/staff-accounting'
import { recordAudit } from '../modules/audit/index.ts'
import { closedMonth, declarations, fileNameOf, finishMonth, readChart, startOf, sumNextPart } from '../modules/staff/index.ts'
import { printable } from '../platform/config/printable.ts'
import { inTransaction } from '../platform/db/database.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { createDeps } from '../main/deps.ts'
import { openPrepared } from '../main/open-database.ts'
import { commandLine } from './command-line.mjs'

const { values, positionals } = commandLine('accounts')

/** Replaces a file at once, so that an interrupted command leaves no half file. */
function writeFile(folder: string, name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(`${file}.part`, text)
  renameSync(`${file}.part`, file)
  return file
}

async function exportMonth(month: string, format: AccountingFormat, folder: string): Promise<string[]> {
  const deps = createDeps()
  const database = await openPrepared(deps.config, { limits: false })
  try {
    const declared = declarations(deps, format)
    const close = await closedMonth(database.db, month)
    let progress = startOf(close)
    while (BigInt(progress.through) < close.lastId) progress = await sumNextPart(database.db, close, progress)
    const file = await inTransaction(database.db, async (tx) => {
      const finished = await finishMonth(tx, deps, close, progress, format)
      await recordAudit(tx, {
        at: deps.clock.now(),
        actorId: null,
        actorRole: 'SYSTEM',
        action: 'accounting.export',
        subject: { type: 'month', id: month },
        outcome: 'ok',
        detail: { format, digest: finished.digest },
      })
      return finished
    })
    mkdirSync(folder, { recursive: true })
    const names = [writeFile(folder, fileNameOf(undefined, format), declared), writeFile(folder, fileNameOf(month, format), file.text)]
    const day = (at: Date) => at.toISOString().slice(0, 10)
    return [
      ...names,
      `${close.transfers} transfers, SHA-256 ${file.digest}`,
      file.firstAt === undefined ? 'First export of this month with this chart' : `Equal to the export of ${day(file.firstAt)}`,
      ...(file.otherChartAt === undefined ? [] : [`An export of ${day(file.otherChartAt)} has another chart of accounts`]),
    ]
  } finally {
    await database.close()
  }
}

async function run(): Promise<string[]> {
  if (positionals[0] === 'chart') return [JSON.stringify(readChart(createDeps().config), undefined, 2)]
  const format = accountingFormats.find((one) => one === values.format)
  const { month, out } = values
  if (format === undefined || month === undefined || out === undefined || !/^20\d\d-(?:0[1-9]|1[0-2])$/.test(month)) {
    process.exitCode = 2
    throw new Error(`The export needs --month YYYY-MM, --format ${accountingFormats.join('|')} and --out FOLDER`)
  }
  return exportMonth(month, format, out)
}

try {
  console.log((await run()).join('\n'))
} catch (error) {
  console.error(printable(errorText(error)))
  process.exitCode ??= 1
}
