import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ONE } from '@tizara/money'
import { fund } from '../../test/members.ts'
import { runSweep } from '../jobs/sweep.ts'
import { buyToken } from '../modules/coin/index.ts'
import { rewardSweeps } from '../modules/rewards/index.ts'
import { inTransaction } from '../platform/database.ts'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { currentSettings } from '../modules/settings/index.ts'
import { type StaffHouse, staffHouse } from '../modules/staff/test-staff.ts'

const ENTRY = fileURLToPath(new URL('staff.ts', import.meta.url))

let house: StaffHouse
beforeAll(async () => {
  house = await staffHouse()
})

/** Runs the command against the test's database, as a process of its own. */
function staff(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: house.database.url }
  return new Promise((resolve) => {
    execFile(process.execPath, [ENTRY, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err })
    })
  })
}
const as = (who: { email: string }, ...args: string[]) => staff(...args, '--as', who.email, '--reason', 'by hand')

describe('npm run staff', () => {
  it('explains itself', async () => {
    const help = await staff('help')
    expect(help.code).toBe(0)
    for (const command of [
      'queue',
      'approve',
      'reject',
      'block',
      'special-rcm',
      'credit-rcm',
      'traces',
      'purchases',
      'undo',
      'pool',
      'set-price',
      'approve-change',
      'create-staff',
      'audit',
    ]) {
      expect(help.out).toContain(`  ${command}`)
    }
  })

  it.each([
    [['nonsense'], 'There is no nonsense.'],
    [['queue', '--nonsense'], 'nonsense'],
  ])('ends with 2 for %j', async (args, message) => {
    expect(await staff(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })
})

// A process of its own needs a server to join; the embedded database of the tests lives in this process's memory.
const onServer = inject('testDatabase').kind === 'postgres' ? describe : () => undefined

onServer('npm run staff on a database in use', () => {
  it.each([
    [['queue'], '--as STAFF_EMAIL is missing.'],
    [['queue', '--as', 'nobody@example.com'], 'nobody of the staff'],
  ])('ends with 2 for %j', async (args, message) => {
    expect(await staff(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })

  it('asks for a reason and refuses members', async () => {
    expect(await staff('block', house.member.email, '--as', house.maker.email)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--reason'),
    })
    expect((await as(house.member, 'queue')).code).toBe(2)
  })

  it('[GN-04] [MF-03] [I17] shows the queue, approves with two people above the limit, and rejects with the money back', async () => {
    const who = await house.person()
    const large = await house.withdrawal(who, 3000n)
    expect((await as(house.support, 'queue')).out).toContain(large)
    expect(await as(house.support, 'approve', large)).toMatchObject({ code: 1, err: expect.stringContaining('Not found') })
    expect((await as(house.maker, 'approve', large)).out).toContain('needs the approval of another staff member')
    expect(await as(house.maker, 'approve', large)).toMatchObject({ code: 1, err: expect.stringContaining('Another staff member') })
    expect((await as(house.checker, 'approve', large, '--tx', '0xabc')).out).toContain('is approved')
    const small = await house.withdrawal(who, 40n)
    expect((await as(house.maker, 'reject', small)).code).toBe(0)
    expect(await house.balance(who, 'depositWallet')).toBe(40n * ONE)
    expect((await house.audits(large)).map((row) => [row.actor_id, row.outcome, row.reason, row.request_id])).toEqual([
      [house.support.id, 'STAFF_ONLY', 'by hand', 'command line'],
      [house.maker.id, 'ok', 'by hand', 'command line'],
      [house.maker.id, 'FOUR_EYES', 'by hand', 'command line'],
      [house.checker.id, 'ok', 'by hand', 'command line'],
    ])
    expect((await as(house.maker, 'audit', '--search', large)).out).toContain('FOUR_EYES')
  })

  it('[RO-16] [I14] blocks a live session at once, and lets in again', async () => {
    const who = await house.person()
    expect((await house.get('/profile', who)).status).toBe(200)
    expect((await as(house.maker, 'block', who.email)).code).toBe(0)
    expect((await house.get('/profile', who)).body.data.status).toBe(false)
    expect((await as(house.maker, 'unblock', who.email)).code).toBe(0)
    expect((await house.get('/profile', who)).status).toBe(401)
    const { token } = await house.at.signIn(who.id)
    expect((await house.get('/profile', { ...who, token })).status).toBe(200)
  })

  it('[MF-25] [RO-17] makes a member special and credits coin', async () => {
    const who = await house.person()
    expect((await as(house.maker, 'credit-rcm', who.email, '3')).code).toBe(1)
    expect((await as(house.maker, 'special-rcm', who.email, 'on')).code).toBe(0)
    expect((await as(house.maker, 'credit-rcm', who.email, '3.5')).code).toBe(0)
    expect(await house.balance(who, 'rcmWallet')).toBe(350_000_000n)
  })

  it('[CO-47] changes the price when another one approves', async () => {
    const { out } = await as(house.maker, 'set-price', '0.0075')
    const id = /change (\S+):/.exec(out)?.[1] ?? ''
    expect((await as(house.checker, 'changes')).out).toContain(id)
    expect((await as(house.maker, 'approve-change', id)).code).toBe(1)
    expect((await as(house.checker, 'approve-change', id)).code).toBe(0)
    expect((await currentSettings(house.at.db)).coinPrice).toBe(750_000n)
    expect(await as(house.maker, 'propose', 'limits', '{"openInvoices":0}')).toMatchObject({
      code: 2,
      err: expect.stringContaining('openInvoices'),
    })
  })

  it('[RT-17] gives roles: the second admin is made by the first, and nobody makes one alone after that', async () => {
    const who = await house.person()
    const { out } = await as(house.maker, 'create-staff', who.email, 'SUPPORT')
    const id = /change (\S+):/.exec(out)?.[1] ?? ''
    expect((await house.get('/staff/overview', who)).status).toBe(404)
    expect((await as(house.checker, 'approve-change', id)).code).toBe(0)
    const { token } = await house.at.signIn(who.id)
    expect((await house.get('/staff/overview', { ...who, token })).status).toBe(200)
    expect((await staff('create-staff', 'first@example.com', 'ADMIN', '--reason', 'start')).code).toBe(1)
  })

  it('[GN-04] [MF-12] lists what a member bought, and undoes it when another one approves; shows who looks like an upline', async () => {
    const { db, deps, clock } = house.at
    // The command is a process of its own, with the machine's clock.
    clock.set(new Date())
    const sponsor = await house.person()
    const who = await house.person({ sponsorId: sponsor.id })
    await fund(db, who.id, 'depositWallet', 100n * ONE)
    const { coinPrice } = await currentSettings(db)
    const bought = { memberId: who.id, coinAmount: 1000n * ONE, coinPrice, totalPrice: 1000n * coinPrice }
    const id = await inTransaction(db, (tx) => buyToken(tx, deps, bought))
    expect((await as(house.support, 'purchases', who.email)).out).toMatch(new RegExp(`coin +${id} .* 1000 coin .*can be undone until`))
    expect(await as(house.maker, 'undo', 'nft', id)).toMatchObject({ code: 1, err: expect.stringContaining('Not found') })
    expect((await as(house.support, 'undo', 'coin', id)).code).toBe(1)
    const change = /change (\S+):/.exec((await as(house.maker, 'undo', 'coin', id)).out)?.[1] ?? ''
    expect((await as(house.maker, 'approve-change', change)).code).toBe(1)
    expect((await as(house.checker, 'approve-change', change)).code).toBe(0)
    expect(await house.balance(who, 'depositWallet')).toBe(100n * ONE)
    expect((await as(house.maker, 'purchases', who.email)).out).toMatch(/UNDONE$/m)
    for (const person of [sponsor, who]) await house.at.signIn(person.id)
    clock.advance(60_000)
    for (const sweep of rewardSweeps) await runSweep(db, deps, sweep, 'test')
    expect((await as(house.support, 'traces')).out).toContain(`${who.email}  level 1 below ${sponsor.email}`)
    expect((await as(house.member, 'traces')).code).toBe(2)
    expect((await as(house.support, 'pool')).out).toMatch(/COIN +999996\.5 +0 +0 +0\nUSD +0 +0 +0 +0\n$/)
  })
})
