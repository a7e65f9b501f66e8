import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fund, type TestMember } from '../../members.ts'
import { balancesOf, post } from '../../../src/ledger/index.ts'
import { memberByEmail } from '../../../src/modules/members/index.ts'
import { grantRole } from '../../../src/modules/staff/index.ts'
import { setStaffRole } from '../../../src/modules/staff/proposals/kinds/people/staff-role.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

const { db } = await testDatabase()
const app = await testApp(db, { routes: (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9')) })

const grant = (email: string, role: 'MEMBER' | 'SUPPORT' | 'ADMIN') =>
  inTransaction(db, (tx) => setStaffRole(tx, app.deps, { email, role, name: 'Ada Byron', phone: '+12025550143' }))
const walletsOf = async (memberId: bigint) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ledger_account where id between ${memberId * 16n} and ${memberId * 16n + 15n}`.execute(db)
  return rows[0]?.n
}

describe('staff account', () => {
  const calls = Object.values(allRoutes).filter((route) => route.access === 'member' && route.money === true)

  it.each(calls)('cannot use $name', async ({ method, path }) => {
    const staff = await createTestMember(db, { role: 'SUPPORT' })
    await fund(db, staff.id, 'depositWallet', 1000n * ONE)
    const { token } = await app.signIn(staff.id)
    const reply = await app.call(method, path.replace(':id', '1'), { token, body: { amount: 10 } })
    expect(reply).toMatchObject({ status: 400, body: { message: 'Staff accounts have no wallets' } })
    expect((await balancesOf(db, staff.id)).depositWallet).toBe(1000n * ONE)
  })

  it('has no wallets, and gets them when it becomes a member', async () => {
    await grant('new-staff@gmail.com', 'ADMIN')
    const added = await memberByEmail(db, 'new-staff@gmail.com')
    expect(await walletsOf(added?.id ?? 0n)).toBe(0)
    await grant('new-staff@gmail.com', 'MEMBER')
    expect(await walletsOf(added?.id ?? 0n)).toBe(7)
  })

  const uses: Record<string, (who: TestMember) => Promise<unknown>> = {
    'has money': (who) => fund(db, who.id, 'nftWallet', ONE),
    'had money': async (who) => {
      await fund(db, who.id, 'depositWallet', ONE)
      const from = { owner: who.id, kind: 'depositWallet' } as const
      const transfers = [{ from, to: { system: 'SYS-OPERATOR', asset: 'USD' } as const, amount: ONE }]
      await post(db, { kind: 'testFunds', cause: { type: 'test', id: 'back' }, at: app.clock.now(), transfers })
    },
    'may be paid': async (who) => {
      const deposit = { method: 'hosted', description: 'USDT', amount: ONE, usd_amount: ONE, created_at: app.clock.now() }
      await db
        .insertInto('deposit')
        .values({ public_id: who.publicId, member_id: who.id, ...deposit })
        .execute()
    },
    'has a team': (who) => createTestMember(db, { sponsorId: who.id }),
    'has an unverified referral': (who) => createTestMember(db, { sponsorId: who.id, verified: false }),
  }
  const ways: Record<string, (email: string) => Promise<unknown>> = {
    'by the first command': async (email) => {
      const empty = db.updateTable('member').set({ role: 'MEMBER' }).where('role', '<>', 'MEMBER')
      await empty.execute()
      return inTransaction(db, (tx) => grantRole(tx, app.deps, null, { email, name: 'A', phone: '', role: 'ADMIN' }, 'first'))
    },
    'by the only admin': async (email) => {
      await db.updateTable('member').set({ role: 'MEMBER' }).where('role', '<>', 'MEMBER').execute()
      const admin = await createTestMember(db, { role: 'ADMIN' })
      const actor = { memberId: admin.id, role: 'ADMIN' as const }
      return inTransaction(db, (tx) => grantRole(tx, app.deps, actor, { email, name: 'A', phone: '', role: 'AUDITOR' }, 'hired'))
    },
    'by a proposal': async (email) => {
      const [maker] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
      const actor = { memberId: maker.id, role: 'ADMIN' as const }
      return inTransaction(db, (tx) => grantRole(tx, app.deps, actor, { email, name: 'A', phone: '', role: 'FINANCE' }, 'hired'))
    },
    'by two': (email) => grant(email, 'SUPPORT'),
  }
  const pairs = Object.keys(uses).flatMap((use) => Object.keys(ways).map((way) => ({ use, way })))
  it.each(pairs)('is not created from a member who $use, $way', async ({ use, way }) => {
    const who = await createTestMember(db)
    await uses[use]!(who)
    await expect(ways[way]!(who.email)).rejects.toMatchObject({ code: 'STAFF_HAVE_OWN_ACCOUNTS' })
    expect((await memberByEmail(db, who.email))?.role).toBe('MEMBER')
    expect(await walletsOf(who.id)).toBe(7)
  })

  it('is not created when money arrives between proposal and approval, and may change between staff roles', async () => {
    const [maker, checker, who] = [
      await createTestMember(db, { role: 'ADMIN' }),
      await createTestMember(db, { role: 'ADMIN' }),
      await createTestMember(db),
    ]
    const input = { email: who.email, name: 'A', phone: '', role: 'FINANCE' as const }
    const filed = await inTransaction(db, (tx) => grantRole(tx, app.deps, { memberId: maker.id, role: 'ADMIN' }, input, 'hired'))
    if (filed.done) throw new Error('one was enough')
    await fund(db, who.id, 'depositWallet', ONE)
    const { token } = await app.signIn(checker.id)
    const reply = await app.call('POST', `/staff/changes/${filed.proposalId}/approve`, { token, body: {} })
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/of their own/) } })
    expect((await memberByEmail(db, who.email))?.role).toBe('MEMBER')
    await grant(maker.email, 'SUPPORT')
    expect((await memberByEmail(db, maker.email))?.role).toBe('SUPPORT')
  })

  it('has no team, not even a member who registers during the promotion', async () => {
    const sponsor = await createTestMember(db)
    const holder = await db.transaction().execute(async (tx) => {
      await setStaffRole(tx, app.deps, { email: sponsor.email, role: 'SUPPORT', name: '', phone: '' })
      const registers = createTestMember(db, { sponsorId: sponsor.id })
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { registers }
    })
    const child = await holder.registers
    const { sponsor_id } = await db.selectFrom('member').select('sponsor_id').where('id', '=', child.id).executeTakeFirstOrThrow()
    expect(sponsor_id).toBeNull()
  })

  it('cannot be paid', async () => {
    const [member, staff] = [await createTestMember(db), await createTestMember(db, { role: 'ADMIN' })]
    await fund(db, member.id, 'depositWallet', 100n * ONE)
    const { token } = await app.signIn(member.id)
    const reply = await app.call('POST', '/usd-transfer/user-to-user-deposit', { token, body: { amount: 10, email: staff.email } })
    expect(reply).toMatchObject({ status: 400, body: { message: 'User not found' } })
  })
})
