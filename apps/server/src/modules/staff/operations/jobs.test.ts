import { describe, expect, it } from 'vitest'
import { type Person, staffInstance } from '../../../../test/staff-instance.ts'
import type { JobKind } from '../../../jobs/background-job.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { startJob } from '../../../jobs/start-job.ts'
import { staffJobs } from '../index.ts'
import { setStaffRole } from '../proposals/kinds/people/staff-role.ts'
import { inTransaction } from '../../../platform/db/database.ts'

const instance = await staffInstance()

/** Writes a hundred parts, so that the file exceeds one network buffer. */
const PART = 'x'.repeat(20_000)
const kindOf = (name: string): JobKind<object, { part: number }> => ({
  name,
  file: () => ({ name: 'list of "all".csv', type: 'text/csv; charset=utf-8' }),
  step: (_, __, { checkpoint }) => {
    const part = (checkpoint?.part ?? 0) + 1
    return Promise.resolve({ done: part, total: 100, write: PART, ...(part < 100 ? { next: { part } } : { result: { rows: part } }) })
  },
})

async function done(owner: Person, name = 'staff-test'): Promise<string> {
  const id = await inTransaction(instance.at.db, (tx) => startJob(tx, instance.at.deps, kindOf(name), { ownerId: owner.id, input: {} }))
  const open = instance.at.db.selectFrom('background_job').select('id').where('public_id', '=', id).where('finished_at', 'is', null)
  // One worker run lasts a few seconds. A busy machine needs several.
  while ((await open.executeTakeFirst()) !== undefined)
    await runJob(instance.at.db, instance.at.deps, backgroundJobs([kindOf(name)]), 'test')
  return id
}

describe('background jobs of staff', () => {
  it('are read with the whole file by the person who requested them', async () => {
    const id = await done(instance.support)
    const { body } = await instance.get(`/staff/jobs/${id}`, instance.support)
    expect(body.data).toEqual({
      id,
      state: 'DONE',
      done: 100,
      total: 100,
      result: { rows: 100 },
      fileHref: `/staff/jobs/${id}/file`,
      fileName: 'list of "all".csv',
    })
    const file = await instance.get(body.data.fileHref, instance.support)
    expect(file.status).toBe(200)
    expect(file.text).toHaveLength(2_000_000)
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="list-of--all-.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('are hidden from others, except those who may read the audit log', async () => {
    const id = await done(instance.maker)
    const auditor = await instance.person({ role: 'AUDITOR' })
    for (const what of ['', '/file']) {
      expect((await instance.get(`/staff/jobs/${id}${what}`, instance.support)).status).toBe(404)
      expect((await instance.get(`/staff/jobs/${id}${what}`, instance.member)).status).toBe(404)
      expect((await instance.get(`/staff/jobs/${id}${what}`, auditor)).status).toBe(200)
    }
  })

  it('of members are hidden from staff, even from admins', async () => {
    const id = await done(instance.member, 'own-test')
    for (const what of ['', '/file']) expect((await instance.get(`/staff/jobs/${id}${what}`, instance.maker)).status).toBe(404)
  })

  it('[I14] are neither readable nor possible after a change to a role without the right', async () => {
    const asks: Record<string, [path: string, body: object]> = {
      export: ['/staff/exports', { list: 'audit' }],
      check: ['/staff/audit/check', {}],
      accounting: ['/staff/accounting/exports', { format: 'csv' }],
      simulation: ['/staff/programme/simulate', { rules: { referralPercent: 4 } }],
    }
    for (const [name, [path, body]] of Object.entries(asks)) {
      const who = await instance.person({ role: 'FINANCE' })
      const reply = await instance.post(path, who, body)
      const id: string = reply.body.data.jobId
      await runJob(instance.at.db, instance.at.deps, backgroundJobs(staffJobs), 'test')
      const statuses = () => Promise.all(['', '/file'].map(async (what) => (await instance.get(`/staff/jobs/${id}${what}`, who)).status))
      expect([name, (await statuses())[0]]).toEqual([name, 200])
      for (const role of ['SUPPORT', 'MEMBER'] as const) {
        await inTransaction(instance.at.db, (tx) => setStaffRole(tx, instance.at.deps, { email: who.email, name: '', phone: '', role }))
        expect([name, new Set(await statuses())]).toEqual([name, new Set([401])])
        who.token = (await instance.at.signIn(who.id)).token
        expect([name, role, new Set(await statuses())]).toEqual([name, role, new Set([404])])
        expect((await instance.post(path, who, body)).status).toBe(404)
      }
    }
  })

  it.each([
    ['a path', { list: '../../members' }],
    ['another key', { list: 'members', filter: {}, as: 'x' }],
    ['a filter of another list', { list: 'members', filter: { sql: '1=1' } }],
    ['no member', { list: 'timeline' }],
    ['an unknown member', { list: 'timeline', filter: { member: 'none' } }],
    ['an account that is not a number', { list: 'entries', filter: { account: '1 or 1=1' } }],
    ['a kind with a pattern', { list: 'audit', filter: { kind: '%' } }],
    ['a text with terminal codes', { list: 'audit', filter: { q: 'a\u001b[2J' } }],
  ])('are not started by %s', async (_, body) => {
    expect([400, 404]).toContain((await instance.post('/staff/exports', instance.maker, body)).status)
  })
})
