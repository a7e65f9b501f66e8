import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AccountingFormat, accountingFormats } from '@tizara/contract/staff-accounting'
import { parseUnits } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { closeMonths } from '../../../../test/close-months.ts'
import { testDatabase } from '../../../../test/database.ts'
import { onFileEnd } from '../../../../test/on-file-end.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { allTransfers } from '../access/transfer-kinds.ts'
import { DEFAULT_CHART } from './chart.rules.ts'
import { closedMonth, declarations, finishMonth, startOf, sumNextPart } from './export-month.ts'
import { fileNameOf } from './render-journal.rules.ts'

const { db, deps, clock, ...instance } = await testInstance(await testDatabase(), '2026-01-05T09:00:00Z')
const folder = mkdtempSync(path.join(tmpdir(), 'books-'))
onFileEnd(() => rmSync(folder, { recursive: true, force: true }))

/** A chart with an account for each side, which no kind replaces: balances of the books are those of the ledger. */
const sides = [...new Set(Object.values(allTransfers).flatMap(({ pairs }) => pairs.flat()))]
const ownAccount = (side: string) => `Assets:${side[0]?.toUpperCase()}${side.slice(1).replace(' ', '-')}`
const chartFile = path.join(folder, 'chart.json')
writeFileSync(
  chartFile,
  JSON.stringify({ commodities: { USD: 'USD', COIN: 'TZR' }, accounts: Object.fromEntries(sides.map((side) => [side, ownAccount(side)])) }),
)
const withChart = { ...deps, config: { ...deps.config, accountsChart: chartFile } }

async function exportMonth(month: string, format: AccountingFormat, by: typeof deps = withChart) {
  const close = await closedMonth(db, month)
  let progress = startOf(close)
  while (BigInt(progress.through) < close.lastId) progress = await sumNextPart(db, close, JSON.parse(JSON.stringify(progress)))
  return inTransaction(db, (tx) => finishMonth(tx, by, close, progress, format))
}

/** Posts every declared pair of accounts once for each member, from another one on each day; those without funds are left out. */
async function postEveryKind(owners: readonly bigint[], day: number): Promise<string[]> {
  const number = (side: string, owner: bigint) => (side.includes(' ') ? side : `${side} ${owner}`)
  const pairCalls = Object.entries(allTransfers).flatMap(([kind, { pairs }]) =>
    pairs.flatMap(([debit, credit]) =>
      kind === 'issue'
        ? []
        : owners.map((owner, index) => ({
            kind,
            debit: number(debit, owner),
            credit: number(credit, owners[(index + 1) % owners.length] ?? owner),
          })),
    ),
  )
  const calls = [...pairCalls.slice(day % pairCalls.length), ...pairCalls.slice(0, day % pairCalls.length)]
  // Later amounts are smaller, so that earlier ones fund them; holds also fund the fees.
  const amount = BigInt(1_000_000 - day * 2_000) * 1_000n
  const found = await sql<{ kind: string }>`
    with names (name, id) as (
      select kind || ' ' || coalesce(owner_id::text, asset), id from ledger_account where owner_id is not null or shard = 0)
    select c.kind || ' ' || c.debit as kind from unnest(${calls.map((one) => one.kind)}::text[], ${calls.map((one) => one.debit)}::text[],
        ${calls.map((one) => one.credit)}::text[]) with ordinality c (kind, debit, credit, n)
      join names d on d.name = c.debit join names e on e.name = c.credit
      cross join lateral ledger_post_one(d.id, e.id,
        ${amount}::bigint * case when c.kind in ('withdrawal', 'bridge') then 3 else 1 end + c.n, c.kind, 'test', '1', null, ${clock.now()}) p
    where p.outcome = 'posted'`.execute(db)
  return found.rows.map((row) => row.kind.replace(/ \d+$/, ''))
}

/** Balances by account and commodity, read from a file by this test's own parser. A debit counts as negative, as in the ledger. */
function balancesOfFiles(format: AccountingFormat, texts: readonly string[]): Map<string, bigint> {
  const balances = new Map<string, bigint>()
  const add = (account: string, commodity: string, amount: string) => {
    const units = parseUnits(amount.replace('-', ''))
    if (units === null) throw new Error(`${amount} is no amount`)
    const key = `${account} ${commodity}`
    balances.set(key, (balances.get(key) ?? 0n) + (amount.startsWith('-') ? units : -units))
  }
  for (const line of texts.flatMap((text) => text.split(/\r?\n/))) {
    if (format === 'csv') {
      const [, , , , account = '', debit = '', credit = '', commodity = ''] = line.split(',')
      if (/^\d{4}-/.test(line)) add(account, commodity, debit === '' ? `-${credit}` : debit)
    } else {
      const posting = /^ +([A-Z]\S+) {2}(-?\d+\.\d{8}) ([A-Z]+)$/.exec(line)
      if (posting !== null) add(posting[1] ?? '', posting[3] ?? '', posting[2] ?? '')
    }
  }
  return balances
}

/** Balances of the ledger by side. */
async function balancesOfLedger(): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ side: string; asset: string; balance: string }>`
    select case when owner_id is null then kind || ' ' || asset else kind end as side, asset, sum(balance)::text as balance
    from ledger_account group by 1, 2`.execute(db)
  return new Map(rows.map(({ side, asset, balance }) => [`${ownAccount(side)} ${asset === 'USD' ? 'USD' : 'TZR'}`, BigInt(balance)]))
}

const months: string[] = []
const installed = (program: string) => spawnSync(program, ['--version']).status === 0
const run = (program: string, args: readonly string[]) => execFileSync(program, args, { encoding: 'utf8', cwd: folder })
/** Text of a file that includes the declarations and all months. */
const includesOf = (format: AccountingFormat, quote: string) =>
  [undefined, ...months].map((month) => `include ${quote}${fileNameOf(month, format)}${quote}\n`).join('')

describe('accounting export of a life of 400 days', () => {
  beforeAll(async () => {
    const owners = [(await instance.join()).id, (await instance.join()).id]
    const posted = new Set<string>()
    for (let day = 0; day < 400; day += 20) {
      for (const kind of await postEveryKind(owners, day)) posted.add(kind)
      clock.advance(20 * DAY_MS)
    }
    await sql`select ledger_post_one(-11100, -12100, 1, 'networkCost', 'test', 'clock set back', null, ${new Date(clock.now().getTime() - 300 * DAY_MS)})`.execute(
      db,
    )
    await postEveryKind(owners, 400)
    const all = Object.entries(allTransfers).flatMap(([kind, { pairs }]) =>
      kind === 'issue' ? [] : pairs.map(([side]) => `${kind} ${side}`),
    )
    expect(all.filter((kind) => !posted.has(kind))).toEqual([])
    clock.advance(40 * DAY_MS)
    await closeMonths(db, deps)
    const closed = await sql<{ month: string }>`select to_char(month, 'YYYY-MM') as month from ledger_close order by month`.execute(db)
    months.push(...closed.rows.map((row) => row.month))
  })

  it.each(accountingFormats)('balances to the unit with the ledger, for all kinds of transfers: %s', async (format) => {
    const texts: string[] = []
    for (const month of months) texts.push((await exportMonth(month, format)).text)
    const [books, ledger] = [balancesOfFiles(format, texts), await balancesOfLedger()]
    expect([...ledger].filter(([side, balance]) => balance !== (books.get(side) ?? 0n))).toEqual([])
    expect([...books.keys()].filter((account) => !ledger.has(account))).toEqual([])
  })

  it('writes the same file again in other steps, and refuses a file that differs from the stored digest', async () => {
    const [first = ''] = months
    const again = await exportMonth(first, 'hledger')
    const whole = await closedMonth(db, first)
    expect(again).toMatchObject({ firstAt: expect.any(Date), otherChartAt: undefined })
    const part = await sumNextPart(db, whole, { through: String(whole.afterId), totals: {} })
    const damaged = Object.fromEntries(Object.entries(part.totals).map(([key, [count, amount]]) => [key, [count, `${amount}0`] as const]))
    await expect(inTransaction(db, (tx) => finishMonth(tx, withChart, whole, { ...part, totals: damaged }, 'hledger'))).rejects.toThrow(
      `differs from the one of`,
    )
    expect((await exportMonth(first, 'hledger')).digest).toBe(again.digest)
  })

  it('reports an earlier export with another chart of accounts', async () => {
    const [first = ''] = months
    const other = await exportMonth(first, 'hledger', deps)
    expect(other).toMatchObject({ firstAt: undefined, otherChartAt: expect.any(Date) })
    expect(other.text).toContain(DEFAULT_CHART.accounts['depositWallet'])
  })

  it('stores one digest when two processes export a month at the same time', async () => {
    const [, second = ''] = months
    const both = await Promise.all([exportMonth(second, 'csv', deps), exportMonth(second, 'csv', deps)])
    expect(both[0].digest).toBe(both[1].digest)
  })

  it('refuses a month that is not closed, and a kind of transfer that no module declares', async () => {
    await expect(exportMonth('2030-01', 'csv')).rejects.toThrow('2030-01 is not closed')
    const close = await closedMonth(db, months[0] ?? '')
    const unknown = { through: String(close.lastId), totals: { '2026-01-05|gift|depositWallet|SYS-FEE USD': ['1', '1'] } } as const
    await expect(inTransaction(db, (tx) => finishMonth(tx, deps, close, unknown, 'csv'))).rejects.toThrow('unknown kind: "gift"')
  })

  it('puts a transfer with a time outside its month on the first day of the month', async () => {
    const moved = await sql<{ month: string }>`
      select to_char(s.month, 'YYYY-MM') as month from ledger_close s join ledger_transfer t on t.id > s.after_id and t.id <= s.last_id
      where t.cause_id = 'clock set back' and date_trunc('month', t.created_at at time zone 'UTC') < s.month`.execute(db)
    const [{ month } = { month: '' }, ...more] = moved.rows
    expect(more).toEqual([])
    const { text } = await exportMonth(month, 'csv')
    expect(text).toMatch(new RegExp(`^${month}-01,${month}-0001,networkCost,`, 'm'))
    expect(text.match(/^\d{4}-\d\d/gm)?.filter((one) => one !== month)).toEqual([])
  })

  // Debian: apt-get install hledger beancount
  if (installed('hledger'))
    it('is accepted by hledger check --strict, with equal balances', async () => {
      writeFileSync(path.join(folder, fileNameOf(undefined, 'hledger')), declarations(withChart, 'hledger'))
      for (const month of months) writeFileSync(path.join(folder, fileNameOf(month, 'hledger')), (await exportMonth(month, 'hledger')).text)
      writeFileSync(path.join(folder, 'main.journal'), includesOf('hledger', ''))
      const args = ['-f', 'main.journal']
      run('hledger', [...args, 'check', '--strict'])
      const report = run('hledger', [...args, 'balance', '--flat', '--no-total', '--empty', '-O', 'csv', '--layout', 'bare'])
      const rows = report
        .trim()
        .split('\n')
        .slice(1)
        .map((row) => row.replaceAll('"', '').split(','))
      const books = new Map(rows.map(([account, commodity, balance = '']) => [`${account} ${commodity}`, balance]))
      for (const [side, balance] of await balancesOfLedger()) {
        const shown = books.get(side) ?? '0'
        const units = parseUnits(shown.replace('-', ''))
        expect(shown.startsWith('-') ? units : -(units ?? 1n), side).toBe(balance)
      }
    })

  if (installed('bean-check'))
    it('is accepted by bean-check', async () => {
      writeFileSync(path.join(folder, fileNameOf(undefined, 'beancount')), declarations(withChart, 'beancount'))
      for (const month of months)
        writeFileSync(path.join(folder, fileNameOf(month, 'beancount')), (await exportMonth(month, 'beancount')).text)
      writeFileSync(path.join(folder, 'main.beancount'), includesOf('beancount', '"'))
      expect(run('bean-check', ['main.beancount'])).toBe('')
    })
})
