import { ONE } from '@tizara/money'
import { beforeEach, expect, it } from 'vitest'
import { testMailbox } from '../../../../test/mails.ts'
import { payIn } from '../../../../test/members.ts'
import { type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { mailJobs } from '../../../gateways/mailer/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { closeBusinessDays } from '../business/close-business-days.ts'
import { sendWeeklyReport } from './weekly-report.ts'

let instance: StaffInstance
beforeEach(async () => {
  instance = await staffInstance()
  // A Monday, as the tests' clock.
  expect(instance.at.clock.now().toISOString()).toMatch(/^2026-03-02/)
})

const send = (config = {}) => {
  const { db, deps } = instance.at
  return inTransaction(db, (tx) => sendWeeklyReport(tx, { ...deps, config: { ...deps.config, ...config } }))
}
const goTo = async (time: string) => {
  instance.at.clock.set(time)
  while ((await inTransaction(instance.at.db, (tx) => closeBusinessDays(tx, instance.at.clock.now()))) > 0);
}
const admins = async () =>
  (await instance.at.db.selectFrom('member').select('email').where('role', '=', 'ADMIN').execute()).map(({ email }) => email)
const recipients = async () =>
  (await instance.at.db.selectFrom('mail_outbox').select('recipient').execute()).map(({ recipient }) => recipient)

it('mails the figures of the week and of the week before to admins and the named addresses, once', async () => {
  const { at, person } = instance
  const one = await person({ at: at.clock.now() })
  await payIn(at.db, at.deps, one.id, 100n * ONE)
  await goTo('2026-03-10T12:00:00Z')
  for (const usd of [1234n, 5n]) await payIn(at.db, at.deps, (await person({ at: at.clock.now() })).id, usd * ONE)
  await goTo('2026-03-15T23:59:59Z')
  // The last complete week is the first one.
  expect(await send()).toBe(0)
  await goTo('2026-03-16T00:09:59Z')
  expect(await send()).toBe(0)
  const before = (await recipients()).length
  await goTo('2026-03-16T00:10:00Z')
  const to = ['board@example.com', (await admins())[0] ?? '']
  expect(await Promise.all([send({ weeklyReportTo: to }), send({ weeklyReportTo: to })])).toEqual(expect.arrayContaining([0, 1]))
  expect(await send()).toBe(0)
  expect((await recipients()).slice(before).toSorted()).toEqual([...(await admins()), 'board@example.com'].toSorted())
  const mails = testMailbox()
  for (const job of mailJobs(mails)) await runJob(at.db, at.deps, job, 'test')
  const text = mails.to('board@example.com').at(-1)?.text.replaceAll(/\s+/g, ' ') ?? ''
  expect(text).toContain('from 2026-03-09 through 2026-03-15')
  expect(text).toContain('New members: 2 (')
  expect(text).toContain('Deposits: 1,239 USD (100).')
  expect(text).toContain('deposited 2 (1)')
  expect(text).toContain('Liabilities at the end of the week: ')
  expect(text).toContain('/staff?days=week')
})

it('shows the same figures in the console as last week', async () => {
  const { at, person, maker, get } = instance
  await goTo('2026-03-10T12:00:00Z')
  await payIn(at.db, at.deps, (await person({ at: at.clock.now() })).id, 7n * ONE)
  await goTo('2026-03-18T00:10:00Z')
  await payIn(at.db, at.deps, (await person({ at: at.clock.now() })).id, 9n * ONE)
  await goTo('2026-03-19T00:10:00Z')
  maker.token = (await at.signIn(maker.id)).token
  const { data } = (await get('/staff/business?period=week', maker)).body
  expect([data.period, data.sums.usdDeposited, data.days.length]).toEqual([{ from: '2026-03-09', through: '2026-03-15' }, 7, 7])
})

it('sends nothing when it is switched off, too late, or before the first complete week', async () => {
  expect(await send()).toBe(0)
  await goTo('2026-03-05T00:10:00Z')
  expect(await send()).toBe(0)
  await goTo('2026-03-09T00:10:00Z')
  expect(await send({ weeklyReport: false })).toBe(0)
  // A worker that was down until Thursday sends no old figures.
  await goTo('2026-03-12T00:10:00Z')
  expect(await send()).toBe(0)
  await goTo('2026-03-17T00:10:00Z')
  expect(await send()).toBe(1)
})
