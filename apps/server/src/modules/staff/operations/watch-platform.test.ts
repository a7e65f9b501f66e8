import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { recordCommandRun } from '../../../jobs/command-runs.ts'
import { runJob } from '../../../jobs/job.ts'
import { watchPlatform } from './watch-platform.ts'

const instance = await staffInstance()

const runWatch = () => runJob(instance.at.db, instance.at.deps, { name: 'watch-platform', everySeconds: 10, run: watchPlatform }, 'test')
const incidents = async () =>
  (await instance.at.db.selectFrom('staff_incident').select(['name', 'level']).where('ended_at', 'is', null).orderBy('id').execute()).map(
    ({ name, level }) => `${level} ${name}`,
  )
/** The queued notices' recipients. */
const mailed = async () =>
  (await instance.at.db.selectFrom('mail_outbox').select('recipient').where('template', '=', 'notice').orderBy('id').execute()).map(
    ({ recipient }) => recipient,
  )
const admins = async () =>
  (await instance.at.db.selectFrom('member').select('email').where('role', '=', 'ADMIN').execute()).map(({ email }) => email)

it('mails every admin once that backups fail, and ends the incident after the next backup', async () => {
  const before = (await mailed()).length
  await runWatch()
  expect(await incidents()).toEqual([])
  await recordCommandRun(instance.at.db, 'backup', false, 'No space left on device')
  await runWatch()
  await runWatch()
  expect(await incidents()).toEqual(['amber backup'])
  expect((await mailed()).slice(before).toSorted()).toEqual((await admins()).toSorted())
  await recordCommandRun(instance.at.db, 'backup', true, 'a.dump')
  await runWatch()
  expect(await incidents()).toEqual([])
  await sql`update command_last_run set finished_at = finished_at - interval '51 hours' where name = 'backup'`.execute(instance.at.db)
  await runWatch()
  expect(await incidents()).toEqual(['amber backup'])
  expect(await mailed()).toHaveLength(before + 2 * (await admins()).length)
})

it('mails every admin about an incident that pauses the platform, but not about a harmless failed job', async () => {
  const before = (await mailed()).length
  await sql`insert into job_lease (name, holder, fencing_token, failures, last_error) values ('mails', 'x', 1, 5, 'refused')`.execute(
    instance.at.db,
  )
  await runWatch()
  expect(await mailed()).toHaveLength(before)
  await recordCommandRun(instance.at.db, 'audit', false, '1 of 40 checks does not hold')
  await runWatch()
  expect(await incidents()).toContain('red ledger')
  expect((await mailed()).slice(before).toSorted()).toEqual((await admins()).toSorted())
})

it('mails every admin when a token sweep is delayed for an hour, and ends the incident after the sweep', async () => {
  const { db, clock } = instance.at
  const since = clock.now()
  const address = `0x${'a'.repeat(40)}`
  await db.insertInto('chain_address').values({ address, key_index: 1n, invoice_id: 'unswept' }).execute()
  const row = { chain_id: 1n, address, token: '0xc0', problem: 'no gas', since, tried_at: since }
  await db.insertInto('chain_sweep_problem').values(row).execute()
  await runWatch()
  expect(await incidents()).not.toContain('amber sweeping')
  clock.advance(3_600_001)
  const before = (await mailed()).length
  await runWatch()
  await runWatch()
  expect(await incidents()).toContain('amber sweeping')
  expect((await mailed()).slice(before).toSorted()).toEqual((await admins()).toSorted())
  await db.deleteFrom('chain_sweep_problem').execute()
  await runWatch()
  expect(await incidents()).not.toContain('amber sweeping')
})

it('reminds the owner of an overdue case once per due date, the admins of one without an owner, and ends the incident with the case', async () => {
  const { at, support } = instance
  const { db, clock } = at
  support.token = (await at.signIn(support.id)).token
  const open = async () => {
    const { publicId } = await instance.person()
    const body = { title: 'Shared device', dueDays: 1, reason: 'x' }
    return String((await instance.post(`/staff/members/${publicId}/case`, support, body)).body.data.caseId)
  }
  const [owned, unowned] = [await open(), await open()]
  const overdue = (id: string, owner: bigint | null) => {
    const [opened_at, due_at] = [new Date(clock.now().getTime() - 2000), new Date(clock.now().getTime() - 1000)]
    return db.updateTable('staff_case').set({ owner_id: owner, opened_at, due_at }).where('public_id', '=', id).execute()
  }
  await runWatch()
  expect(await incidents()).not.toContain('amber cases')
  const before = (await mailed()).length
  await overdue(owned, support.id)
  await overdue(unowned, null)
  await runWatch()
  await runWatch()
  expect(await incidents()).toContain('amber cases')
  expect((await mailed()).slice(before).toSorted()).toEqual([support.email, ...(await admins())].toSorted())
  const act = (id: string, what: string, body: object) => instance.post(`/staff/cases/${id}/${what}`, support, { ...body, reason: 'x' })
  await act(unowned, 'close', { outcome: 'cleared' })
  // Another due date is another reminder.
  await act(owned, 'take', { dueDays: 1 })
  await runWatch()
  expect(await incidents()).not.toContain('amber cases')
  await overdue(owned, support.id)
  await runWatch()
  expect((await mailed()).at(-1)).toBe(support.email)
  await act(owned, 'close', { outcome: 'cleared' })
  await runWatch()
  expect(await incidents()).not.toContain('amber cases')
})
