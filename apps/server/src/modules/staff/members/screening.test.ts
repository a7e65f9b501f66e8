import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { runJob } from '../../../jobs/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { multipart } from '../../../../test/multipart.ts'
import { fund } from '../../../../test/members.ts'
import { screeningCsv, screeningJob, stageList } from '../../../../test/screening-calls.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { setContact } from '../../members/index.ts'
import { addAddress, requestWithdrawal } from '../../withdrawals/index.ts'
import { queuedSendings } from '../../withdrawals/sending/open-sendings.queries.ts'
import { sendToMember } from '../../transfers/index.ts'

const reason = 'compared the birth dates'
const LISTED = '0x00000000000000000000000000000000000000AB'
const CLEAN = '0x1111111111111111111111111111111111111111'
let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
})
const screen = () => runJob(instance.at.db, instance.at.deps, screeningJob, 'test')
const approve = (id: string, by: Person = instance.checker) => instance.post(`/staff/changes/${id}/approve`, by, {})
async function load(...rows: string[]): Promise<void> {
  const value = { hash: rows.length === 0 ? null : await stageList(instance.at, rows) }
  const { body } = await instance.post('/staff/changes', instance.maker, { subject: 'screening-list', value, reason })
  expect((await approve(body.data.id)).status).toBe(200)
  await screen()
}
const rename = (who: Person, name: string) =>
  inTransaction(instance.at.db, (tx) => setContact(tx, who.id, { name }, instance.at.clock.now()))
async function upload(bytes: Buffer, who: Person = instance.maker) {
  const sent = await multipart({}, { name: 'list.csv', type: 'text/csv', bytes }, 'list')
  const headers = { ...sent.headers, authorization: who.token }
  const { payload } = sent
  const reply = await instance.at.app.inject({ method: 'POST', url: '/api/v1/staff/screening/lists', payload, headers })
  return { status: reply.statusCode, body: reply.json<{ message: string; data: { hash: string; entries: number } }>() }
}
interface Hit {
  id: string
  member: { id: string }
  cause: string
}
const hitsOf = async ({ publicId }: Person, view = 'open'): Promise<Hit[]> =>
  (await instance.get(`/staff/screening/hits?view=${view}&member=${publicId}`, instance.support)).body.data.data
const decide = async (who: Person, verdict: string, by: Person = instance.maker) => {
  const hits = (await hitsOf(who)).map(({ id }) => id)
  return instance.post(`/staff/members/${who.publicId}/screening`, by, { hits, verdict, reason })
}
const pay = (id: string, by: Person = instance.checker) => instance.post(`/staff/queues/withdrawals/${id}/approve`, by, { reason })
const OPEN = 'The screening of this member is not finished, or nobody has decided about its matches'

describe('screening of members', () => {
  it('compares nothing without a list', async () => {
    const who = await instance.person({ name: 'Ivan Petrov' })
    await screen()
    expect(await hitsOf(who)).toEqual([])
    expect(await instance.at.db.selectFrom('screening_task').selectAll().execute()).toEqual([])
    expect((await pay(await instance.withdrawal(who, 5n, CLEAN))).status).toBe(200)
  })

  it('finds all members by name and address once after a new list, and a decided match does not return', async () => {
    const [byName, byAddress, other] = [
      await instance.person({ name: 'josé  da-Silva' }),
      await instance.person(),
      await instance.person({ name: 'José da Silva Santos' }),
    ]
    await instance.withdrawal(byAddress, 5n, LISTED)
    const row = `EU,7,"SILVA, Jose Da",Someone Else;Al Assad,${LISTED.toLowerCase()},2026-01-31`
    await load(row)
    expect(await hitsOf(byName)).toMatchObject([{ cause: 'list', source: 'EU', reference: '7', listedName: 'SILVA, Jose Da' }])
    expect(await hitsOf(byAddress)).toMatchObject([{ kind: 'address', listedOn: '2026-01-31' }])
    expect(await hitsOf(other)).toEqual([])
    const { body } = await instance.get(`/staff/members/${byName.publicId}`, instance.support)
    expect(body.data).toMatchObject({ case: { title: 'Screening: listed name', owner: null } })
    const { proposalId } = (await decide(byName, 'different')).body.data
    expect((await approve(proposalId, instance.maker)).status).toBe(400)
    expect((await approve(proposalId)).status).toBe(200)
    await load(row, 'EU,8,Nobody Known,,,')
    expect(await hitsOf(byName)).toEqual([])
    expect(await hitsOf(byName, 'different')).toHaveLength(1)
    await load('UN,7,José da Silva,,,')
    expect(await hitsOf(byName)).toMatchObject([{ source: 'UN' }])
    expect(await instance.at.db.selectFrom('screening_list').select('status').execute()).toEqual([{ status: 'ACTIVE' }])
  })

  it('compares a new name, a new address and a payout, and opens a case with an audit entry for each', async () => {
    await load(`EU,1,Олег Ünal,,${LISTED},`)
    const [renamed, addressed, paid] = [await instance.person(), await instance.person(), await instance.person()]
    await rename(renamed, 'ünal ОЛЕГ')
    await inTransaction(instance.at.db, (tx) =>
      addAddress(tx, instance.at.deps, { memberId: addressed.id }, { address: LISTED, network: 0, label: 'x', proved: false }),
    )
    await fund(instance.at.db, paid.id, 'depositWallet', 5n * ONE)
    await inTransaction(instance.at.db, (tx) =>
      requestWithdrawal(tx, instance.at.deps, { memberId: paid.id, amount: 5n * ONE, address: LISTED }),
    )
    await screen()
    const registered = await instance.person({ name: 'Unal Олег' })
    await screen()
    for (const [who, cause] of [
      [renamed, 'name'],
      [addressed, 'address'],
      [paid, 'payout'],
      [registered, 'name'],
    ] as const) {
      expect((await hitsOf(who)).map((hit) => hit.cause)).toEqual([cause])
      expect((await instance.audits(who.publicId)).map(({ action }) => action)).toContain('staff.screening.hit')
    }
  })

  it('queues no comparison of the email address when a transfer waits for its confirmation', async () => {
    await load('EU,1,Nobody Known,,,')
    const [sender, receiver] = [await instance.person(), await instance.person()]
    await screen()
    await fund(instance.at.db, sender.id, 'depositWallet', 5_000n * ONE)
    const transfer = { senderId: sender.id, email: receiver.email, amount: 5_000n * ONE }
    await inTransaction(instance.at.db, (tx) => sendToMember(tx, instance.at.deps, transfer))
    const held = instance.at.db.selectFrom('payout_request').select('kind').where('member_id', '=', sender.id)
    expect(await held.execute()).toEqual([{ kind: 'transfer' }])
    expect(await instance.at.db.selectFrom('screening_task').selectAll().execute()).toEqual([])
  })

  it('holds payouts and transfers until two people clear the member, also when one person decides everything or closes the case', async () => {
    await load('EU,1,Held Person,,,')
    const [who, receiver] = [await instance.person({ name: 'Person HELD' }), await instance.person()]
    const id = await instance.withdrawal(who, 5n, CLEAN)
    // Not compared yet: nobody can pay it.
    expect((await pay(id)).body.message).toBe(OPEN)
    await screen()
    expect((await pay(id)).body.message).toBe(OPEN)
    await fund(instance.at.db, who.id, 'depositWallet', 5n * ONE)
    const send = () =>
      inTransaction(instance.at.db, (tx) => sendToMember(tx, instance.at.deps, { senderId: who.id, email: receiver.email, amount: ONE }))
    await expect(send()).rejects.toThrow('is being checked')
    const { body } = await instance.get(`/staff/members/${who.publicId}`, instance.support)
    await instance.post(`/staff/cases/${body.data.case.id}/close`, instance.maker, { outcome: 'cleared', reason })
    expect((await pay(id)).body.message).toBe(OPEN)
    const { proposalId } = (await decide(who, 'different')).body.data
    expect((await pay(id)).body.message).toBe(OPEN)
    await approve(proposalId)
    expect((await pay(id)).status).toBe(200)
    expect((await instance.get(`/staff/members/${who.publicId}`, instance.support)).body.data.flags).not.toContainEqual(
      expect.objectContaining({ code: 'SCREENING' }),
    )
  })

  it('keeps an approved payout in the queue when a new list names its member', async () => {
    await load('EU,1,Nobody Known,,,')
    const who = await instance.person({ name: 'Later Listed' })
    await screen()
    const id = await instance.withdrawal(who, 5n, CLEAN)
    await screen()
    expect((await pay(id)).status).toBe(200)
    const { db } = instance.at
    const request = await db.selectFrom('payout_request').select('id').where('public_id', '=', id).executeTakeFirstOrThrow()
    if ((await queuedSendings(db, 100)).every(({ requestId }) => requestId !== request.id))
      await db
        .insertInto('payout_sending')
        .values({
          request_id: request.id,
          chain_id: 31337n,
          token: CLEAN,
          to_address: CLEAN,
          exact_amount: '1',
          approval_mac: Buffer.from('x'),
          queued_at: instance.at.clock.now(),
        })
        .execute()
    const isQueued = async () => (await queuedSendings(db, 100)).some(({ requestId }) => requestId === request.id)
    expect(await isQueued()).toBe(true)
    await load('EU,2,Later Listed,,,')
    expect(await isQueued()).toBe(false)
  })

  it('blocks the account and keeps its payouts held after the verdict that it is the same person', async () => {
    await load('EU,1,Same Person,,,')
    const who = await instance.person({ name: 'Same Person' })
    const id = await instance.withdrawal(who, 5n, CLEAN)
    await screen()
    const { proposalId } = (await decide(who, 'same')).body.data
    expect((await approve(proposalId)).status).toBe(200)
    const { body } = await instance.get(`/staff/members/${who.publicId}`, instance.support)
    expect(body.data.member.isActive ?? body.data.member.status).toBe(false)
    await instance.byTwo(`/staff/members/${who.publicId}/status`, { status: true, reason })
    expect((await pay(id)).body.message).toBe(OPEN)
    // Also after the list was switched off.
    await load()
    expect((await pay(id)).body.message).toBe(OPEN)
  })

  it('rejects verdicts of people about themselves, for matches of another member, and a second time', async () => {
    await load('EU,1,Admin Person,,,')
    await rename(instance.maker, 'Admin Person')
    const who = await instance.person({ name: 'Admin Person' })
    await screen()
    expect((await decide(instance.maker, 'different')).status).toBe(400)
    const hits = (await hitsOf(who)).map(({ id }) => id)
    const about = (subject: Person) =>
      instance.post(`/staff/members/${subject.publicId}/screening`, instance.checker, { hits, verdict: 'different', reason })
    expect((await about(instance.member)).status).toBe(400)
    const [one, two] = [(await about(who)).body.data.proposalId, (await about(who)).body.data.proposalId]
    expect((await approve(one, instance.third)).status).toBe(200)
    expect((await approve(two, instance.third)).status).toBe(400)
    expect((await instance.get('/staff/screening/hits', instance.member)).status).toBe(404)
    expect((await decide(who, 'different', instance.support)).status).toBe(404)
    await rename(instance.maker, 'Maker')
  })

  it('tells the member nothing', async () => {
    await load('EU,1,Quiet Person,,,')
    const who = await instance.person({ name: 'Quiet Person' })
    await screen()
    await approve((await decide(who, 'different')).body.data.proposalId)
    const { body } = await instance.get('/profile/staff-actions', who)
    expect(body.data.rows).toEqual([])
  })
})

describe('a screening list', () => {
  const row = 'EU,1,Jane Roe,,,'
  it('is stored by an admin, and in force after another admin has approved it', async () => {
    const { body } = await upload(screeningCsv([row, 'EU,2,"O\'Neil; Shaun",Shaun Oneil,T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb,']))
    expect(body.data).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), entries: 2 })
    expect((await instance.get('/staff/screening/lists', instance.support)).body.data.staged).toMatchObject(body.data)
    expect((await upload(screeningCsv([row]), instance.support)).status).toBe(404)
    const propose = () =>
      instance.post('/staff/changes', instance.maker, { subject: 'screening-list', value: { hash: body.data.hash }, reason })
    const { id } = (await propose()).body.data
    const shown = await instance.get(`/staff/changes/${id}`, instance.checker)
    expect(shown.body.data.effect.rows.map(({ label }: { label: string }) => label)).toContain('New entries')
    // Another upload replaces the file meanwhile.
    await upload(screeningCsv([row]))
    expect((await approve(id)).status).toBe(400)
    expect((await propose()).status).toBe(400)
  })

  it.each([
    ['no end mark', screeningCsv([row], ''), /cut off: the end mark is missing/],
    ['a last row that is not complete', screeningCsv([row, 'EU,2,Jo'], ''), /cut off: the end mark is missing/],
    ['a cut after a text with the end mark', screeningCsv(['EU,1,"Jane\n#end,1",,,', 'EU,2,Jo'], ''), /cut off: the end mark is missing/],
    [
      'a cut in a quoted text',
      Buffer.from(screeningCsv([row, 'EU,2,"Jo'], '').toString().trimEnd()),
      /cut off, or a quote is missing.*row 3/,
    ],
    ['a missing quote in a complete list', screeningCsv(['EU,1,"Jane Roe,,,', 'EU,2,Jo,,,']), /cut off, or a quote is missing.*row 2/],
    ['a missing column before a quoted end mark', screeningCsv(['EU,1,Jane Roe'], '"#end",1'), /row 2: it must have 6 columns/],
    ['another count', screeningCsv([row], '#end,2'), /the end mark counts 2, and the list has 1/],
    ['rows after the end mark', screeningCsv([row, '#end,1', row], '#end,1'), /continues after/],
    ['bytes that are not UTF-8', Buffer.concat([screeningCsv([row]), Buffer.from([0xff])]), /not UTF-8/],
    ['no entries', screeningCsv([]), /no entries/],
    ['a missing quote', screeningCsv(['EU,1,"Jane Roe,,,', ...Array.from({ length: 3_000 }, () => 'x'.repeat(30))]), /line \d+|row 2/],
    ['a missing column', screeningCsv(['EU,1,Jane Roe']), /6 columns/],
    ['an entry twice', screeningCsv([row, row]), /this reference twice/],
    ['a date that does not exist', screeningCsv(['EU,1,Jane,,,2026-02-31']), /must be a date/],
    ['no name', screeningCsv(['EU,1,,,,']), /name must have/],
    ['another header', Buffer.from('name\nJane\n#end,1\n'), /first line must be/],
  ])('is refused with %s', async (_, bytes, text) => {
    const { status, body } = await upload(bytes)
    expect([status, body.message]).toEqual([400, expect.stringMatching(text)])
  })

  it.each([
    ['inside a text', 'EU,1,"Jane #end,1",,,'],
    ['at the start of a line inside a text', 'EU,1,"Jane\n#end,1",,,'],
    ['as the source', '#end,1,Jane Roe,,,'],
  ])('is complete with the end mark %s', async (_, entry) => {
    expect((await upload(screeningCsv([entry, 'EU,2,Jo,,,']))).body.data).toMatchObject({ entries: 2 })
  })

  it('is refused above its size before it is read', async () => {
    const { status, body } = await upload(Buffer.alloc(20_100_000, 'a'))
    expect([status, body]).toMatchObject([400, { errorMessages: [{ message: 'The file is larger than 20 MB' }] }])
  })
})
