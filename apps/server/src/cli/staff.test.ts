import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { allRoutes } from '@tizara/contract/all-routes'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEST_PASSWORD } from '../../test/members.ts'
import { currentSettings } from '../modules/settings/index.ts'
import { type Person, type StaffInstance, staffInstance } from '../../test/staff-instance.ts'
import { printable, tableLines } from './staff/print.ts'
import { runStaff } from './staff/run.ts'

const ENTRY = fileURLToPath(new URL('staff.ts', import.meta.url))
const homes = mkdtempSync(path.join(tmpdir(), 'staff-'))

let instance: StaffInstance
let address = ''
beforeAll(async () => {
  instance = await staffInstance()
  address = await instance.at.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await instance.at.app.close()
  rmSync(homes, { recursive: true, force: true })
})

const sessionFile = (home: string) => path.join(homes, home, 'staff-session.json')

/** Runs a staff command in a terminal's home folder. */
async function staff(home: string, args: readonly string[], typed: string[] = []): Promise<{ code: number; out: string; err: string }> {
  const ask = () => Promise.resolve(typed.shift() ?? '')
  const { code, text } = await runStaff(args, { baseUrl: `${address}/api/v1`, folder: path.join(homes, home), ask })
  return { code, out: code === 0 ? text : '', err: code === 0 ? '' : text }
}

/** Runs the command as a separate process, with the platform's address, and input from a pipe. */
function staffProcess(home: string, args: readonly string[], input = ''): Promise<{ code: number; out: string }> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: address,
    XDG_CONFIG_HOME: path.join(homes, home),
    ...(instance.database.url === undefined ? {} : { DATABASE_URL: instance.database.url }),
  }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [ENTRY, ...args], { env })
    let out = ''
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr.on('data', (part: Buffer) => (out += part.toString()))
    child.on('close', (code) => resolve({ code: code ?? 1, out }))
    child.stdin.end(input)
  })
}
const signIn = (who: Person, password = TEST_PASSWORD) => staff(who.email, ['sign-in', who.email], [password])
const as = (who: Person, ...args: string[]) => staff(who.email, args)

describe('npm run staff', () => {
  it('explains every staff call of the contract and its parameters', async () => {
    const { out, code } = await staff('nobody', ['help'])
    expect(code).toBe(0)
    for (const route of allRoutes.filter((one) => one.access === 'staff')) expect(out).toContain(route.summary)
    expect((await staff('nobody', ['help', 'propose-change'])).out).toContain('subject=price|settings|plan')
  })

  it.each([
    [['nonsense'], 2, 'Unknown call: nonsense.'],
    [['queue', 'kind=withdrawals', 'nonsense=1'], 2, 'Unknown argument: nonsense. Known arguments: kind, '],
    [['queue', 'withdrawals'], 2, 'KEY=VALUE'],
    [['queue', 'kind=withdrawals'], 1, 'You are not signed in'],
    [['propose-change', 'subject=limits', 'value={"openInvoice":3}', 'reason=x'], 2, 'openInvoice'],
    [['approve-request', 'kind=deposits', 'id=x', 'amount=12,5'], 2, 'amount'],
    [['reverse-transfer', 'id=1'], 2, 'reason= is missing'],
    [['queue'], 2, 'kind= is missing'],
  ] as const)('exits after %j with %d', async (args, code, message) => {
    expect(await staff('nobody', args)).toMatchObject({ code, err: expect.stringContaining(message) })
  })

  it('signs in with a password, stores the session for the file owner only, and ends it', async () => {
    expect(await signIn(instance.maker, 'a-wrong-password')).toMatchObject({ code: 1, out: '' })
    expect((await as(instance.maker, 'overview')).code).toBe(1)
    expect((await signIn(instance.maker)).out).toContain(`Signed in as ${instance.maker.email}`)
    expect(statSync(sessionFile(instance.maker.email)).mode & 0o777).toBe(0o600)
    expect(readFileSync(sessionFile(instance.maker.email), 'utf8')).not.toContain(TEST_PASSWORD)
    expect((await as(instance.maker, 'overview')).code).toBe(0)
    expect((await as(instance.maker, 'sign-out')).code).toBe(0)
    expect((await as(instance.maker, 'overview')).err).toContain('You are not signed in')
    expect((await signIn(instance.member)).code).toBe(0)
    expect(await as(instance.member, 'overview')).toMatchObject({ code: 1, err: expect.stringContaining('Not found') })
  })

  it('[I17] shows the address and net amount of pending requests, and decides like the console', async () => {
    for (const one of [instance.maker, instance.checker, instance.support]) await signIn(one)
    const who = await instance.person()
    const large = await instance.withdrawal(who, 3000n)
    const queue = await as(instance.support, 'queue', 'kind=withdrawals', 'status=PENDING')
    expect(queue.out).toMatch(/received +address/)
    expect(queue.out).toMatch(/0x5290…9EE7/)
    expect(queue.out).not.toContain('0x52908400098527886E0F7030069857D2E4169EE7')
    const revealed = await as(instance.support, 'reveal-request-address', 'kind=withdrawals', `id=${large}`)
    expect(revealed.out).toContain('0x52908400098527886E0F7030069857D2E4169EE7')
    expect(queue.out).toContain('2790')
    const approve = (by: Person, ...more: string[]) => as(by, 'approve-request', 'kind=withdrawals', `id=${large}`, ...more)
    expect((await approve(instance.support)).code).toBe(1)
    expect((await approve(instance.maker, 'amount=3000')).err).toContain('Invalid amount')
    expect((await approve(instance.maker, 'amount=2790')).out).toContain('WAITING')
    expect((await approve(instance.maker)).err).toContain('Another staff member has to approve this')
    expect((await approve(instance.checker, 'txHash=0xabc', 'reason=paid by hand')).out).toContain('APPROVED')
    const paid = await instance.at.db
      .selectFrom('payout_request')
      .select('tx_hash')
      .where('public_id', '=', large)
      .executeTakeFirstOrThrow()
    expect(paid.tx_hash).toBe('0xabc')
    expect((await as(instance.maker, 'audit', `q=${large}`)).out).toContain('FOUR_EYES')
  })

  it('[CO-47] lists the values in force, and changes the price when another admin approves', async () => {
    await signIn(instance.maker)
    await signIn(instance.checker)
    expect((await as(instance.maker, 'catalogue')).out).toMatch(/coinPrice +0\.008/)
    const { out } = await as(instance.maker, 'propose-change', 'subject=price', 'value={"coinPrice":0.0077}', 'reason=board')
    const id = /id +(\S+)/.exec(out)?.[1] ?? ''
    expect((await as(instance.checker, 'changes')).out).toContain(id)
    expect((await as(instance.maker, 'approve-change', `id=${id}`)).code).toBe(1)
    expect((await as(instance.checker, 'approve-change', `id=${id}`)).code).toBe(0)
    expect((await currentSettings(instance.at.db, instance.at.clock.now())).coinPrice).toBe(770_000n)
  })

  it('reads input from a pipe, and prints the messages of the API', async () => {
    const typed = `${TEST_PASSWORD}\n\n`
    expect(await staffProcess('pipe', ['sign-in', instance.support.email], typed)).toMatchObject({ code: 0 })
    expect(await staffProcess('pipe', ['overview'])).toMatchObject({ code: 0, out: expect.stringContaining('waiting') })
    expect((await staffProcess('pipe', ['nonsense'])).code).toBe(2)
  })

  it('names the setting to check when no server answers, or when the answer is not from the API', async () => {
    const run = (port: number) =>
      runStaff(['sign-in', instance.support.email], {
        baseUrl: `http://127.0.0.1:${port}/api/v1`,
        folder: homes,
        ask: () => Promise.resolve('x'),
      })
    expect(await run(9)).toEqual({ code: 1, text: expect.stringMatching(/^http:\S+ does not answer: .*PUBLIC_URL/) })
    const proxy = createServer((_, response) => response.writeHead(502).end('<html>Bad Gateway</html>')).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    expect(await run((proxy.address() as AddressInfo).port)).toEqual({
      code: 1,
      text: expect.stringContaining('answers 502, but not from the API'),
    })
    proxy.close()
  })

  it('renews an expired access token, and stops when the session ends', async () => {
    await signIn(instance.third)
    const tokenMs = instance.at.deps.config.accessTokenSeconds * 1000
    // Without use, the session would expire after one lifetime of the token, so the test uses it twice.
    for (const part of [0.6, 0.6]) {
      instance.at.clock.advance(part * tokenMs)
      expect(await as(instance.third, 'overview')).toMatchObject({ code: 0, err: '' })
    }
    const who = await instance.person({ specialRcm: true })
    const credit = await as(instance.third, 'credit-rcm', `id=${who.publicId}`, 'amount=3.5', 'reason=bonus')
    expect(credit.code).toBe(0)
    const filed = instance.at.db.selectFrom('staff_proposal').select('subject').where('proposed_by', '=', instance.third.id)
    expect(await filed.execute()).toEqual([{ subject: 'credit' }])
    await instance.at.db.updateTable('member').set({ is_active: false }).where('id', '=', instance.third.id).execute()
    expect((await as(instance.third, 'overview')).code).toBe(1)
  })

  it('escapes terminal control characters in texts of members', () => {
    expect(printable('a\u001b[2J\u202eb\u200bc')).toBe('a\\u{1b}[2J\\u{202e}b\\u{200b}c')
    expect(tableLines([{ name: 'a\nb\r', note: null, person: { email: 'x@y' } }])).toEqual(['name      person.email', 'a b\\u{d}  x@y'])
  })
})

// The embedded test database lives in this process's memory, so another process cannot use it.
if (inject('testDatabase').kind === 'postgres') {
  it('creates a first admin only if there has never been a staff member', async () => {
    await instance.at.db.updateTable('member').set({ role: 'MEMBER' }).execute()
    expect((await staffProcess('root', ['first-admin', 'first@gmail.com'])).code).toBe(1)
    await instance.at.db.updateTable('member').set({ role: 'SUPPORT' }).where('id', '=', instance.support.id).execute()
    const late = await staffProcess('root', ['first-admin', 'first@gmail.com'])
    expect([late.code, JSON.stringify(late)]).toEqual([1, expect.stringContaining('An admin grants roles')])
    const entries = instance.at.db.selectFrom('audit_event').select('outcome').where('action', '=', 'staff.first-admin.operator')
    expect(await entries.execute()).toEqual([{ outcome: 'STAFF_ONLY' }, { outcome: 'STAFF_ONLY' }])
  })
}
