import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fund, type TestMember } from '../../members.ts'
import { openForDamage, planted } from '../../planted.ts'
import { post, runAudit } from '../../../src/ledger/index.ts'
import { memberByEmail } from '../../../src/modules/members/index.ts'
import { rewardJobs } from '../../../src/modules/rewards/index.ts'
import { setStaffRole } from '../../../src/modules/staff/proposals/kinds/people/staff-role.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { allChecks } from '../../../src/main/all-checks.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

const { db } = await testDatabase()
const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
const at = await testApp(db, { routes: (bind) => bindRoutes(bind, ports), jobs: rewardJobs })
let turn = 0

/** Registers a new member with a code. Returns the sponsor, or the error. */
async function join(referralCode: string): Promise<bigint | null | string> {
  const email = `joins-${(turn += 1)}@gmail.com`
  const body = { name: 'Ada Byron', email, phone: '+12025550143', password: 'violet-harbour-93', referralCode }
  const reply = await at.call('POST', '/limit/auth/register', { body, headers: { 'x-forwarded-for': `192.0.2.${turn % 250}` } })
  const member = await memberByEmail(db, email)
  if (reply.status !== 200) {
    expect(member).toBeUndefined()
    return reply.body.errorMessages?.[0]?.message ?? reply.body.message
  }
  return member?.sponsor_id ?? null
}
const forest = async () =>
  (await runAudit(db, allChecks)).filter(({ check, broken }) => check.invariant === 'I11' && broken > 0).map(({ check }) => check.title)
const staff = async (email: string, role: 'MEMBER' | 'ADMIN') =>
  inTransaction(db, (tx) => setStaffRole(tx, at.deps, { email, name: 'Ada Lindqvist', phone: '', role }))
const UNKNOWN = 'Invalid referral code'

describe('referral code', () => {
  it('[EN-06] [GN-05] matches one member in any case, with surrounding spaces, and not by look-alikes, patterns or parts', async () => {
    const sponsor = await createTestMember(db)
    const code = sponsor.referralCode
    const mixed = [...code].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter)).join('')
    for (const form of [code, code.toLowerCase(), mixed, ` ${code}\t`, `\u00a0${code.toLowerCase()}\u3000`])
      expect(await join(form)).toBe(sponsor.id)
    const wide = [...code].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')
    const others = [
      wide,
      `${code}\u200b`,
      `${code.slice(0, 4)} ${code.slice(4)}`,
      `${code.slice(0, 7)}%`,
      `${code.slice(0, 7)}_`,
      code.slice(0, 7),
      `${code}X`,
    ]
    for (const form of [...others, `${code}' or '1'='1`, sponsor.publicId, '________', '%%%%%%%%']) {
      expect([form, await join(form)]).toEqual([form, UNKNOWN])
    }
    await expect(sql`update member set referral_code = 'abcdefgh' where id = ${sponsor.id}`.execute(db)).rejects.toThrow(/check/)
    expect(await forest()).toEqual([])
  })

  it('[I11] is invalid for staff, unverified members and abandoned addresses, whatever their earlier role', async () => {
    const promoted = await createTestMember(db)
    await staff(promoted.email, 'ADMIN')
    await staff('fresh@gmail.com', 'ADMIN')
    const fresh = (await memberByEmail(db, 'fresh@gmail.com')) as { id: bigint; referral_code: string }
    const unproved = await createTestMember(db, { verified: false })
    for (const code of [promoted.referralCode, fresh.referral_code, unproved.referralCode]) expect(await join(code)).toBe(UNKNOWN)
    // A blocked sponsor keeps the team, earns nothing, and still receives new members.
    const blocked = await createTestMember(db, { active: false })
    expect(await join(blocked.referralCode)).toBe(blocked.id)
    await staff('fresh@gmail.com', 'MEMBER')
    expect(await join(fresh.referral_code)).toBe(fresh.id)
    // A member with a team cannot become staff.
    await expect(staff('fresh@gmail.com', 'ADMIN')).rejects.toMatchObject({ code: 'STAFF_HAVE_OWN_ACCOUNTS' })
    expect(await forest()).toEqual([])
  })

  it('[GN-05] [I11] never refers to the member or a later one, and creates no cycle', async () => {
    const old = await createTestMember(db)
    // Tries the member's code from an abandoned, repeated registration, and a downline member's code.
    const email = 'circle@gmail.com'
    const begin = (referralCode?: string) =>
      at.call('POST', '/limit/auth/register', {
        body: {
          name: 'Ada Byron',
          email,
          phone: '+12025550143',
          password: 'violet-harbour-93',
          ...(referralCode === undefined ? {} : { referralCode }),
        },
      })
    expect((await begin(old.referralCode)).status).toBe(200)
    const own = (await memberByEmail(db, email))?.referral_code ?? ''
    expect((await begin(own)).body.message).toBe(UNKNOWN)
    await db.updateTable('mail_link').set({ expires_at: at.clock.now() }).execute()
    expect((await begin(own)).body.message).toBe(UNKNOWN)
    expect((await begin()).status).toBe(200)
    await db.updateTable('member').set({ is_verified: true }).where('email', '=', email).execute()
    const self = (await memberByEmail(db, email)) as { id: bigint; referral_code: string; sponsor_id: bigint | null }
    expect(self.sponsor_id).toBeNull()
    const child = await createTestMember(db, { sponsorId: self.id })
    expect((await begin(child.referralCode)).status).toBe(400)
    for (const set of [sql`sponsor_id = ${child.id}`, sql`sponsor_id = id`, sql`sponsor_id = null`])
      await expect(sql`update member set ${set} where id = ${child.id}`.execute(db)).rejects.toThrow(/fixed|check/)
    expect(await forest()).toEqual([])
  })

  it('[I11] places the member where the audit expects; cycles, foreign sponsors, depths and shortcuts written by SQL are reported', async () => {
    const line: TestMember[] = []
    for (let depth = 0; depth < 6; depth += 1)
      line.push(await createTestMember(db, depth === 0 ? {} : { sponsorId: line[depth - 1]?.id ?? 0n }))
    const other = await createTestMember(db)
    const [top, second, , , , last] = line.map(({ id }) => id) as [bigint, bigint, bigint, bigint, bigint, bigint]
    const damages = [
      `update member set sponsor_id = ${last} where id = ${top}`,
      `with m as (update member set sponsor_id = ${last} where id = ${top}) update team_member set sponsor_id = ${last} where member_id = ${top}`,
      `with m as (update member set sponsor_id = ${other.id} where id = ${last}) update team_member set sponsor_id = ${other.id} where member_id = ${last}`,
      `update team_member set sponsor_id = ${top} where member_id = ${last}`,
      `update team_member set depth = depth + 1 where member_id = ${last}`,
      `update team_member set depth = 1 where member_id = ${top}`,
      `update team_member set jump_id = ${other.id} where member_id = ${last}`,
      `update team_member set jump_id = ${second}, jump_depth = 1 where member_id = ${last}`,
      `delete from team_member where member_id = ${last}`,
    ]
    const { connection, close } = await openForDamage(db)
    for (const table of ['member', 'team_member']) await sql.raw(`alter table ${table} disable trigger user`).execute(connection)
    await sql.raw('alter table team_member drop constraint team_member_sponsor_id_fkey').execute(connection)
    const checks = allChecks.filter(({ invariant }) => invariant === 'I11')
    const named = async () => {
      for (const check of checks) if ((await sql.raw(check.sql).execute(connection)).rows.length > 0) return true
      return false
    }
    const found: string[] = []
    try {
      for (const damage of damages) if (!(await planted(connection, damage, named))) found.push(damage)
    } finally {
      await close()
    }
    expect(found).toEqual([])
  })
})

describe('sponsor without wallets', () => {
  it('[MF-17] does not block the rewards of others', async () => {
    await post(db, {
      kind: 'testStock',
      cause: { type: 'test', id: 'pool' },
      at: at.clock.now(),
      transfers: [
        { from: { system: 'SYS-OPERATOR', asset: 'COIN' }, to: { system: 'SYS-REWARD', asset: 'COIN' }, amount: 1_000_000n * ONE },
      ],
    })
    await staff('newcomer@gmail.com', 'ADMIN')
    const code = ((await memberByEmail(db, 'newcomer@gmail.com')) as { referral_code: string }).referral_code
    const honest = await createTestMember(db)
    const buyers = [await createTestMember(db, { sponsorId: honest.id })]
    const brought = await join(code)
    if (typeof brought === 'bigint') buyers.push({ id: (await memberByEmail(db, `joins-${turn}@gmail.com`))?.id ?? 0n } as TestMember)
    for (const { id } of buyers) {
      await db.updateTable('member').set({ is_verified: true }).where('id', '=', id).execute()
      await fund(db, id, 'depositWallet', 100n * ONE)
      const body = { coinPrice: 0.008, coinAmount: 1000, totalPrice: 8 }
      expect((await at.call('POST', '/buy-token', { token: (await at.signIn(id)).token, body })).status).toBe(200)
    }
    at.clock.advance(40 * DAY_MS)
    await at.runJobs()
    const { rows } = await sql<{ status: string }>`select status from reward_instant where beneficiary_id = ${honest.id}`.execute(db)
    expect(rows).toEqual([{ status: 'paid' }])
  })
})
