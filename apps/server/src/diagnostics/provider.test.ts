import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { providerDifferences } from './provider.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-02T09:00:00Z')
const readTexts = async (at = now) => (await providerDifferences(db, at)).map(({ state, what }) => `${state}: ${what}`)

it('reports payments that only the provider or only the ledger has, and a list that is out of date', async () => {
  expect(await readTexts()).toEqual([])
  await sql`insert into provider_scan (scanned_at, listed_to, month_at, unknown, missing) values (${now}, ${now}, ${now}, '{}', '{}')`.execute(
    db,
  )
  expect(await readTexts()).toEqual(['good: has exactly the credited payments'])
  await sql`update provider_scan set unknown = '{7}', missing = '{8,9}'`.execute(db)
  expect(await readTexts(new Date(now.getTime() + 4 * 3_600_000))).toEqual([
    'bad: does not know payment 8, which was credited',
    'bad: does not know payment 9, which was credited',
    'warning: has payment 7 for an unknown order',
    'warning: last returned its list of payments 4 hours ago',
  ])
})
