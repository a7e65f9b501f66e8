import { allRoutes } from '@tizara/contract/all-routes'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { runJob } from '../../../jobs/job.ts'
import { HOUR_MS, movingClock } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { recordAudit } from '../../audit/index.ts'
import { applySettings } from '../../settings/index.ts'
import { platformAlerts } from '../operations/platform-alerts.ts'
import { watchPlatform } from '../operations/watch-platform.ts'
import { authorizeRoutes } from './authorize-routes.ts'

const PAGES = 4
const REVEALS = 2
const reason = 'checked'
let instance: StaffInstance
let reader: Person

beforeAll(async () => {
  instance = await staffInstance(movingClock('2026-03-02T09:00:00Z'), { RATE_LIMIT_SCALE: '1' })
  await inTransaction(instance.at.db, (tx) =>
    applySettings(tx, instance.at.deps, {
      changes: { personalPagesPerHour: PAGES, revealsPerHour: REVEALS },
      actorId: null,
      reason: 'test',
    }),
  )
})
beforeEach(async () => {
  reader = await instance.person({ role: 'ADMIN' })
})

const search = (text: string, more = '') => instance.get(`/staff/members?q=${text}${more}`, reader)
const views = async (who: Person) =>
  (
    await instance.at.db
      .selectFrom('audit_event')
      .select(['action', 'outcome', 'subject_id'])
      .where('actor_id', '=', who.id)
      .orderBy('id')
      .execute()
  ).map(({ action, outcome, subject_id: subject }) => `${action} ${subject} ${outcome}`)
/** Moves the clock, and signs the reader in again: a session without calls has ended by then. */
async function wait(ms: number): Promise<void> {
  instance.at.clock.advance(ms)
  reader = { ...reader, token: (await instance.at.signIn(reader.id)).token }
}
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).toSorted()
const allow = (who: Person, by: Person) => instance.post(`/staff/members/${who.publicId}/allow-views`, by, { reason })
const runWatch = () => runJob(instance.at.db, instance.at.deps, { name: 'watch-platform', everySeconds: 10, run: watchPlatform }, 'test')
const incidents = async () =>
  (await instance.at.db.selectFrom('staff_incident').select('name').where('ended_at', 'is', null).execute()).map(({ name }) => name)

/** Uses up the reader's pages. */
async function readAll(): Promise<void> {
  for (let page = 0; page < PAGES; page += 1) expect((await search(`page${page}`)).status).toBe(200)
}

interface Schema {
  type?: string
  entries?: Readonly<Record<string, Schema>>
  item?: Schema
  wrapped?: Schema
  options?: readonly unknown[]
  pipe?: readonly unknown[]
}
const PERSONAL = ['email', 'phone', 'ip', 'address', 'addresses']
/** Fields with staff or addresses of the platform, not members. */
const NOT_OF_MEMBERS =
  /^(by|byHand|moves|startedBy|person|people|links|proposedBy|decidedBy|endedBy|takenBy|reviewedBy|approvedBy|assignee|linkedStaff)$/

/** Lists the fields of a reply for which `isFound` is true. It omits a field without an answer, and the fields inside. */
function fieldsOf(schema: Schema | undefined, isFound: (name: string) => boolean | undefined, path = ''): string[] {
  if (typeof schema !== 'object') return []
  const inner = [schema.item, schema.wrapped, ...(schema.options ?? []), ...(schema.pipe ?? []).slice(1)] as (Schema | undefined)[]
  return [
    ...Object.entries(schema.entries ?? {}).flatMap(([key, value]) => {
      const found = isFound(key)
      if (found === undefined) return []
      return found ? [`${path}.${key}`] : fieldsOf(value, isFound, `${path}.${key}`)
    }),
    ...inner.flatMap((one) => fieldsOf(one, isFound, path)),
  ]
}

/** Lists the personal fields of a reply, without those of staff and platform. */
const personalFields = (schema: Schema | undefined) =>
  fieldsOf(schema, (name) => (NOT_OF_MEMBERS.test(name) ? undefined : PERSONAL.includes(name)))

/** Lists the fields of a reply that no API key of the operator reads: also those of staff, and limits that an attacker would stay below. */
const fieldsWithoutKey = (schema: Schema | undefined) =>
  fieldsOf(schema, (name) => PERSONAL.includes(name) || NOT_OF_MEMBERS.test(name) || ['actor', 'ceiling'].includes(name))

const staffReads = allRoutes.filter((route) => route.access === 'staff' && route.method === 'GET')

it.each(staffReads.map((route) => [route.name, route] as const))('[I17] %s declares that it shows personal data', (_, route) => {
  const fields = personalFields(route.reply)
  const isOfMember = route.path.startsWith('/staff/members/:id')
  expect({ fields, personal: route.personal !== undefined || (fields.length === 0 && !isOfMember) }).toEqual({ fields, personal: true })
  // The values of proposals and the files of exports have no schema.
  if (fields.length === 0 && !isOfMember && route.personal !== undefined)
    expect(['staffChanges', 'staffChange', 'staffJobFile', 'staffSearch', 'staffBusinessTeams', 'staffLedgerAccounts']).toContain(
      route.name,
    )
})

it.each(allRoutes.filter(({ keyReads }) => keyReads !== undefined).map((route) => [route.name, route] as const))(
  '%s shows no person, address or limit to an API key of the operator',
  (_, { reply }) => expect(fieldsWithoutKey(reply)).toEqual([]),
)

it('finds the fields of staff that no key reads', () => {
  expect(fieldsWithoutKey(staffReads.find(({ name }) => name === 'staffRewardRuns')?.reply)).toEqual(['.data.startedBy', '.data.byHand'])
})

it('[I17] rejects a page of one member that records no view', () => {
  const none = () => undefined
  const bind = authorizeRoutes({ read: none, write: none, money: none, moneyBatch: none, withoutTransaction: none, file: none })
  const route = staffReads.find(({ name }) => name === 'staffLedgerEntries')
  if (route === undefined) throw new Error('no such call')
  expect(() => bind.read(route, () => Promise.reject(new Error('never')))).toThrow('does not record the member')
})

it('[I17] records a page once, and again after 30 minutes', async () => {
  await search('amara')
  await search('amara')
  await instance.get(`/staff/members/${instance.member.publicId}`, reader)
  await instance.get(`/staff/members/${instance.member.publicId}/timeline`, reader)
  const first = ['staff.page.view staffMembers ok', `staff.member.view ${instance.member.publicId} ok`]
  expect(await views(reader)).toEqual(first)
  await wait(HOUR_MS / 2 + 1)
  await search('amara')
  expect(await views(reader)).toEqual([...first, 'staff.page.view staffMembers ok'])
})

it('[I17] rejects new pages above the limit until the hour is over', async () => {
  await readAll()
  for (const reply of [
    await search('more'),
    await search('another'),
    await instance.get(`/staff/members/${instance.member.publicId}`, reader),
  ])
    expect(reply).toMatchObject({ status: 429, body: { message: expect.stringContaining('hourly limit for personal data') } })
  // A page that is already open refreshes. Pages without personal data stay open.
  expect((await search('page0')).status).toBe(200)
  expect((await instance.get('/staff/overview', reader)).status).toBe(200)
  expect((await views(reader)).slice(PAGES)).toEqual([`staff.view-limit ${reader.publicId} VIEW_LIMIT`])
  await wait(HOUR_MS + 1)
  expect((await search('more')).status).toBe(200)
})

it('counts a long page as several pages', async () => {
  expect((await search('long', '&limit=200')).status).toBe(200)
  expect((await search('more')).status).toBe(429)
})

it('counts the rows of a list that is read without a limit', async () => {
  await inTransaction(instance.at.db, async (tx) => {
    for (let count = 0; count < 60; count += 1)
      await recordAudit(tx, {
        at: instance.at.clock.now(),
        actorId: null,
        actorRole: 'SYSTEM',
        action: 'test',
        subject: { type: 'test', id: String(count) },
        outcome: 'ok',
      })
  })
  const rows = (await instance.get('/staff/audit', reader)).body.data.data.length
  const { pages } = await instance.at.db
    .selectFrom('staff_view')
    .select('pages')
    .where('member_id', '=', reader.id)
    .executeTakeFirstOrThrow()
  expect(rows).toBeGreaterThan(59)
  expect(pages).toBe(Math.min(PAGES, Math.ceil(rows / 50)))
})

it('lets no more pages pass when they are read at once, and records each once', async () => {
  const pages = Array.from({ length: PAGES + 3 }, (_, index) => search(`at-once-${index}`))
  expect(statuses(await Promise.all(pages))).toEqual([...Array.from({ length: PAGES }, () => 200), 429, 429, 429])
  expect(await views(reader)).toHaveLength(PAGES + 1)
})

it('[I17] opens an incident, which ends when another admin allows more views', async () => {
  const [admin, colleague] = [await instance.person({ role: 'ADMIN' }), await instance.person({ role: 'ADMIN' })]
  const support = await instance.person({ role: 'SUPPORT' })
  await readAll()
  await search('more')
  await runWatch()
  expect(await incidents()).toContain(`views:${reader.publicId}`)
  // API keys of the operator read the alerts with the health.
  const alerts = await platformAlerts(instance.at.db, instance.at.clock.now())
  const { text } = alerts.find(({ name }) => name === `views:${reader.publicId}`) ?? {}
  expect(text).toBe(`The staff member ${reader.publicId} reached the hourly limit for personal data`)
  const { people } = (await instance.get('/staff/people', admin)).body.data
  expect(people.find((one: { person: { id: string } }) => one.person.id === reader.publicId)).toHaveProperty('viewLimitAt')
  expect(await allow(reader, reader)).toMatchObject({ status: 400, body: { message: 'Another staff member has to approve this' } })
  expect((await allow(reader, support)).status).toBe(404)
  expect((await allow(reader, admin)).status).toBe(200)
  expect((await allow(reader, colleague)).body.message).toBe('This request has already been decided')
  await runWatch()
  expect(await incidents()).not.toContain(`views:${reader.publicId}`)
  for (let page = 0; page < PAGES; page += 1) expect((await search(`second${page}`)).status).toBe(200)
  expect((await search('third')).status).toBe(429)
  await runWatch()
  expect(await incidents()).toContain(`views:${reader.publicId}`)
  expect((await allow(instance.member, admin)).status).toBe(404)
})

it('rejects the permission of an admin who counts as the same person', async () => {
  const other = await instance.person({ role: 'ADMIN' })
  await instance.at.db
    .insertInto('staff_link')
    .values({ one_id: reader.id, other_id: other.id, found_at: instance.at.clock.now() })
    .execute()
  await readAll()
  await search('more')
  expect(await allow(reader, other)).toMatchObject({ status: 400, body: { message: 'Another staff member has to approve this' } })
  expect(await rejectionsOf(instance.at.db, other)).toEqual(['staff.view-limit.allow FOUR_EYES'])
  expect((await search('more')).status).toBe(429)
})

it('[I17] limits reveals, member views and exports together, and reveals nothing above the limit', async () => {
  const reveal = (field: string) => instance.post(`/staff/members/${instance.member.publicId}/reveal`, reader, { field })
  expect((await reveal('phone')).status).toBe(200)
  expect((await instance.post('/staff/exports', reader, { list: 'members' })).status).toBe(200)
  expect((await reveal('phone')).status).toBe(429)
  expect((await instance.post(`/staff/members/${instance.member.publicId}/view-as`, reader, { reason })).status).toBe(429)
  expect((await instance.post('/staff/exports', reader, { list: 'members' })).status).toBe(429)
  const jobs = await instance.at.db.selectFrom('background_job').select('id').where('owner_id', '=', reader.id).execute()
  expect(jobs).toHaveLength(1)
  expect((await views(reader)).filter((view) => view.endsWith('VIEW_LIMIT'))).toEqual([
    `staff.view-limit ${reader.publicId} VIEW_LIMIT`,
    `staff.member.reveal ${instance.member.publicId} VIEW_LIMIT`,
    `staff.member.view-as ${instance.member.publicId} VIEW_LIMIT`,
    'staff.export  VIEW_LIMIT',
  ])
  // Pages have their own limit.
  expect((await search('page')).status).toBe(200)
})
