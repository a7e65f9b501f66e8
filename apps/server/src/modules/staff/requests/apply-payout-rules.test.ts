import { ONE } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { lockWaits } from '../../../../test/lock-waits.ts'
import { changeBook, confirmPayoutAddress, PAYOUT_ADDRESS } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { ledgerChecks, liftLedgerStop, runAudit, stopLedger } from '../../../ledger/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { DAY_MS, HOUR_MS, movingClock } from '../../../platform/runtime/clock.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { PayoutRequestTable } from '../../../platform/db/tables.generated.ts'
import { recordAudit, RESTORED } from '../../audit/index.ts'
import { setActive, setPayoutStop } from '../../members/index.ts'
import { applySettings } from '../../settings/index.ts'
import { auditChecks as payoutChecks, auditPayoutRules, setPayoutRules } from '../../withdrawals/index.ts'
import { queueForDecision } from '../duties/approval-limits.ts'
import { auditChecks as staffChecks } from '../audit-log/audit-checks.ts'
import { staffRecurringJobs } from '../operations/staff.jobs.ts'

const SMALL = {
  action: 'approve',
  name: 'Small',
  kind: 'withdrawal',
  atMost: 100,
  accountDays: 30,
  dayCount: 10,
  daySum: 500,
  memberDayCount: 2,
  memberDaySum: 150,
}
const ADDRESSES = [PAYOUT_ADDRESS, '0x27b1fdb04752bbc536007a920d24acb045561c26', '0xde709f2102306220921060314715629080e2fb77']

let instance: StaffInstance
beforeEach(async () => {
  instance = await staffInstance(movingClock('2026-03-02T09:00:00Z'))
})

const job = staffRecurringJobs.find(({ name }) => name === 'payout-rules')
if (job === undefined) throw new Error('no job payout-rules')
const run = () => runJob(instance.at.db, instance.at.deps, job, 'test')

const propose = async (rules: readonly object[], more: object = {}) =>
  (await instance.post('/staff/changes', instance.maker, { subject: 'payout-rules', value: { rules }, reason: 'fewer clicks', ...more }))
    .body
const approve = (id: string, who = instance.checker) => instance.post(`/staff/changes/${id}/approve`, who, { reason: 'agreed' })
/** Puts rules in force by two people. */
async function enact(...rules: readonly object[]): Promise<void> {
  const { data } = await propose(rules)
  expect((await approve(data.id)).status).toBe(200)
}

const row = (id: string): Promise<Selectable<PayoutRequestTable>> =>
  instance.at.db.selectFrom('payout_request').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
const outcome = async (id: string) => {
  const { status, rule_outcome: by } = await row(id)
  return by === null ? status : `${status} ${by}`
}
/** Moves the clock, and signs staff in again. */
async function later(ms: number): Promise<void> {
  instance.at.clock.advance(ms)
  for (const who of [instance.maker, instance.checker, instance.third, instance.support])
    who.token = (await instance.at.signIn(who.id)).token
}
/** Creates a member without warnings: a known device, and an earlier payout to the address. */
async function regular(address = PAYOUT_ADDRESS, options: Parameters<StaffInstance['person']>[0] = {}): Promise<Person> {
  const person = await instance.person(options)
  await instance.at.db
    .updateTable('known_device')
    .set({ created_at: new Date('2026-01-06T00:00:00Z') })
    .where('member_id', '=', person.id)
    .execute()
  const first = await instance.withdrawal(person, 1n, address)
  expect((await instance.post(`/staff/queues/withdrawals/${first}/approve`, instance.third, { reason: 'first' })).body.data?.status).toBe(
    'APPROVED',
  )
  await later(DAY_MS)
  return person
}
const brokenChecks = async () => {
  const { db, deps } = instance.at
  const results = await runAudit(db, [...ledgerChecks, ...payoutChecks, ...staffChecks])
  return [...results, await auditPayoutRules(db, deps.config)].filter(({ broken }) => broken > 0).map(({ check }) => check.title)
}

describe('payout rules', () => {
  it('[MF-03] [I7] [I17] approve a small payout to a known address under their name and version', async () => {
    const person = await regular()
    await enact(SMALL)
    const [small, large] = [await instance.withdrawal(person, 90n), await instance.withdrawal(person, 120n)]
    expect(await run()).toBe(2)
    expect([await outcome(small), await outcome(large)]).toEqual(['APPROVED APPROVED', 'PENDING'])
    const { version } = (await instance.get('/staff/payout-rules', instance.support)).body.data
    expect(await row(small)).toMatchObject({
      decided_by: null,
      rule_name: 'Small',
      rule_version: version,
      reason: `Approved by rule, version ${version} of the rules`,
    })
    expect(await instance.audits(small)).toMatchObject([{ action: 'staff.request.approve-by-rule', actor_id: null, reason: 'Small' }])
    const shown = (await instance.get(`/staff/queues/withdrawals/${small}`, instance.maker)).body.data
    expect(shown.rule).toEqual({ name: 'Small', version, outcome: 'APPROVED' })
    const decided = (await instance.get('/staff/queues/payouts?for=decided&rule=Small', instance.maker)).body.data.data
    expect(decided.map(({ id }: { id: string }) => id)).toEqual([small])
    expect(await run()).toBe(0)
    const { data } = (await instance.get('/staff/payout-rules', instance.support)).body
    expect(data).toMatchObject({ rules: [SMALL], today: [{ name: 'Small', approved: 1, sum: 90, waiting: 0 }] })
    expect(await brokenChecks()).toEqual([])
  })

  const WARNINGS: [string, (person: Person) => Promise<unknown>][] = [
    [
      'a new device',
      async (person) => {
        await instance.at.signIn(person.id)
        await later(6 * DAY_MS)
      },
    ],
    [
      'a password reset',
      ({ id }) => instance.at.db.updateTable('member').set({ password_reset_at: instance.at.clock.now() }).where('id', '=', id).execute(),
    ],
    [
      'a payout freeze',
      ({ id }) =>
        instance.at.db
          .updateTable('member')
          .set({ payouts_frozen_until: new Date(instance.at.clock.now().getTime() + HOUR_MS), payouts_frozen_for: 'device' })
          .where('id', '=', id)
          .execute(),
    ],
    ['stopped payouts', ({ id }) => inTransaction(instance.at.db, (tx) => setPayoutStop(tx, id, instance.at.clock.now()))],
    [
      'a blocked account',
      ({ id }) => inTransaction(instance.at.db, (tx) => setActive(tx, { id, isActive: false, at: instance.at.clock.now() })),
    ],
    [
      'a linked account',
      async ({ id }) => {
        const twin = await instance.person({ sponsorId: id })
        const [at, level] = [instance.at.clock.now(), 1]
        const seen = { first_seen_at: at, last_seen_at: at, same_address: true, same_device: true, same_payout_address: false }
        await instance.at.db
          .insertInto('linked_account')
          .values({ member_id: twin.id, upline_id: id, level, ...seen })
          .execute()
      },
    ],
    [
      'a removed address',
      ({ id }) =>
        instance.at.db.updateTable('payout_address').set({ removed_at: instance.at.clock.now() }).where('member_id', '=', id).execute(),
    ],
    [
      'an address that was usable only after the request',
      ({ id }) => changeBook(instance.at.db, id, { usable_from: instance.at.clock.now() }),
    ],
    [
      'an address that SQL made usable',
      async ({ id }) => {
        await changeBook(instance.at.db, id, { usable_from: instance.at.clock.now() })
        const usable_from = new Date(instance.at.clock.now().getTime() - 20 * DAY_MS)
        await instance.at.db.updateTable('payout_address').set({ usable_from }).where('member_id', '=', id).execute()
      },
    ],
    ['a staff role', ({ id }) => instance.at.db.updateTable('member').set({ role: 'SUPPORT' }).where('id', '=', id).execute()],
    [
      'a network shared with staff',
      async ({ id }) => {
        await sql`update session set network = '203.0.113.7' where member_id in (${id}, ${instance.third.id})`.execute(instance.at.db)
      },
    ],
    [
      'an address of a staff member',
      async ({ id }) => {
        const own = await instance.withdrawal(instance.third, 5n)
        expect((await row(own)).member_id).not.toBe(id)
      },
    ],
    [
      'an address in the address book of a staff member',
      () => confirmPayoutAddress(instance.at.db, instance.third.id, PAYOUT_ADDRESS, { keys: instance.at.deps.config }),
    ],
    [
      'a first approval by a person',
      async ({ id }) => {
        const { db, deps } = instance.at
        await inTransaction(db, (tx) => applySettings(tx, deps, { changes: { fourEyesAboveUsd: 0n }, actorId: null, reason: 'x' }))
        const { public_id: request } = await db
          .selectFrom('payout_request')
          .select('public_id')
          .where('member_id', '=', id)
          .where('status', '=', 'PENDING')
          .executeTakeFirstOrThrow()
        await instance.post(`/staff/queues/withdrawals/${request}/approve`, instance.third, { reason: 'x' })
        await inTransaction(db, (tx) => applySettings(tx, deps, { changes: { fourEyesAboveUsd: 1000n * ONE }, actorId: null, reason: 'x' }))
      },
    ],
  ]
  it.each(WARNINGS)('[MF-03] [I7] leave the payout of a member with %s to staff', async (_, warn) => {
    const person = await regular()
    await enact(SMALL)
    const id = await instance.withdrawal(person, 50n)
    await warn(person)
    await run()
    expect(await outcome(id)).toBe('PENDING')
    const control = await regular(ADDRESSES[1])
    const other = await instance.withdrawal(control, 50n, ADDRESSES[1])
    await run()
    expect(await outcome(other)).toBe('APPROVED APPROVED')
  })

  it('[MF-03] [I7] leave a first payout to an address, and a third within a day, to staff', async () => {
    const person = await regular()
    await enact({ ...SMALL, memberDayCount: 5 })
    const first = await instance.withdrawal(person, 10n, ADDRESSES[1])
    const ids = [first, await instance.withdrawal(person, 10n), await instance.withdrawal(person, 10n)]
    await run()
    expect(await Promise.all(ids.map(outcome))).toEqual(['PENDING', 'APPROVED APPROVED', 'PENDING'])
  })

  it('[MF-03] [I7] share one ceiling among several accounts that pay to one address', async () => {
    const people = [await regular(), await regular(), await regular()]
    await enact(SMALL)
    const ids: string[] = []
    for (const person of people) ids.push(await instance.withdrawal(person, 60n))
    await Promise.all([run(), run(), run()])
    await run()
    expect((await Promise.all(ids.map(outcome))).toSorted()).toEqual(['APPROVED APPROVED', 'APPROVED APPROVED', 'PENDING CEILING'])
    expect(await brokenChecks()).toEqual([])
  })

  it.each([
    ['number', { dayCount: 2 }],
    ['sum', { daySum: 159 }],
  ])('[MF-03] [I7] stop at the %s that a rule approves on one day, and go on the next day', async (_, ceiling) => {
    const people = [await regular(ADDRESSES[0]), await regular(ADDRESSES[1]), await regular(ADDRESSES[2])]
    await enact({ ...SMALL, ...ceiling })
    const request = async () => {
      const ids: string[] = []
      for (const [index, person] of people.entries()) ids.push(await instance.withdrawal(person, 60n, ADDRESSES[index]))
      await Promise.all([run(), run()])
      await run()
      return (await Promise.all(ids.map(outcome))).filter((one) => one === 'APPROVED APPROVED').length
    }
    expect(await request()).toBe(2)
    await later(DAY_MS)
    expect(await request()).toBe(2)
    expect(await brokenChecks()).toEqual([])
  })

  it.each([
    ['member', { memberDayCount: 5, memberDaySum: 100, daySum: 500 }, [0, 0], { of: 'member', left: 40 }],
    ['address', { memberDayCount: 5, memberDaySum: 100, daySum: 500 }, [0, 1], { of: 'address', left: 40 }],
    ['rule', { daySum: 100, memberDaySum: 100 }, [0, 2], { of: 'rule', left: 40 }],
    ['number', { dayCount: 1, memberDayCount: 1 }, [0, 2], { of: 'rule' }],
  ] as const)(
    '[MF-03] [I17] say which ceiling stopped a payout, what was left and when it is free: %s',
    async (_, change, [a, b], ceiling) => {
      const people = [await regular(), await regular(), await regular(ADDRESSES[1])]
      const to = (index: number) => (index === 2 ? ADDRESSES[1] : PAYOUT_ADDRESS)
      await enact({ ...SMALL, ...change })
      const first = await instance.withdrawal(people[a] as Person, 60n, to(a))
      await run()
      const second = await instance.withdrawal(people[b] as Person, 50n, to(b))
      await run()
      expect([await outcome(first), await outcome(second)]).toEqual(['APPROVED APPROVED', 'PENDING CEILING'])
      const { rule } = (await instance.get(`/staff/queues/withdrawals/${second}`, instance.third)).body.data
      expect(rule).toEqual({
        name: 'Small',
        version: expect.any(Number),
        outcome: 'CEILING',
        ceiling: { ...ceiling, freeAt: expect.stringMatching(/T00:00:00.000Z$/) },
      })
      const day = Date.parse(rule.ceiling.freeAt) - instance.at.clock.now().getTime()
      expect(day > 0 && day <= DAY_MS).toBe(true)
      const listed = (await instance.get('/staff/queues/payouts?for=me&rule=Small', instance.third)).body.data.data
      expect(listed).toMatchObject([{ id: second, rule }])
      await instance.post('/staff/payout-rules/stop', instance.third, { reason: 'x' })
      await later(DAY_MS)
      await enact({ ...SMALL, ...change })
      await run()
      expect(await row(second)).toMatchObject({ status: 'APPROVED', rule_outcome: 'APPROVED', ceiling_of: null, ceiling_free_at: null })
      expect(await brokenChecks()).toEqual([])
    },
  )

  it('[MF-03] [I7] count with the decisions of one person towards the sum that takes two', async () => {
    const person = await regular()
    await enact(SMALL)
    const { db, deps } = instance.at
    const id = await instance.withdrawal(person, 90n)
    await run()
    expect(await outcome(id)).toBe('APPROVED APPROVED')
    await inTransaction(db, (tx) => applySettings(tx, deps, { changes: { fourEyesAboveUsd: 100n * ONE }, actorId: null, reason: 'x' }))
    const next = await instance.withdrawal(person, 20n)
    await run()
    expect(await outcome(next)).toBe('PENDING')
    const decided = await instance.post(`/staff/queues/withdrawals/${next}/approve`, instance.third, { reason: 'x' })
    expect(decided.body.data.status).toBe('WAITING')
  })

  it('[MF-03] [I7] hold a large payout from a new device until two people approve it', async () => {
    const person = await instance.person()
    await enact({ action: 'hold', name: 'New device', kind: 'withdrawal', above: 40, newDeviceDays: 30 }, SMALL)
    const id = await instance.withdrawal(person, 50n)
    await run()
    expect(await outcome(id)).toBe('PENDING HELD')
    expect(await instance.audits(id)).toMatchObject([{ action: 'staff.request.hold-by-rule', actor_id: null, reason: 'New device' }])
    const item = (await instance.get(`/staff/queues/withdrawals/${id}`, instance.third)).body.data
    expect(item).toMatchObject({ approvalsNeeded: 2, effect: 'first-approval' })
    const decide = (who: Person) => instance.post(`/staff/queues/withdrawals/${id}/approve`, who, { reason: 'x' })
    expect((await decide(instance.third)).body.data.status).toBe('WAITING')
    expect((await decide(instance.third)).body.message).toBe('Another staff member has to approve this')
    expect((await decide(instance.checker)).body.data.status).toBe('APPROVED')
    expect(await brokenChecks()).toEqual([])
  })

  it('[MF-03] queue a large payout under the name of the rule', async () => {
    const person = await regular()
    await enact({ action: 'queue', name: 'Large', kind: 'withdrawal', above: 300 }, SMALL)
    const id = await instance.withdrawal(person, 301n)
    await run()
    expect(await outcome(id)).toBe('PENDING QUEUED')
    const queue = (await instance.get('/staff/queues/payouts?for=me&rule=Large', instance.third)).body.data.data
    expect(queue).toMatchObject([{ id, rule: { name: 'Large', outcome: 'QUEUED' } }])
    expect((await instance.get('/staff/queues/payouts?for=me&rule=Other', instance.third)).body.data.data).toEqual([])
  })
})

describe('switch of the payout rules', () => {
  it('[I7] [I17] needs two people to switch on, and one to switch off at once', async () => {
    const person = await regular()
    const { data } = await propose([SMALL])
    const id = await instance.withdrawal(person, 50n)
    expect((await approve(data.id, instance.maker)).status).toBe(400)
    await run()
    expect(await outcome(id)).toBe('PENDING')
    const finance = await instance.person({ role: 'FINANCE' })
    const stop = () => instance.post('/staff/payout-rules/stop', finance, { reason: 'looks wrong' })
    expect((await stop()).body.message).toBe('This request has already been decided')
    await approve(data.id)
    const open = await propose([{ ...SMALL, atMost: 90 }])
    const planned = await propose([{ ...SMALL, atMost: 80 }], {
      startsAt: new Date(instance.at.clock.now().getTime() + DAY_MS).toISOString(),
    })
    expect((await approve(planned.data.id)).status).toBe(200)
    expect((await stop()).status).toBe(200)
    expect((await approve(open.data.id)).status).toBe(400)
    await run()
    await later(2 * DAY_MS)
    await run()
    expect(await outcome(id)).toBe('PENDING')
    const state = (await instance.get('/staff/payout-rules', instance.support)).body.data
    expect(state).toMatchObject({ rules: [], offWhy: 'STOPPED', rulesBeforeOff: [SMALL], planned: [] })
    await enact(SMALL)
    await run()
    expect(await outcome(id)).toBe('APPROVED APPROVED')
    expect(await brokenChecks()).toEqual([])
  })

  const MEANWHILE: [string, (tx: Tx, person: Person) => Promise<void>][] = [
    ['the rules change', (tx) => setPayoutRules(tx, instance.at.deps, { rules: [], actorId: null, reason: 'x' })],
    ['the member is blocked', (tx, { id }) => setActive(tx, { id, isActive: false, at: instance.at.clock.now() })],
    ['the member stops payouts', (tx, { id }) => setPayoutStop(tx, id, instance.at.clock.now())],
  ]
  it.each(MEANWHILE)('[I7] approves no payout if %s while the job waits for a decision by staff', async (_, change) => {
    const { db } = instance.at
    const person = await regular()
    await enact(SMALL)
    const id = await instance.withdrawal(person, 50n)
    let running: Promise<unknown> = Promise.resolve()
    await inTransaction(db, async (tx) => {
      await queueForDecision(tx)
      running = run()
      // The embedded database has one session, for which the job waits instead.
      if (inject('testDatabase').kind === 'postgres') await expect.poll(async () => (await lockWaits(db)).length).toBe(1)
      await change(tx, person)
    })
    await running
    expect(await outcome(id)).toBe('PENDING')
  })

  it('[I7] keeps the use of the ceilings when the rules change on the same day', async () => {
    const people = [await regular(ADDRESSES[0]), await regular(ADDRESSES[1])]
    await enact({ ...SMALL, dayCount: 2, memberDayCount: 1 })
    const ask = async (index: number) => instance.withdrawal(people[index] as Person, 60n, ADDRESSES[index])
    const first = await ask(0)
    await run()
    await instance.post('/staff/payout-rules/stop', instance.third, { reason: 'x' })
    await enact({ ...SMALL, dayCount: 2, memberDayCount: 1 })
    const [again, other] = [await ask(0), await ask(1)]
    await run()
    expect(await Promise.all([first, again, other].map(outcome))).toEqual(['APPROVED APPROVED', 'PENDING CEILING', 'APPROVED APPROVED'])
  })

  it('[I7] is off after the audit log records a restore, and for rules written past the application', async () => {
    const { db, deps, clock } = instance.at
    const person = await regular()
    await enact(SMALL)
    await inTransaction(db, (tx) =>
      recordAudit(tx, { at: clock.now(), actorId: null, actorRole: 'SYSTEM', action: RESTORED, outcome: 'ok', detail: { head: null } }),
    )
    const id = await instance.withdrawal(person, 50n)
    await run()
    expect(await outcome(id)).toBe('PENDING')
    expect((await instance.get('/staff/payout-rules', instance.support)).body.data).toMatchObject({
      offWhy: 'RESTORED',
      rulesBeforeOff: [SMALL],
    })
    const rules = JSON.stringify({ rules: [{ ...SMALL, atMost: 1000, memberDaySum: 1000, daySum: 1000 }] })
    await sql`insert into payout_rules (starts_at, rules, created_at, reason, rules_mac)
      select ${clock.now()}, ${rules}, ${clock.now()}, 'x', rules_mac from payout_rules limit 1`.execute(db)
    await run()
    expect(await outcome(id)).toBe('PENDING')
    expect((await instance.get('/staff/payout-rules', instance.support)).body.data).toMatchObject({ rules: [], offWhy: 'FORGED' })
    expect((await auditPayoutRules(db, deps.config)).broken).toBe(1)
  })

  it('[I7] waits during an emergency pause, and approves afterwards', async () => {
    const { db, clock } = instance.at
    const person = await regular()
    await enact(SMALL)
    const id = await instance.withdrawal(person, 50n)
    await inTransaction(db, (tx) => stopLedger(tx, clock.now(), 'x'))
    expect(await run()).toBe(0)
    await inTransaction(db, (tx) => liftLedgerStop(tx, clock.now()))
    await run()
    expect(await outcome(id)).toBe('APPROVED APPROVED')
  })
})

describe('proposal of payout rules', () => {
  const HOLD = { action: 'hold', name: 'Hold', kind: 'withdrawal', above: 10, newDeviceDays: 5 }
  it.each([
    ['two rules with one name', [SMALL, { ...SMALL, atMost: 120 }], 'Two rules have the name “Small”'],
    [
      'a rule that never matches',
      [SMALL, { ...SMALL, name: 'Tiny', atMost: 5 }],
      '“Tiny” never matches, because “Small” above it matches the same payouts',
    ],
    ['a hold below an approval', [SMALL, HOLD], '“Small” approves payouts that “Hold” holds: put “Hold” above it'],
    ['more at once than in a day', [{ ...SMALL, atMost: 200 }], '“Small” approves more at once than for one member in a day'],
    ['more for one than for all', [{ ...SMALL, daySum: 120 }], '“Small” approves more for one member than for all members in a day'],
    [
      'more than one person may',
      [{ ...SMALL, memberDaySum: 1001, daySum: 2000 }],
      '“Small” may approve at most 1000 USD a day for one member',
    ],
    ['more than is paid in a day', [{ ...SMALL, daySum: 250_001 }], '“Small” may approve at most 250000 USD a day for all members'],
    ['a negative sum', [{ ...HOLD, above: -1 }], 'Invalid amount'],
    ['21 rules', Array.from({ length: 21 }, (_, index) => ({ ...SMALL, name: `Rule ${index}` })), 'At most 20 rules'],
  ])('[I7] is rejected for %s', async (_, rules, text) => {
    const reply = await propose(rules)
    expect(JSON.stringify(reply)).toContain(text)
    expect(reply.data?.id).toBeUndefined()
  })

  it('[I17] shows how the rules would have decided the payouts of the last 30 days', async () => {
    const person = await regular()
    const [paid, rejected] = [await instance.withdrawal(person, 40n), await instance.withdrawal(person, 50n)]
    await instance.post(`/staff/queues/withdrawals/${paid}/approve`, instance.third, { reason: 'x' })
    await instance.post(`/staff/queues/withdrawals/${rejected}/reject`, instance.third, { reason: 'x' })
    await later(DAY_MS)
    await instance.withdrawal(person, 45n)
    await instance.withdrawal(person, 400n)
    await later(DAY_MS)
    const preview = await instance.post('/staff/changes/preview', instance.maker, {
      subject: 'payout-rules',
      value: {
        rules: [
          { action: 'queue', name: 'Large', kind: 'withdrawal', above: 300 },
          { ...SMALL, memberDaySum: 150 },
        ],
      },
    })
    expect(preview.body.data).toMatchObject({
      blocks: [],
      title: 'Payout rules: 0 → 2',
      rows: [
        { label: '“Large” would have queued', after: '1 of 5' },
        { label: '“Small” would have approved', after: '3 of 5' },
        { label: '“Small”: rejected or returned later', after: '1', good: false },
      ],
    })
  })
})
