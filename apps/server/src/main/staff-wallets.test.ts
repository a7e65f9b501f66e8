import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { createTestMember, fund } from '../../test/members.ts'
import { balancesOf } from '../ledger/index.ts'
import { memberByEmail } from '../modules/members/index.ts'
import { setStaffRole } from '../modules/staff/set-staff-role.ts'
import { inTransaction } from '../platform/database.ts'
import { createPorts } from './ports.ts'
import { bindRoutes } from './routes.ts'

const { db } = await testDatabase()
let app: TestApp
beforeAll(async () => {
  app = await testApp(db, { routes: (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9')) })
})

const grant = (email: string, role: 'MEMBER' | 'SUPPORT' | 'ADMIN') =>
  inTransaction(db, (tx) => setStaffRole(tx, app.deps, { email, role, name: 'Ada Byron', phone: '+12025550143' }))
const walletsOf = async (memberId: bigint) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ledger_account where id between ${memberId * 16n} and ${memberId * 16n + 15n}`.execute(db)
  return rows[0]?.n
}

describe('an account of staff', () => {
  const calls = Object.values(allRoutes).filter((route) => route.access === 'member' && route.money === true)

  it.each(calls)('is refused $name', async ({ method, path }) => {
    const staff = await createTestMember(db, { role: 'SUPPORT' })
    await fund(db, staff.id, 'depositWallet', 1000n * ONE)
    const { token } = await app.signIn(staff.id)
    const reply = await app.call(method, path.replace(':id', '1'), { token, body: { amount: 10 } })
    expect(reply).toMatchObject({ status: 400, body: { message: 'Staff accounts have no wallets' } })
    expect((await balancesOf(db, staff.id)).depositWallet).toBe(1000n * ONE)
  })

  it('has no wallets, gets some as a member, and is made of no member who has money', async () => {
    await grant('new-staff@gmail.com', 'ADMIN')
    const added = await memberByEmail(db, 'new-staff@gmail.com')
    expect(await walletsOf(added?.id ?? 0n)).toBe(0)
    await grant('new-staff@gmail.com', 'MEMBER')
    expect(await walletsOf(added?.id ?? 0n)).toBe(7)
    const rich = await createTestMember(db)
    await fund(db, rich.id, 'nftWallet', ONE)
    await expect(grant(rich.email, 'SUPPORT')).rejects.toMatchObject({ code: 'STAFF_HAVE_NO_WALLETS' })
    expect((await memberByEmail(db, rich.email))?.role).toBe('MEMBER')
  })

  it('is paid by nobody', async () => {
    const [member, staff] = [await createTestMember(db), await createTestMember(db, { role: 'ADMIN' })]
    await fund(db, member.id, 'depositWallet', 100n * ONE)
    const { token } = await app.signIn(member.id)
    const reply = await app.call('POST', '/usd-transfer/user-to-user-deposit', { token, body: { amount: 10, email: staff.email } })
    expect(reply).toMatchObject({ status: 400, body: { message: 'User not found' } })
  })
})
