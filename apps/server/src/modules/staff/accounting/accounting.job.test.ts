import { createHash } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { closeMonths } from '../../../../test/close-months.ts'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { accountingJob } from './accounting.job.ts'

const instance = await staffInstance()
const { db, deps } = instance.at
const auditor = await instance.person({ role: 'AUDITOR' })

beforeAll(async () => {
  await closeMonths(db, deps)
})

async function exportFile(body: object) {
  const started = await instance.post('/staff/accounting/exports', auditor, body)
  const id: string = started.body.data.jobId
  const open = db.selectFrom('background_job').select('id').where('public_id', '=', id).where('finished_at', 'is', null)
  while ((await open.executeTakeFirst()) !== undefined) await runJob(db, deps, backgroundJobs([accountingJob]), 'test')
  const { result } = (await instance.get(`/staff/jobs/${id}`, auditor)).body.data
  return { id, result, ...(await instance.get(`/staff/jobs/${id}/file`, auditor)) }
}

it('lists closed months in pages, newest first', async () => {
  const months = async (query: string) =>
    (await instance.get(`/staff/accounting${query}`, auditor)).body.data.data.map((row: { id: string }) => row.id)
  expect(await months('')).toEqual(['2026-02', '2026-01'])
  expect(await months('?limit=1&before=2026-02')).toEqual(['2026-01'])
})

it('writes the journal of a month for an auditor, with its digest and an audit entry', async () => {
  const first = await exportFile({ month: '2026-01', format: 'beancount' })
  expect(first.text).toContain('2026-01-01 * "issue"')
  expect(first.text).toContain('  Equity:Coin:Stock  -15000000000.00000000 COIN')
  expect(first.headers['content-disposition']).toBe('attachment; filename="2026-01.beancount"')
  expect(first.result).toEqual({ digest: createHash('sha256').update(first.text).digest('hex') })
  expect(await exportFile({ month: '2026-01', format: 'beancount' })).toMatchObject({
    text: first.text,
    result: { first: expect.any(String) },
  })
  const entries = await db.selectFrom('audit_event').selectAll().where('action', '=', 'staff.accounting.export').execute()
  expect(entries[0]).toMatchObject({ actor_id: auditor.id, subject_id: first.id, detail: { month: '2026-01', format: 'beancount' } })
})

it('writes the declarations of the accounts without a month', async () => {
  const { text } = await exportFile({ format: 'hledger' })
  expect(text).toContain('commodity 1000.00000000 COIN\n')
  expect(text).toContain('account Expenses:Network-Fees\n')
})

it('answers 404 for an open month, and 400 for another text', async () => {
  const status = async (body: object) => (await instance.post('/staff/accounting/exports', auditor, body)).status
  expect(await status({ month: '2026-03', format: 'csv' })).toBe(404)
  expect(await status({ month: '2026-13', format: 'csv' })).toBe(400)
  expect(await status({ month: '2026-01', format: 'xlsx' })).toBe(400)
})
