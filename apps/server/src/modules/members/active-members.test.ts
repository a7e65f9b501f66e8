import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { activity } from '../../main/activity.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { coinRoutes } from '../coin/index.ts'
import { nftRoutes } from '../nfts/index.ts'
import { stakingJobs, stakingRoutes } from '../staking/index.ts'
import { teamRoutes } from '../team/index.ts'
import { memberRoutes, setActive } from './index.ts'
import { setCommitment } from '../../../test/commitment.ts'

const { db } = await testDatabase()
const none = () => Promise.resolve(new Map())
let at: TestApp
beforeAll(async () => {
  at = await testApp(db, {
    routes: (bind) => {
      memberRoutes(bind, { downlineCount: () => Promise.resolve(0), ...activity })
      teamRoutes(bind, { newestStakes: none, creditedDeposits: none, ...activity })
      coinRoutes(bind)
      nftRoutes(bind)
      stakingRoutes(bind)
    },
    jobs: stakingJobs,
  })
  await setCommitment(db)
  const created = { created_at: new Date('2026-01-01T00:00:00Z'), status: 'ACTIVE' }
  await db
    .insertInto('nft')
    .values({ ...created, public_id: 'dome', kind: 'dome', name: 'Dome', title: '', price: ONE, duration_months: 2, total_percent: ONE })
    .execute()
  await db
    .insertInto('stake_plan')
    .values({ ...created, public_id: 'plan', name: 'Plan', duration_days: 365, minimum: ONE, apy: 36n * ONE, is_omega: false })
    .execute()
})

/** Returns whether the profile, and the sponsor's team, show a member as active. */
async function shown(member: { id: bigint; publicId: string }, sponsor: { id: bigint }) {
  const profile = await at.call('GET', '/profile', { token: (await at.signIn(member.id)).token })
  const team = await at.call('GET', '/test', { token: (await at.signIn(sponsor.id)).token })
  const node = team.body.data.children.find((child: { id: string }) => child.id === member.publicId)
  return [profile.body.data.isActive, node.isActive]
}

const PURCHASES = {
  coin: { path: '/buy-token', body: { coinPrice: 0.008, coinAmount: 1000, totalPrice: 8 }, days: 30 },
  NFT: { path: '/nft-purchese', body: { payby: 'depositwallet', walletName: 'dome', nftId: 'dome' }, days: 59 },
  stake: {
    path: '/stack-now',
    body: { planId: 'plan', planName: 'Plan', duration: 365, apy: 36, stakeAmount: 1000, dailyRoy: 0.98630136, wallet: 'nativewallet' },
    days: 365,
  },
} as const

it.each(Object.entries(PURCHASES))(
  '[EN-10] a purchase of %s makes a member active for its time only',
  async (kind, { path, body, days }) => {
    const sponsor = await createTestMember(db)
    const member = await createTestMember(db, { sponsorId: sponsor.id })
    await fund(db, member.id, 'depositWallet', 100n * ONE)
    await fund(db, member.id, 'nativeWallet', 1000n * ONE)
    expect(await shown(member, sponsor)).toEqual([false, false])
    const reply = await at.call('POST', path, { token: (await at.signIn(member.id)).token, body })
    expect(reply.body).toMatchObject({ success: true })
    expect(await shown(member, sponsor)).toEqual([true, true])
    at.clock.advance(days * DAY_MS - 60_000)
    expect(await shown(member, sponsor)).toEqual([true, true])
    at.clock.advance(5 * DAY_MS)
    // A stake matures after its last daily reward.
    await sql`update reward_source set processed = steps where member_id = ${member.id}`.execute(db)
    await at.runJobs()
    expect([kind, ...(await shown(member, sponsor))]).toEqual([kind, false, false])
  },
)

it('[EN-10] a block changes the status but not the activity, and a reversed purchase does not count', async () => {
  const sponsor = await createTestMember(db)
  const member = await createTestMember(db, { sponsorId: sponsor.id })
  await fund(db, member.id, 'depositWallet', 100n * ONE)
  const { token } = await at.signIn(member.id)
  await at.call('POST', '/buy-token', { token, body: PURCHASES.coin.body })
  await inTransaction(db, (tx) => setActive(tx, { id: member.id, isActive: false, at: at.clock.now() }))
  const profile = await at.call('GET', '/profile', { token: (await at.signIn(member.id)).token })
  expect(profile.body.data).toMatchObject({ status: false, isActive: true })
  await inTransaction(db, (tx) => setActive(tx, { id: member.id, isActive: true, at: at.clock.now() }))
  await db.updateTable('coin_purchase').set({ reversed_at: at.clock.now() }).where('member_id', '=', member.id).execute()
  expect(await shown(member, sponsor)).toEqual([false, false])
})
