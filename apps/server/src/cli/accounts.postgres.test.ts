import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { closeMonths } from '../../test/close-months.ts'
import { testDatabase } from '../../test/database.ts'
import { endEntries, startEntry } from '../../test/entry.ts'
import { testInstance } from '../../test/test-instance.ts'

const database = await testDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'accounts-'))
afterAll(() => {
  endEntries()
  rmSync(folder, { recursive: true, force: true })
})

async function run(env: NodeJS.ProcessEnv, ...args: string[]) {
  const entry = startEntry('accounts', { DATA_DIR: folder, DATABASE_URL: database.url, ...env }, ...args)
  return { code: await entry.ended, output: entry.output.trim() }
}

it('exports a closed month into a folder, the same file twice, and refuses an open month and an invalid chart', async () => {
  const { db, deps } = await testInstance(database)
  await closeMonths(db, deps)
  const out = path.join(folder, 'books')
  const month = ['export', '--month', '2026-01', '--format', 'hledger', '--out', out]
  const first = await run({}, ...month)
  expect(first).toEqual({ code: 0, output: expect.stringContaining('First export of this month with this chart') })
  const text = readFileSync(path.join(out, '2026-01.journal'), 'utf8')
  expect(text).toContain('    Equity:Coin:Issued  15000000000.00000000 COIN')
  expect(readFileSync(path.join(out, 'accounts.journal'), 'utf8')).toContain('account Equity:Coin:Issued')
  expect((await run({}, ...month)).output).toContain('Equal to the export of')
  expect(readFileSync(path.join(out, '2026-01.journal'), 'utf8')).toBe(text)
  const logged = await db.selectFrom('audit_event').select('actor_role').where('action', '=', 'accounting.export').execute()
  expect(logged).toEqual([{ actor_role: 'SYSTEM' }, { actor_role: 'SYSTEM' }])

  expect(await run({}, 'export', '--month', '2027-01', '--format', 'csv', '--out', out)).toEqual({
    code: 1,
    output: '2027-01 is not closed. A month is closed a day after its end',
  })
  expect(await run({}, 'export', '--month', '2026-1', '--format', 'csv', '--out', out)).toMatchObject({ code: 2 })

  // The printed chart is a valid file of ACCOUNTS_CHART.
  const chart = path.join(folder, 'chart.json')
  writeFileSync(chart, (await run({}, 'chart')).output)
  expect((await run({ ACCOUNTS_CHART: chart }, ...month)).output).toContain('Equal to the export of')
  writeFileSync(chart, readFileSync(chart, 'utf8').replace('Equity:Coin:Issued', 'Equity:\\nIssued'))
  expect(await run({ ACCOUNTS_CHART: chart }, ...month)).toEqual({
    code: 1,
    output: 'The chart of accounts is invalid: invalid account name "Equity:\\nIssued"',
  })
})
