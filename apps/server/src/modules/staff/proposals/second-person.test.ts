import { proposalSubjects } from '@tizara/contract/staff-changes'
import { expect, it } from 'vitest'
import { changedColumns, columnMarks } from '../../../../test/changed-columns.ts'
import { instance, openStaffApp, reason, staff } from '../../../../test/staff-calls.ts'
import type { Person } from '../../../../test/staff-instance.ts'
import { linkedAdmin, submit } from '../../../../test/staff-proposals.ts'

await openStaffApp()

/** Subjects decided only by ADMIN. */
const HOUSE =
  /^(settings|limits|values|payout-rules|api-key|brand|webhook|terms-of-use|screening-list|commitment|staff|second-factor|sessions|status|suspension|separate-people|resume-platform|chain-answer|special|rank)$/

const approve = async (id: string, by: Person, more: object = {}) => (await instance.post(`/staff/changes/${id}/approve`, by, more)).status

/** Tables of proposals, sessions and the audit log. */
const OWN_TABLES = /^(audit_event|event_outbox|staff_proposal|session|member_view|refresh_token|mail_|notification_event|job_lease)/

/** The maker in another session. */
const again = { ...instance.maker, token: (await instance.at.signIn(instance.maker.id)).token }

it.each(proposalSubjects)('[I7] a change of %s has two different authorized people who saw the same values', async (subject) => {
  const { maker, checker, third, support } = instance
  const twin = await linkedAdmin(maker)
  const gone = await instance.person({ role: 'ADMIN' })
  const fallen = await submit(subject, gone)
  await instance.at.db.updateTable('member').set({ is_active: false }).where('id', '=', gone.id).execute()
  const left = await columnMarks(instance.at.db)
  expect(await approve(fallen, checker)).toBe(400)
  expect(changedColumns(left, await columnMarks(instance.at.db)).filter((column) => !OWN_TABLES.test(column))).toEqual([])
  await instance.post(`/staff/changes/${fallen}/reject`, checker, { reason })

  const id = await submit(subject, maker)
  const { seen, title } = (await instance.get(`/staff/changes/${fallen}`, checker)).body.data
  expect(title).not.toMatch(/nothing$/)
  const before = await columnMarks(instance.at.db)
  const tries: [who: string, answer: Promise<number>, status: number][] = [
    ['its maker', approve(id, maker), 400],
    ['its maker from another session', approve(id, again), 400],
    ['a second account of its maker', approve(id, twin), 400],
    ['support', approve(id, support), 404],
    ['an auditor', approve(id, staff.AUDITOR), 404],
    ['who saw another one', approve(id, third, { seen }), 400],
    ...(HOUSE.test(subject) ? [['finance', approve(id, staff.FINANCE), 404] as [string, Promise<number>, number]] : []),
  ]
  for (const [who, answer, status] of tries) expect([who, await answer]).toEqual([who, status])
  expect(changedColumns(before, await columnMarks(instance.at.db)).filter((column) => !OWN_TABLES.test(column))).toEqual([])

  const own = (await instance.get(`/staff/changes/${id}`, checker)).body.data.seen
  expect((await Promise.all([approve(id, checker, { seen: own }), approve(id, third, { seen: own })])).toSorted()).toEqual([200, 400])
  for (const who of [maker, twin, checker]) expect(await approve(id, who)).toBe(400)
})
