import { writeCsv } from '@tizara/contract/csv'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { payIn } from '../../../../test/members.ts'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { closeBusinessDays } from '../business/close-business-days.ts'
import { assertExportFits, exportJob } from './export-list.ts'

const { at, person } = await staffInstance()
const read = async (list: 'business' | 'teams', filter = {}) => {
  if (!('read' in exportJob)) throw new Error('the export writes')
  const job = { id: '1', ownerId: 1n, createdAt: at.clock.now(), input: { list, filter }, checkpoint: undefined }
  const { write } = await exportJob.read(at.db, at.deps, job)
  return String(write).replace('\uFEFF', '').trim().split('\r\n')
}

it('writes the headings alone before the first complete day', async () => {
  expect(await read('teams')).toEqual([
    'From (UTC),Through (UTC),Leader,Member,Verified members,USD taken,USD taken in the period before,Coin staked',
  ])
  expect(await read('business')).toEqual([
    expect.stringMatching(/^Day \(UTC\),Registered,Verified,.*USD for coin,.*NFTs sold,.*Coin in stakes$/),
  ])
})

it('writes a row for each complete day, newest first, and one for each team of the period', async () => {
  const member = await person({ at: at.clock.now(), name: '=Leader' })
  await payIn(at.db, at.deps, member.id, 12n * ONE + 5n)
  at.clock.advance(2 * DAY_MS)
  while ((await inTransaction(at.db, (tx) => closeBusinessDays(tx, at.clock.now()))) > 0);
  const [heading = '', yesterday = '', day = ''] = await read('business')
  const cell = (row: string, name: string) => row.split(',')[heading.split(',').indexOf(name)]
  expect([cell(yesterday, 'Day (UTC)'), cell(day, 'Day (UTC)')]).toEqual(['2026-03-03', '2026-03-02'])
  expect([cell(day, 'USD deposited'), cell(yesterday, 'USD deposited'), cell(day, 'Deposited')]).toEqual(['12.00000005', '0', '1'])
  // A name that a spreadsheet would run as a formula is text.
  const row = ['2026-02-25', '2026-03-03', '=Leader', member.publicId, '1', '0', '0', '0']
  expect(await read('teams', { period: '7', level: '0' })).toContainEqual(writeCsv([row]).trim())
  expect(writeCsv([row])).toContain(",'=Leader,")
  expect(await read('teams', { period: '7', level: '1' })).toHaveLength(1)
})

it.each([
  ['a file of the estimated size is allowed', 1_000, 64 * 1024, 1_024, undefined],
  ['the estimate is a little above the limit', 1_000, 64 * 1024, 1_500_000, undefined],
  [
    'the file would be far too large',
    1_000,
    300_000,
    400_000,
    /^The file would have 400,000 rows and about 114 MB\. A file has at most 64 MB\. Choose/,
  ],
  ['not all rows were counted', 1_000, 300_000, 1_000_000, /^The file would have more than 1,000,000 rows/],
  ['there are no rows', 0, 10, 0, undefined],
])('begins no export that would be too large, when %s', (_, rows, bytes, total, text) => {
  const fits = () => assertExportFits({ rows, bytes, total }, 'Choose a shorter period')
  if (text === undefined) expect(fits).not.toThrow()
  else expect(fits).toThrow(text)
})

it('counts the members of an export without criteria before it writes them', async () => {
  await sql`insert into member overriding system value select * from jsonb_populate_recordset(null::member, (select jsonb_agg(to_jsonb(m) || jsonb_build_object('id', 100000 + n,
    'public_id', 'many' || n, 'email', n || '@many.example', 'referral_code', 'M' || n, 'phone', n::text))
    from (select * from member order by id limit 1) m, generate_series(1, 1000) n))`.execute(at.db)
  const job = { id: '1', ownerId: 1n, createdAt: at.clock.now(), checkpoint: undefined }
  const first = (filter: object) => {
    if (!('read' in exportJob)) throw new Error('the export writes')
    return exportJob.read(at.db, at.deps, { ...job, input: { list: 'members', filter } })
  }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from member`.execute(at.db)
  const all = await first({})
  expect([all.done, all.total, all.next?.total]).toEqual([1_000, rows[0]?.count, rows[0]?.count])
  expect((await first({ usdFrom: '1' })).total).toBe(0)
})
