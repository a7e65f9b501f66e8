import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember } from '../../members.ts'
import { runAudit } from '../../../src/ledger/index.ts'
import { memberByEmail } from '../../../src/modules/members/index.ts'
import { downlineCount, applyPendingTeamVolume } from '../../../src/modules/team/index.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { allChecks } from '../../../src/main/all-checks.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

const { db } = await testDatabase()
const app = await testApp(db, { routes: (bind) => bindRoutes(bind, createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')) })
const sponsor = await createTestMember(db, { specialRcm: true })
const finished = await createTestMember(db, { sponsorId: sponsor.id, name: 'Tess Ready' })
await createTestMember(db, { sponsorId: finished.id })

const { token } = await app.signIn(sponsor.id)
/** All routes readable by a member, with searches that would find a member called Tess. */
const reads = [
  ...allRoutes
    .filter((route) => route.method === 'GET' && route.access === 'member' && !route.path.includes(':') && route.name !== 'live')
    .map((route) => route.path),
  '/team/search?search=tess',
]

async function read(): Promise<Record<string, unknown>> {
  const answers = await Promise.all(reads.map(async (path) => [path, await app.call('GET', path, { token })] as const))
  return Object.fromEntries(answers.map(([path, { status, body }]) => [path, { status, body }]))
}

const register = (email: string, referralCode?: string) =>
  app.call('POST', '/limit/auth/register', {
    body: {
      name: 'Tess Byron',
      email,
      phone: '+12025550143',
      password: 'violet-harbour-93',
      ...(referralCode === undefined ? {} : { referralCode }),
    },
  })

it('is invisible to its sponsor when started, claimed by another person, expired or aggregated', async () => {
  const before = await read()
  const [left, claimed] = ['left@gmail.com', 'claimed@gmail.com']
  expect((await register(left, sponsor.referralCode)).status).toBe(200)
  await register(claimed, finished.referralCode)
  await register(claimed, sponsor.referralCode)
  expect(await read()).toEqual(before)
  await db.updateTable('mail_link').set({ expires_at: app.clock.now() }).execute()
  await register(left)
  await register(claimed)
  const stale = await db.selectFrom('member').select(['public_id', 'sponsor_id']).where('email', 'like', 'released-%').execute()
  expect(stale.map((row) => row.sponsor_id).toSorted()).toEqual([sponsor.id, finished.id].toSorted())
  await inTransaction(db, (tx) => applyPendingTeamVolume(tx, 100, 1n))
  expect(await read()).toEqual(before)
  for (const { public_id: id } of stale) expect((await app.call('GET', `/test?root=${id}`, { token })).status).toBe(404)
})

it('[EN-06] counts only when the address is verified, and its own code works only then', async () => {
  const email = 'soon@gmail.com'
  await register(email, sponsor.referralCode)
  const begun = await memberByEmail(db, email)
  if (begun === undefined) throw new Error('nobody registered')
  expect((await register('friend@gmail.com', begun.referral_code)).body).toMatchObject({ message: 'Invalid referral code' })
  const counts = async () => [
    (await app.call('GET', '/profile/my-team', { token })).body.data.meta.total,
    (await app.call('GET', '/test', { token })).body.data.children.length,
    await downlineCount(db, sponsor.id),
  ]
  const before = await counts()
  await db.updateTable('member').set({ is_verified: true }).where('id', '=', begun.id).execute()
  expect(await counts()).toEqual(before.map((count) => count + 1))
  expect((await register('friend@gmail.com', begun.referral_code)).status).toBe(200)
  expect((await runAudit(db, allChecks)).filter(({ check, broken }) => check.invariant === 'I11' && broken > 0)).toEqual([])
})
