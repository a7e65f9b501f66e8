import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { payIn } from '../../../../test/members.ts'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { closeBusinessDays } from '../business/close-business-days.ts'
import { exportJob } from './export-list.ts'

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
  expect(await read('teams', { period: '7', level: '0' })).toContainEqual(`2026-02-25,2026-03-03,'=Leader,${member.publicId},1,0,0,0`)
  expect(await read('teams', { period: '7', level: '1' })).toHaveLength(1)
})
