import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, type StaffHouse, staffHouse } from '../../../test/staff-house.ts'
import type { JobKind } from '../../jobs/background-job.ts'
import { backgroundJobs } from '../../jobs/background-jobs.sweep.ts'
import { runSweep } from '../../jobs/sweep.ts'
import { startJob } from '../../jobs/start-job.ts'
import { inTransaction } from '../../platform/database.ts'

let house: StaffHouse
beforeAll(async () => {
  house = await staffHouse()
})

/** Writes a hundred parts, so that a file is more than what is on its way at once. */
const PART = 'x'.repeat(20_000)
const kindOf = (name: string): JobKind<object, { part: number }> => ({
  name,
  file: () => ({ name: 'list of "all".csv', type: 'text/csv; charset=utf-8' }),
  step: (_, __, { place }) => {
    const part = (place?.part ?? 0) + 1
    return Promise.resolve({ done: part, total: 100, write: PART, ...(part < 100 ? { next: { part } } : { result: { rows: part } }) })
  },
})

async function done(owner: Person, name = 'staff-test'): Promise<string> {
  const id = await inTransaction(house.at.db, (tx) => startJob(tx, house.at.deps, kindOf(name), { ownerId: owner.id, input: {} }))
  await runSweep(house.at.db, house.at.deps, backgroundJobs([kindOf(name)]), 'test')
  return id
}

describe('long work of staff', () => {
  it('[RT-17] is read by whoever asked for it, with its whole file', async () => {
    const id = await done(house.support)
    const { body } = await house.get(`/staff/jobs/${id}`, house.support)
    expect(body.data).toEqual({
      id,
      state: 'DONE',
      done: 100,
      total: 100,
      result: { rows: 100 },
      fileHref: `/staff/jobs/${id}/file`,
      fileName: 'list of "all".csv',
    })
    const file = await house.get(body.data.fileHref, house.support)
    expect(file.status).toBe(200)
    expect(file.text).toHaveLength(2_000_000)
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="list-of--all-.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('[RT-17] [GN-04] is there for nobody else, but for those who may read what staff did', async () => {
    const id = await done(house.maker)
    const auditor = await house.person({ role: 'AUDITOR' })
    for (const what of ['', '/file']) {
      expect((await house.get(`/staff/jobs/${id}${what}`, house.support)).status).toBe(404)
      expect((await house.get(`/staff/jobs/${id}${what}`, house.member)).status).toBe(404)
      expect((await house.get(`/staff/jobs/${id}${what}`, auditor)).status).toBe(200)
    }
  })

  it('[RT-17] never shows what a member asked for, not even to an admin', async () => {
    const id = await done(house.member, 'own-test')
    for (const what of ['', '/file']) expect((await house.get(`/staff/jobs/${id}${what}`, house.maker)).status).toBe(404)
  })
})
