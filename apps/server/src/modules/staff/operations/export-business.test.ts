import { writeCsv } from '@tizara/contract/csv'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { payIn } from '../../../../test/members.ts'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { closeBusinessDays } from '../business/close-business-days.ts'
import { walletId } from '../../../ledger/index.ts'
import { assertExportFits, exportJob, exportList } from './export-list.ts'

const { at, person } = await staffInstance()
const read = async (list: 'business' | 'teams', filter = {}) => {
  if (!('read' in exportJob)) throw new Error('the export writes')
  const job = { id: '1', ownerId: 1n, createdAt: at.clock.now(), input: { list, filter }, checkpoint: undefined }
  const { write } = await exportJob.read(at.db, at.deps, job)
  return String(write).replace('\uFEFF', '').trim().split('\r\n')
}

const first = (list: keyof typeof exportList, filter: object = {}) => {
  if (!('read' in exportJob)) throw new Error('the export writes')
  return exportJob.read(at.db, at.deps, { id: '1', ownerId: 1n, createdAt: at.clock.now(), input: { list, filter }, checkpoint: undefined })
}
const countOf = async (from: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(from)}`.execute(at.db)
  return rows[0]?.count ?? 0
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
    /^The file would have about 400,000 rows and about 114 MB\. A file has at most 64 MB\. Choose/,
  ],
  ['not all rows were counted', 1_000, 300_000, 700_000, /^The file would have more than 700,000 rows/],
  ['there are no rows', 0, 10, 0, undefined],
])('begins no export that would be too large, when %s', (_, rows, bytes, total, text) => {
  const fits = () => assertExportFits({ rows, bytes, total }, 'Choose a shorter period')
  if (text === undefined) expect(fits).not.toThrow()
  else expect(fits).toThrow(text)
})

it('counts the rows of an export before it writes them, in every list that can be too large', async () => {
  const member = await person({})
  await payIn(at.db, at.deps, member.id, 2n * ONE)
  await sql`insert into member overriding system value select * from jsonb_populate_recordset(null::member, (select jsonb_agg(to_jsonb(m) || jsonb_build_object('id', last + n,
    'public_id', 'many' || n, 'name', 'Many Much', 'email', n || '@many.example', 'referral_code', 'M' || n, 'phone', n::text))
    from (select * from member order by id limit 1) m, (select max(id) as last from member) l, generate_series(1, 1200) n))`.execute(at.db)
  const account = walletId(member.id, 'depositWallet')
  await sql`insert into ledger_transfer select * from jsonb_populate_recordset(null::ledger_transfer, (select jsonb_agg(to_jsonb(t) ||
    jsonb_build_object('id', 500000 + n, 'posting_id', 500000 + n, 'key', null)) from (select * from ledger_transfer where credit_account = ${account} limit 1) t, generate_series(1, 1200) n))`.execute(
    at.db,
  )
  await sql`insert into audit_event (at, actor_id, actor_role, action, subject_type, subject_id, outcome, previous_hash, hash)
    select now(), ${member.id}, 'MEMBER', 'auth.login', 'member', 'x', 'ok', 'p' || n, 'h' || n from generate_series(1, 1200) n`.execute(
    at.db,
  )
  const filters: Readonly<Partial<Record<keyof typeof exportList, readonly [filter: object, rows: number][]>>> = {
    members: [
      [{}, await countOf('member')],
      [{ state: 'staff' }, await countOf("member where role <> 'MEMBER'")],
      [{ usdFrom: '1' }, await countOf('ledger_account where balance >= 100000000 and owner_id is not null')],
      [{ q: 'Much' }, 1_200],
    ],
    audit: [[{}, await countOf('audit_event')]],
    entries: [
      [{ account: String(account) }, 1_201],
      [{ account: String(account), kind: 'deposit' }, 1_201],
    ],
    timeline: [
      [{ member: member.publicId, kind: 'money' }, 1_201],
      [{ member: member.publicId, kind: 'session' }, 1_200],
    ],
  }
  const counted = Object.entries(exportList).filter(([, list]) => list.count !== null)
  expect(Object.keys(filters).toSorted()).toEqual(counted.map(([name]) => name).toSorted())
  for (const [list, cases] of Object.entries(filters))
    for (const [filter, rows] of cases) {
      const step = await first(list as keyof typeof exportList, filter)
      expect([list, filter, step.total, step.next?.total]).toEqual([list, filter, rows, rows])
    }
  for (const [name, list] of counted) {
    const { count } = list
    Object.assign(list, { count: () => Promise.resolve(10_000_000) })
    const refused = first(name as keyof typeof exportList, filters[name as keyof typeof exportList]?.[0]?.[0])
    await expect(refused).rejects.toThrow(/^The file would have more than 700,000 rows/)
    Object.assign(list, { count })
  }
})
