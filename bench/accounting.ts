/**
 * `npm run bench -- accounting`: exports a closed month of many transfers in a process of its own, and a month with a fifth of them before.
 * The transfers have all kinds, pairs of accounts and 1,000 members in turn, so a file has as many entries as a month can have. Required: ten million transfers in at most 5 minutes and 300 MB, so the memory must not grow with the transfers. The last line is the
 * memory of the large month, as a ratio to that of the small one. Options: `--transfers 1000000`.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { assetOfSide, sideNumber } from '../apps/server/src/ledger/transfer-kinds.ts'
import { allTransfers } from '../apps/server/src/modules/staff/access/transfer-kinds.ts'
import { closedMonth, finishMonth, startOf, sumNextPart } from '../apps/server/src/modules/staff/accounting/export-month.ts'
import { type Db, inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { instanceDeps } from './lib/money-instance.ts'
import { reportMachine } from './lib/quiet-machine.ts'

const { values } = readArguments(import.meta.url, {
  transfers: { type: 'string', default: '1000000' },
  /** For the process that exports: the database and the month. */
  url: { type: 'string' },
  month: { type: 'string', default: '' },
})

/** Heap of the exporting process in MB. An export that held the transfers in memory would fail. */
const HEAP_MB = 64

/** Members whose wallets the transfers have. */
const MEMBERS = 1_000
const kinds = Object.entries(allTransfers).flatMap(([kind, { pairs }]) =>
  pairs.map(([debit, credit]) => ({ kind, debit: sideNumber(debit), credit: sideNumber(credit), asset: assetOfSide(debit) })),
)
/** SQL for an account with the number of a side. Debit and credit have different members. */
const accountOf = (number: string, member: string) =>
  sql.raw(`case when ${number} > 0 then (n % ${MEMBERS} + ${member}) * 16 + ${number} else ${number} * 100 end`)

/** Adds a closed month with transfers that are spread over 28 days. */
async function addMonth(db: Db, month: string, count: number): Promise<void> {
  const after = sql<bigint>`(select coalesce(max(last_id), (select coalesce(max(id), 0) from ledger_transfer)) from ledger_close)`
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ after: bigint }>`select ${after} as after`.execute(tx)
    const first = rows[0]?.after ?? 0n
    await sql`
      insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after, created_at, asset,
        kind, cause_type, cause_id)
      select ${first}::bigint + n, ${first}::bigint + n, ${accountOf('k.debit', '1')}, ${accountOf('k.credit', '2')}, n, 0, 0,
        ${`${month}-01T12:00:00Z`}::timestamptz + n % 28 * interval '1 day', k.asset, k.kind, 'test', n::text
      from generate_series(1, ${count}::int) n join unnest(${kinds.map(({ kind }) => kind)}::text[],
          ${kinds.map(({ debit }) => debit)}::bigint[], ${kinds.map(({ credit }) => credit)}::bigint[], ${kinds.map(({ asset }) => asset)}::text[])
        with ordinality k (kind, debit, credit, asset, position) on k.position = n / 28 % ${kinds.length}::int + 1`.execute(tx)
    await sql`
      insert into ledger_close (month, after_id, last_id, transfers, transfers_hash, balances_hash, previous, close_hash, closed_at)
      values (${`${month}-01`}::date, ${first}::bigint, ${first}::bigint + ${count}::int, ${count}::int, '', '', '', ${month}, now())`.execute(
      tx,
    )
  })
}

async function exportMonth(url: string, month: string): Promise<void> {
  const database = openDatabase({ url }, { max: 1, limits: false })
  const began = performance.now()
  const close = await closedMonth(database.db, month)
  let progress = startOf(close)
  while (BigInt(progress.through) < close.lastId) progress = await sumNextPart(database.db, close, progress)
  const { text } = await inTransaction(database.db, (tx) => finishMonth(tx, instanceDeps(), close, progress, 'hledger'))
  await database.close()
  const entries = Object.keys(progress.totals).length
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${seconds} ${Math.round(process.resourceUsage().maxRSS / 1024)} ${entries} ${Math.round(text.length / 1024)}`)
}

async function compare(): Promise<void> {
  await reportMachine()
  const server = await startPostgres()
  const database = openDatabase({ url: server.url }, { max: 2, limits: false })
  await migrate(database.pool)
  const large = Number(values.transfers)
  const memory: number[] = []
  for (const [month, count] of [
    ['2025-01', Math.ceil(large / 5)],
    ['2025-02', large],
  ] as const) {
    await addMonth(database.db, month, count)
    const args = [`--max-old-space-size=${HEAP_MB}`, fileURLToPath(import.meta.url), '--url', server.url, '--month', month]
    const [seconds, mb, entries, kb] = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split(' ').map(Number)
    console.log(
      `${count.toLocaleString('en')} transfers: ${seconds} s, ${mb} MB, with a heap of ${HEAP_MB} MB; ${entries} entries, file of ${kb} kB`,
    )
    memory.push(mb ?? 0)
  }
  await database.close()
  await server.stop()
  console.log(`ratio: ${((memory[1] ?? 0) / (memory[0] ?? 1)).toFixed(2)}`)
}

await (values.url === undefined ? compare() : exportMonth(values.url, values.month))
