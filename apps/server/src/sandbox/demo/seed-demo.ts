import { sql } from 'kysely'
import { holdJobs, type Job } from '../../jobs/job.ts'
import { openAccounts } from '../../ledger/index.ts'
import { publishAnnouncement } from '../../modules/announcements/index.ts'
import { hashPassword } from '../../modules/auth/index.ts'
import { INVOICE_WATCHER } from '../../modules/deposits/index.ts'
import { addMember, memberByEmail } from '../../modules/members/index.ts'
import { creditRcm } from '../../modules/rewards/index.ts'
import { applySettings } from '../../modules/settings/index.ts'
import { approveProposal, submitProposal } from '../../modules/staff/index.ts'
import { addAddress } from '../../modules/withdrawals/index.ts'
import { DAY_MS, testClock } from '../../platform/runtime/clock.ts'
import { asOneTransaction, type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import { createLog } from '../../platform/runtime/log.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Ports } from '../../main/ports.ts'
import { storyJobs } from '../../main/jobs.ts'
import { cast, DEMO_PASSWORD, STORY_DAYS } from './cast.ts'
import { type PastChain, pastChain } from './past-chain.ts'
import { castId, perform, units, walletOf } from './perform.ts'
import { nfts, plans, prices, scenes, type Stage } from './story.ts'

const SEED_LOCK = 3128

/**
 * The story ends this many ms before now. Stakes pay at the time of day when they began, so due rewards are paid in the story, and none
 * while a visitor views the first balances.
 */
const BEFORE_MS = 15 * 60_000

/**
 * Plays the demo story into an empty platform. The cast joins day by day and acts through the real use cases, and the worker's jobs pay due
 * rewards. One transaction covers the story, so an interrupted start leaves the platform empty for the next one. Chain payments in the
 * story exist only in the ledger, because they predate the development chain.
 * @param more jobs in addition to those that move money
 * @returns false if members exist already
 */
export async function seedDemo(db: Db, deps: Deps, ports: Ports, more: readonly Job[] = []): Promise<boolean> {
  const chain = pastChain()
  const jobs = [...storyJobs({ ...ports, deposits: { ...ports.deposits, chain } }), ...more]
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  return asOneTransaction(db, async (tx) => {
    // If two processes start on one empty database, the second waits until the story is complete.
    await sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(tx)
    if ((await tx.selectFrom('member').select('id').limit(1).executeTakeFirst()) !== undefined) return false
    await playStory(tx, deps, { jobs, chain }, passwordHash)
    return true
  })
}

interface Machinery {
  jobs: readonly Job[]
  chain: PastChain
}

async function playStory(tx: Tx, deps: Deps, { jobs, chain }: Machinery, passwordHash: string): Promise<void> {
  const present = deps.clock.now()
  const daysAgo = (day: number) => new Date(present.getTime() - BEFORE_MS - day * DAY_MS)
  const clock = testClock(daysAgo(STORY_DAYS))
  // The story's payouts were paid by hand.
  const config = { ...deps.config, chain: undefined, payouts: undefined }
  const storyDeps: Deps = { ...deps, config, clock, log: createLog('error') }
  const run = await holdJobs(tx, storyDeps, jobs, 'demo story')
  await joinOn(tx, storyDeps, STORY_DAYS, passwordHash)
  const stage: Stage = {
    db: tx,
    deps: storyDeps,
    chain,
    staff: {
      admin: await castId(tx, 'admin@example.com'),
      checker: await castId(tx, 'checker@example.com'),
      support: await castId(tx, 'support@example.com'),
    },
  }
  for (const { day } of prices.filter((price) => price.day > STORY_DAYS)) {
    clock.set(daysAgo(day))
    await setPrice(stage, day)
  }
  clock.set(daysAgo(STORY_DAYS))
  await changeSettings(stage, { exchangeLimit: units(STORY_EXCHANGE_LIMIT) })
  await openPlatform(stage)
  // The first business day begins.
  await run()
  for (let day = STORY_DAYS; day >= 0; day -= 1) {
    const at = daysAgo(day)
    if (day < STORY_DAYS) {
      // Starts the next UTC day: one run pays the whole previous day.
      clock.set(new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS))
      await run()
      clock.set(at)
      await joinOn(tx, storyDeps, day, passwordHash)
    }
    await setPrice(stage, day)
    for (const scene of scenes.filter((candidate) => candidate.day === day)) {
      const memberId = await castId(tx, scene.who)
      for (const act of scene.acts) {
        await perform(stage, memberId, act)
        if (act.do !== 'receiveCoin') continue
        // The coin arrives after twelve confirmations.
        clock.advance(30_000)
        await run(jobs.filter((job) => job.name === INVOICE_WATCHER))
      }
    }
  }
  // The demo accounts have no device: without this, staff could approve no payout on the day of the first sign-in.
  await changeSettings(stage, { exchangeLimit: units('100'), payoutHoldHours: 0 })
  clock.set(present)
  for (let round = 0; round < 10 && (await run()) > 0; round += 1);
  await completeDemo(stage)
}

async function joinOn(db: Db, deps: Deps, day: number, passwordHash: string): Promise<void> {
  for (const person of cast.filter(({ joined }) => joined === day)) {
    const sponsor = person.sponsor === undefined ? undefined : await memberByEmail(db, person.sponsor)
    await inTransaction(db, async (tx) => {
      const member = await addMember(tx, deps, {
        name: person.name,
        email: person.email,
        phone: '+12025550143',
        passwordHash,
        sponsorId: sponsor?.id ?? null,
        isVerified: person.unverified !== true,
        passwordProved: person.unverified !== true,
        role: person.role ?? 'MEMBER',
      })
      if (member === undefined) throw new Error(`${person.email} joined twice`)
      if (person.role === undefined) {
        await openAccounts(tx, member.id)
        // Their delay has passed; members of the last days have done nothing yet.
        if (person.joined > 2)
          await addAddress(
            tx,
            deps,
            { memberId: member.id },
            { address: walletOf(person.email), network: 0, label: 'My wallet', proved: true },
          )
      }
      if (person.specialRcm === true) await tx.updateTable('member').set({ is_special_rcm: true }).where('id', '=', member.id).execute()
    })
  }
}

/** Creates plans, NFTs, the reward pool and the operator's commitment. */
async function openPlatform({ db, deps, staff }: Stage): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(db, async (tx) => {
    for (const plan of plans) {
      await tx
        .insertInto('stake_plan')
        .values({
          public_id: deps.ids.publicId(),
          name: plan.name,
          duration_days: plan.days,
          minimum: units(plan.minimum),
          apy: units(plan.apy),
          is_omega: plan.omega,
          status: 'ACTIVE',
          created_at: at,
        })
        .execute()
    }
    for (const nft of nfts) {
      await tx
        .insertInto('nft')
        .values({
          public_id: deps.ids.publicId(),
          kind: nft.kind,
          name: nft.name,
          title: nft.title,
          price: units(nft.price),
          duration_months: nft.months,
          total_percent: units(nft.percent),
          status: 'ACTIVE',
          created_at: at,
        })
        .execute()
    }
    const [maker, checker] = [staff.admin, staff.checker].map((memberId) => ({ memberId, role: 'ADMIN' as const }))
    if (maker === undefined || checker === undefined) throw new Error('it takes two')
    const reason = 'opening of the demo platform'
    for (const change of [
      // As high as a referral reward, so that selling coin outside and buying it again earns nothing.
      { subject: 'settings', value: { bridgeFeePercent: units('5') }, reason },
      { subject: 'fund', value: { asset: 'coin', amount: units('50000000'), source: 'stock', into: 'rewards' }, reason },
      { subject: 'fund', value: { asset: 'usd', amount: units('100000'), source: 'operator', into: 'rewards' }, reason },
      { subject: 'fund', value: { asset: 'usd', amount: units('25000'), source: 'operator', into: 'sales' }, reason },
      { subject: 'commitment', value: { committedCoin: units('1000000000'), committedUsd: units('1000000') }, reason },
    ] as const)
      await approveProposal(tx, deps, checker, { id: await submitProposal(tx, deps, maker, change), reason })
  })
}

async function setPrice({ db, deps, staff }: Stage, day: number): Promise<void> {
  const price = prices.find((candidate) => candidate.day === day)
  if (price === undefined) return
  await inTransaction(db, (tx) =>
    applySettings(tx, deps, { changes: { coinPrice: units(price.price) }, actorId: staff.admin, reason: 'price of the demo story' }),
  )
}

/** Percent of the ICO wallet per exchange during the story, so that some members keep coin there. */
const STORY_EXCHANGE_LIMIT = '10'

async function changeSettings({ db, deps, staff }: Stage, changes: Parameters<typeof applySettings>[2]['changes']): Promise<void> {
  await inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: staff.admin, reason: 'demo story' }))
}

async function completeDemo({ db, deps, staff }: Stage): Promise<void> {
  const rafael = await castId(db, 'rafael@example.com')
  // Ends the story's chain: its addresses receive nothing more.
  await db.updateTable('deposit').set({ next_check_at: null }).where('method', '=', 'chain').execute()
  await inTransaction(db, async (tx) => {
    await creditRcm(tx, deps, {
      memberId: rafael,
      amount: units('4200'),
      by: { memberId: staff.admin, role: 'ADMIN' },
      reason: 'demo credit',
    })
    for (const person of cast.filter((candidate) => candidate.blocked === true)) {
      await tx.updateTable('member').set({ is_active: false }).where('email', '=', person.email).execute()
    }
    await publishAnnouncement(tx, {
      title: 'Welcome to the demo',
      message: 'Everything here is play money. Deposit, stake and send as you like.',
      isActive: true,
      decidedBy: staff.admin,
      at: deps.clock.now(),
    })
  })
}

/** Accounts printed at the start; the sandbox badge of both apps lists all. */
const FIRST_ACCOUNTS = ['amara@example.com', 'nova@example.com', 'admin@example.com', 'checker@example.com', 'support@example.com']

/** Returns the first demo accounts as lines for the terminal; empty without demo data. */
export async function demoAccounts(db: Db): Promise<string[]> {
  const known = await memberByEmail(db, 'amara@example.com')
  if (known === undefined) return []
  const shown = cast.filter((person) => FIRST_ACCOUNTS.includes(person.email))
  return [
    `Demo accounts (password ${DEMO_PASSWORD}):`,
    ...shown.map((person) => `  ${person.email.padEnd(22)} ${person.part}`),
    `  ${cast.length - shown.length} more: press “Sandbox” at the top of each page`,
  ]
}
