import { expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { runJob } from '../../jobs/job.ts'
import { accessJournalJob, journalName, readJournal } from './index.ts'

it('the access journal skips no line of a transaction that commits after a later one', async () => {
  const { db } = await testDatabase()
  const at = await testApp(db, { routes: () => undefined })
  const save = () => runJob(db, at.deps, accessJournalJob, 'test')
  await save()
  const [one, other] = [await createTestMember(db), await createTestMember(db)]
  await db.transaction().execute(async (slow) => {
    await slow.updateTable('member').set({ is_active: false }).where('id', '=', one.id).execute()
    await db.updateTable('member').set({ is_active: false }).where('id', '=', other.id).execute()
    expect(await save()).toBe(1)
  })
  expect(await save()).toBe(1)
  const found = readJournal(at.deps.config, await journalName(db))
  const subjects = 'lines' in found ? found.lines.map(({ subject }) => subject) : []
  expect(subjects).toEqual(['', other.publicId, one.publicId])
})
