import { ONE } from '@tizara/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { searchFor, searchTimeout } from '../../../../../test/search.ts'
import { changeBook, PAYOUT_ADDRESS } from '../../members.ts'
import { type DrawnRule, judgePayouts, type Known, type KnownMember, type RuleSet } from '../../payout-rule-judges.ts'
import { lockWaits } from '../../lock-waits.ts'
import { type Person, type StaffInstance, staffInstance } from '../../staff-instance.ts'
import { runJob } from '../../../src/jobs/job.ts'
import { DAY_MS, HOUR_MS, movingClock } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { AppError } from '../../../src/platform/runtime/app-error.ts'
import { recordAudit, RESTORED } from '../../../src/modules/audit/index.ts'
import { deleteDevices } from '../../../src/modules/auth/index.ts'
import { setActive, setPayoutStop } from '../../../src/modules/members/index.ts'
import { applySettings } from '../../../src/modules/settings/index.ts'
import { queueForDecision } from '../../../src/modules/staff/duties/approval-limits.ts'
import { staffRecurringJobs } from '../../../src/modules/staff/index.ts'
import { addAddress } from '../../../src/modules/withdrawals/index.ts'

const ADDRESSES = [
  PAYOUT_ADDRESS,
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x1111111111111111111111111111111111111111',
]
/** Address of each member. The first two share one, so that they share its ceiling. */
const addressOf = (member: number) => ADDRESSES[Math.max(member - 1, 0)] ?? PAYOUT_ADDRESS
/** Solo limit in whole USD and coin, so low that a few payouts of one member reach it. */
const SOLO = 150

const kinds = fc.constantFrom('withdrawal' as const, 'withdrawal' as const, 'bridge' as const)
const approveRule = fc
  .record({
    name: fc.constantFrom('Small', 'Smaller', 'Coin'),
    kind: kinds,
    atMost: fc.constantFrom(50, 100, 100),
    accountDays: fc.constantFrom(3, 30),
    memberDayCount: fc.integer({ min: 1, max: 3 }),
    memberDaySum: fc.constantFrom(100, 120, SOLO),
    moreCount: fc.nat(2),
    moreSum: fc.constantFrom(0, 30, 200),
  })
  .map(({ moreCount, moreSum, ...rule }): DrawnRule => ({
    action: 'approve',
    ...rule,
    dayCount: rule.memberDayCount + moreCount,
    daySum: rule.memberDaySum + moreSum,
  }))
const holdRule = fc
  .record({ kind: kinds, above: fc.constantFrom(20, 60), newDeviceDays: fc.constantFrom(10, 90) })
  .map((rule): DrawnRule => ({ action: 'hold', name: 'New device', ...rule }))
const queueRule = fc
  .record({ kind: kinds, above: fc.constantFrom(40, 90) })
  .map((rule): DrawnRule => ({ action: 'queue', name: 'Large', ...rule }))
/** Rule sets, contradictory ones included, which the server rejects. */
const ruleSet = fc
  .tuple(fc.option(holdRule, { freq: 1 }), fc.option(queueRule, { freq: 1 }), fc.array(approveRule, { minLength: 1, maxLength: 2 }))
  .map(([hold, queue, approving]) => [hold, queue, ...approving].filter((rule) => rule !== null))
/** Rules that approve withdrawals and bridges, and may hold large withdrawals. */
const firstRules = fc
  .tuple(approveRule, approveRule, fc.boolean())
  .map(([usd, coin, holds]): DrawnRule[] => [
    ...(holds ? [{ action: 'hold' as const, name: 'New device', kind: 'withdrawal' as const, above: 60, newDeviceDays: 90 }] : []),
    { ...usd, name: 'Small', kind: 'withdrawal' },
    { ...coin, name: 'Coin', kind: 'bridge' },
  ])

const who = fc.nat(3)
const EVENTS = [
  'device',
  'reset',
  'freeze',
  'stop',
  'block',
  'link',
  'staff link',
  'cleared link',
  'cleared link',
  'forget',
  'late address',
  'removed address',
  'staff address',
  'staff book',
] as const
const plain = (does: 'run' | 'run twice' | 'cancel' | 'own' | 'clear' | 'restore' | 'limits') => fc.constant({ does })
/** Staff who decide: the hostile admin, a linked admin, both in turn, or the honest one. */
const DECIDERS = ['maker', 'maker', 'accomplice', 'pair', 'checker'] as const
const drawnRequest = fc.record({
  does: fc.constant('request' as const),
  who,
  kind: kinds,
  amount: fc.constantFrom(10, 40, 60, 90),
  address: fc.option(fc.nat(3), { freq: 1 }),
  parts: fc.constantFrom(1, 1, 1, 3),
})
const drawnProposal = fc.record({
  does: fc.constant('propose' as const),
  rules: ruleSet,
  days: fc.constantFrom(0, 0, 0, 1, 2),
  agreed: fc.boolean(),
})
/** Actions with a lasting effect, such as a block, are rare. Otherwise the rules would approve nothing. */
const drawnStep = fc.oneof(
  { weight: 42, arbitrary: drawnRequest },
  { weight: 24, arbitrary: plain('run') },
  { weight: 9, arbitrary: plain('run twice') },
  { weight: 6, arbitrary: drawnProposal },
  { weight: 21, arbitrary: fc.record({ does: fc.constant('wait' as const), hours: fc.constantFrom(1, 6, 15, 24, 24, 72) }) },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('event' as const), event: fc.constantFrom(...EVENTS), who, running: fc.boolean() }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('approve' as const),
      running: fc.boolean(),
      by: fc.constantFrom(...DECIDERS),
      back: fc.nat(2),
    }),
  },
  { weight: 8, arbitrary: fc.record({ does: fc.constant('large' as const), who, held: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('stop' as const), who, running: fc.constantFrom(true, true, true, false) }) },
  { weight: 1, arbitrary: plain('limits') },
  { weight: 2, arbitrary: plain('cancel') },
  { weight: 1, arbitrary: plain('own') },
  { weight: 6, arbitrary: plain('clear') },
  { weight: 1, arbitrary: plain('restore') },
)
type Step = typeof drawnStep extends fc.Arbitrary<infer T> ? T : never

const jobs = staffRecurringJobs.filter(({ name }) => name === 'payout-rules')

/** A platform with four members, an honest admin, a hostile one who writes the rules, and a second account of the hostile one. */
class World {
  readonly #instance: StaffInstance
  readonly #accomplice: Person
  #people: Person[] = []
  #members = new Map<bigint, KnownMember>()
  #sets: RuleSet[] = []
  #planned = new Map<string, RuleSet>()
  #approvedFirst = new Set<string>()
  #staffAddresses = new Set<string>()
  #requests: { id: string; kind: 'withdrawal' | 'bridge' }[] = []
  #proposals: { id: string; rules: readonly DrawnRule[]; startsAt: number | undefined }[] = []

  private constructor(instance: StaffInstance, accomplice: Person) {
    this.#instance = instance
    this.#accomplice = accomplice
  }

  static async open(): Promise<World> {
    const instance = await staffInstance(movingClock('2026-03-02T09:00:00Z'))
    const { db, deps } = instance.at
    const limits = { fourEyesAboveUsd: BigInt(SOLO) * ONE, fourEyesAboveCoin: BigInt(SOLO) * ONE }
    await inTransaction(db, (tx) => applySettings(tx, deps, { changes: limits, actorId: null, reason: 'x' }))
    const accomplice = await instance.person({ role: 'ADMIN', sponsorId: instance.maker.id })
    const world = new World(instance, accomplice)
    await world.#link(accomplice, instance.maker)
    for (const index of ADDRESSES.keys()) await world.#join(index)
    await world.#wait(24)
    return world
  }

  get #now(): number {
    return this.#instance.at.clock.now().getTime()
  }

  get known(): Known {
    return {
      sets: [...this.#sets].toSorted((a, b) => a.startsAt - b.startsAt),
      members: new Map(this.#members),
      staffAddresses: new Set(this.#staffAddresses),
      approvedFirst: new Set(this.#approvedFirst),
      hostile: new Set([this.#instance.maker.id, this.#accomplice.id]),
      solo: SOLO,
    }
  }

  /** Adds a member who is paid to an address before; the last one registered a few days ago. */
  async #join(index: number): Promise<void> {
    const joinedAt = new Date(index === 3 ? '2026-02-20T08:00:00Z' : '2026-01-05T08:00:00Z')
    const person = await this.#instance.person({ at: joinedAt })
    const { db } = this.#instance.at
    const device = new Date('2026-01-06T00:00:00Z')
    await db.updateTable('known_device').set({ created_at: device }).where('member_id', '=', person.id).execute()
    const address = addressOf(index)
    for (const kind of ['withdrawal', 'bridge'] as const) {
      const id = await this.#instance[kind](person, 1n, address)
      const call = `/staff/queues/${kind}s/${id}/approve`
      expect((await this.#instance.post(call, this.#instance.checker, { reason: 'first' })).status).toBe(200)
    }
    this.#people.push(person)
    this.#members.set(person.id, {
      id: person.id,
      joinedAt: joinedAt.getTime(),
      newestDeviceAt: device.getTime(),
      resetAt: 0,
      frozenUntil: 0,
      isStopped: false,
      isBlocked: false,
      isLinked: false,
      isStaff: false,
      book: new Map([[address.toLowerCase(), 0]]),
    })
  }

  async #wait(hours: number): Promise<void> {
    this.#instance.at.clock.advance(hours * HOUR_MS)
    for (const one of [this.#instance.maker, this.#instance.checker, this.#accomplice])
      one.token = (await this.#instance.at.signIn(one.id)).token
  }

  async #run(): Promise<void> {
    const { db, deps } = this.#instance.at
    for (const job of jobs) await runJob(db, deps, job, deps.ids.publicId())
  }

  #know(person: Person, facts: Partial<KnownMember>): void {
    const member = this.#members.get(person.id)
    if (member !== undefined) this.#members.set(person.id, { ...member, ...facts })
  }

  async play(step: Step): Promise<void> {
    const { post, maker, at } = this.#instance
    const person = 'who' in step ? this.#people[step.who] : undefined
    if (step.does === 'request' && person !== undefined)
      await Promise.all(Array.from({ length: step.parts }, () => this.#request(person, step)))
    if (step.does === 'run') await this.#run()
    if (step.does === 'run twice') await Promise.all([this.#run(), this.#run()])
    if (step.does === 'propose') await this.#propose(step)
    if (step.does === 'wait') await this.#wait(step.hours)
    if (step.does === 'event' && person !== undefined)
      await Promise.all([this.#event(person, step.event), ...(step.running ? [this.#run()] : [])])
    if (step.does === 'approve') await Promise.all([this.#approveRequest(step), ...(step.running ? [this.#run()] : [])])
    if (step.does === 'stop' && person !== undefined) await (step.running ? this.#stopDuringRun(person) : this.#stop())
    if (step.does === 'limits') {
      const value = { fourEyesAboveUsd: 100_000, fourEyesAboveCoin: 100_000 }
      const { body } = await post('/staff/changes', maker, { subject: 'limits', value, reason: 'x' })
      for (const by of [maker, this.#accomplice]) await post(`/staff/changes/${body.data?.id}/approve`, by, {})
    }
    if (step.does === 'cancel') await this.#cancel()
    if (step.does === 'own') {
      const address = ADDRESSES[this.#requests.length % ADDRESSES.length] ?? PAYOUT_ADDRESS
      await this.#instance.withdrawal(maker, 5n, address)
      this.#staffAddresses.add(address.toLowerCase())
    }
    if (step.does === 'large' && person !== undefined) await this.#approveLarge(person, step.held)
    if (step.does === 'clear') await this.#clearLinks()
    if (step.does === 'restore') {
      const event = {
        at: at.clock.now(),
        actorId: null,
        actorRole: 'SYSTEM' as const,
        action: RESTORED,
        outcome: 'ok' as const,
        detail: { head: null },
      }
      await inTransaction(at.db, (tx) => recordAudit(tx, event))
      this.#switchOff(event.at)
    }
  }

  /**
   * The hostile person approves a large payout that the rules hold, or the first of two approvals before the rules see the payout. Waits
   * a day first, because earlier requests and approvals of the day would leave the payout to two people in any case.
   */
  async #approveLarge(person: Person, held: boolean): Promise<void> {
    await this.#wait(25)
    const approve = () => this.#approveRequest({ does: 'approve', by: 'maker', back: 0, running: false })
    for (const isLast of [false, true]) {
      if (held && !isLast) continue
      await this.#request(person, { does: 'request', who: 0, kind: 'withdrawal', amount: 90, address: null, parts: 1 })
      if (held) await this.#run()
      await approve()
    }
    await this.#run()
  }

  /** The hostile person clears all links, her own included. */
  async #clearLinks(): Promise<void> {
    const { post, maker, at } = this.#instance
    const { rows } = await sql<{ id: string }>`select id::text from linked_account`.execute(at.db)
    for (const { id } of rows) await post(`/staff/linked-accounts/${id}/review`, maker, { verdict: 'harmless', reason: 'x' })
  }

  /** Stops the rules while the job, which has read them, waits for a decision about money. */
  async #stopDuringRun(person: Person): Promise<void> {
    await this.#wait(25)
    const { db } = this.#instance.at
    await this.#request(person, { does: 'request', who: 0, kind: 'withdrawal', amount: 10, address: null, parts: 1 })
    let isDone = false
    const waits = (count: number) => expect.poll(async () => isDone || (await lockWaits(db)).length >= count).toBe(true)
    const { both } = await inTransaction(db, async (tx) => {
      await queueForDecision(tx)
      const stopping = this.#stop().finally(() => (isDone = true))
      await waits(1)
      const running = this.#run().finally(() => (isDone = true))
      await waits(2)
      return { both: Promise.all([stopping, running]) }
    })
    await both
  }

  async #stop(): Promise<void> {
    const { post, maker, at } = this.#instance
    const reply = await post('/staff/payout-rules/stop', maker, { reason: 'x' })
    if (reply.status !== 200) return
    const { rows } = await sql<{ at: Date }>`select max(created_at) as at from payout_rules`.execute(at.db)
    this.#switchOff(rows[0]?.at ?? at.clock.now())
  }

  #switchOff(at: Date): void {
    const [startsAt, { maker, checker }] = [at.getTime(), this.#instance]
    this.#sets = [...this.#sets.filter((one) => one.startsAt <= startsAt), { startsAt, rules: [], maker: maker.id, approver: checker.id }]
    this.#planned.clear()
  }

  async #request(person: Person, { kind, amount, address }: Extract<Step, { does: 'request' }>): Promise<void> {
    const own = this.#people.indexOf(person)
    const to = address === null ? addressOf(own) : (ADDRESSES[address] ?? PAYOUT_ADDRESS)
    const book = this.#members.get(person.id)?.book ?? new Map<string, number>()
    try {
      const id = await this.#instance[kind](person, BigInt(amount), to)
      this.#requests.push({ id, kind })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    // The call confirms an address that is not in the book.
    if (!book.has(to.toLowerCase())) this.#know(person, { book: new Map([...book, [to.toLowerCase(), 0]]) })
  }

  /** The hostile person proposes rules, tries to approve them alone, and the honest one may agree. */
  async #propose({ rules, days, agreed }: Extract<Step, { does: 'propose' }>): Promise<void> {
    const { post, maker, checker } = this.#instance
    const startsAt = days === 0 ? undefined : Math.ceil(this.#now / DAY_MS + days) * DAY_MS
    const at = startsAt === undefined ? {} : { startsAt: new Date(startsAt).toISOString() }
    const filed = await post('/staff/changes', maker, { subject: 'payout-rules', value: { rules }, reason: 'x', ...at })
    if (filed.status !== 200) return
    const { id } = filed.body.data
    this.#proposals.push({ id, rules, startsAt })
    for (const by of [maker, this.#accomplice]) await this.#approveRules(id, by)
    if (!agreed) return
    const older = this.#proposals[this.#now % this.#proposals.length]
    await this.#approveRules(id, checker)
    if (older !== undefined && older.id !== id) await this.#approveRules(older.id, checker)
  }

  async #approveRules(id: string, person: Person): Promise<void> {
    const proposal = this.#proposals.find((one) => one.id === id)
    const reply = await this.#instance.post(`/staff/changes/${id}/approve`, person, { reason: 'x' })
    if (proposal === undefined || reply.status !== 200) return
    const { maker } = this.#instance
    const set = { startsAt: proposal.startsAt ?? 0, rules: proposal.rules, maker: maker.id, approver: person.id }
    const { rows } = await sql<{ at: Date }>`select max(created_at) as at from payout_rules`.execute(this.#instance.at.db)
    this.#sets.push({ ...set, startsAt: proposal.startsAt ?? rows[0]?.at.getTime() ?? 0 })
    if (proposal.startsAt !== undefined) this.#planned.set(id, this.#sets.at(-1) ?? { ...set, startsAt: proposal.startsAt })
    await this.#dropOutdated()
  }

  /** Drops the planned rules that expired, because the rules before them changed. */
  async #dropOutdated(): Promise<void> {
    const { rows } = await sql<{ id: string }>`select public_id as id from staff_proposal where status = 'OUTDATED'`.execute(
      this.#instance.at.db,
    )
    for (const { id } of rows) this.#drop(id)
  }

  #drop(id: string): void {
    const set = this.#planned.get(id)
    this.#planned.delete(id)
    this.#sets = this.#sets.filter((one) => one !== set)
  }

  /** The hostile person cancels the planned rules. The honest one agrees to nothing. */
  async #cancel(): Promise<void> {
    for (const id of this.#planned.keys()) {
      const reply = await this.#instance.post(`/staff/changes/${id}/cancel`, this.#instance.maker, { reason: 'x' })
      if (reply.status === 200) this.#drop(id)
    }
    await this.#dropOutdated()
  }

  async #approveRequest({ by, back }: Extract<Step, { does: 'approve' }>): Promise<void> {
    const request = this.#requests.at(-1 - back)
    if (request === undefined) return
    const { post, maker, checker } = this.#instance
    const people = { maker: [maker], accomplice: [this.#accomplice], pair: [maker, this.#accomplice], checker: [checker] }[by]
    for (const person of people) {
      const reply = await post(`/staff/queues/${request.kind}s/${request.id}/approve`, person, { reason: 'x' })
      if (reply.body.data?.status === 'WAITING') this.#approvedFirst.add(request.id)
    }
  }

  async #link(person: Person, upline: Person): Promise<void> {
    const now = this.#instance.at.clock.now()
    const trace = { first_seen_at: now, last_seen_at: now, same_address: true, same_device: true, same_payout_address: false }
    await this.#instance.at.db
      .insertInto('linked_account')
      .values({ member_id: person.id, upline_id: upline.id, level: 1, ...trace })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (const one of [person, upline]) this.#know(one, { isLinked: true })
  }

  async #event(person: Person, event: (typeof EVENTS)[number]): Promise<void> {
    const { db, clock, signIn } = this.#instance.at
    const now = clock.now()
    const member = () => db.updateTable('member').where('id', '=', person.id)
    const entry = () => db.updateTable('payout_address').where('member_id', '=', person.id)
    if (event === 'device') {
      await signIn(person.id)
      this.#know(person, { newestDeviceAt: now.getTime() })
    } else if (event === 'forget') {
      await signIn(person.id)
      await inTransaction(db, (tx) => deleteDevices(tx, person.id))
      this.#know(person, { newestDeviceAt: now.getTime() })
    } else if (event === 'reset') {
      await member().set({ password_reset_at: now }).execute()
      this.#know(person, { resetAt: now.getTime() })
    } else if (event === 'freeze') {
      const until = new Date(now.getTime() + 30 * HOUR_MS)
      await member().set({ payouts_frozen_until: until, payouts_frozen_for: 'device' }).execute()
      this.#know(person, { frozenUntil: until.getTime() })
    } else if (event === 'stop') {
      await inTransaction(db, (tx) => setPayoutStop(tx, person.id, now))
      this.#know(person, { isStopped: true })
    } else if (event === 'block') {
      await inTransaction(db, (tx) => setActive(tx, { id: person.id, isActive: false, at: now }))
      this.#know(person, { isBlocked: true })
    } else if (event === 'link') {
      const upline = this.#people.find(({ id }) => id < person.id)
      if (upline !== undefined) await this.#link(person, upline)
    } else if (event === 'cleared link') {
      const upline = this.#people.find(({ id }) => id < person.id)
      if (upline !== undefined) await this.#link(person, upline)
      await this.#clearLinks()
    } else if (event === 'staff link') {
      await this.#link(person, this.#instance.maker)
    } else if (event === 'staff book') {
      const [address, { maker, at }] = [addressOf(this.#people.indexOf(person)), this.#instance]
      const ownEntry = { address, network: 0 as const, label: 'x', proved: false }
      await inTransaction(db, (tx) => addAddress(tx, at.deps, { memberId: maker.id }, ownEntry)).catch(() => undefined)
      this.#staffAddresses.add(address.toLowerCase())
    } else if (event === 'late address') {
      await changeBook(db, person.id, { usable_from: now })
      const book = this.#members.get(person.id)?.book ?? new Map<string, number>()
      this.#know(person, { book: new Map([...book.keys()].map((address) => [address, now.getTime()])) })
    } else if (event === 'removed address') {
      await entry().set({ removed_at: now }).where('removed_at', 'is', null).execute()
      this.#know(person, { book: new Map() })
    } else {
      const address = addressOf(this.#people.indexOf(person))
      await this.#instance.withdrawal(this.#instance.maker, 5n, address)
      this.#staffAddresses.add(address.toLowerCase())
    }
  }

  /** Judges what was paid since a moment. */
  judge = (before: Known, seen: Set<string>) => judgePayouts(this.#instance.at.db, [before, this.known], seen)
}

it(
  '[MF-03] [I7] approve nothing past their limits or two people, whatever members and one hostile staff member do',
  async () => {
    let byRules = 0
    const worlds = fc.tuple(firstRules, fc.array(drawnStep, { minLength: 40, maxLength: 40, size: 'max' }))
    await searchFor('payout rules', { short: 2, parallel: 2 }, async (seed) => {
      const [rules, steps] = fc.sample(worlds, { seed, numRuns: 1 })[0] ?? [[], []]
      const world = await World.open()
      const seen = new Set<string>()
      await world.play({ does: 'propose', rules, days: 0, agreed: true })
      for (const one of steps) {
        const before = world.known
        await world.play(one)
        const { faults, byRule } = await world.judge(before, seen)
        byRules += byRule
        expect(faults).toEqual([])
      }
    })
    // A search in which the rules approve nothing proves nothing.
    expect(byRules).toBeGreaterThan(0)
  },
  searchTimeout(300_000),
)
