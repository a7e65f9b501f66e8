import { HDKey } from '@scure/bip32'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dailyReward, formatUnits, ONE } from '@tizara/money'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longSearch } from '../../../../../test/search.ts'
import { type ApiProcess, startApiProcess } from '../../api-process.ts'
import { checksOfTests } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fund, type TestMember } from '../../members.ts'
import { createPaymentProvider, signNotice } from '../../../src/gateways/payment-provider/index.ts'
import { balancesOf, runAudit } from '../../../src/ledger/index.ts'
import { openSession } from '../../../src/modules/auth/index.ts'
import { memberById } from '../../../src/modules/members/index.ts'
import { HOUR_MS, systemClock } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'
import { type SandboxProvider, startSandboxProvider } from '../../../src/sandbox/index.ts'
import { setCommitment } from '../../commitment.ts'

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url))
const SECRET = 'a-secret-of-these-drills'
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Every process fault point, with the calls here or the covering test. */
const DRILLS: Readonly<Record<string, readonly string[] | { test: string }>> = {
  'http/calls/money-group.ts before_commit': ['withdrawal', 'stake', 'invoice'],
  'http/calls/money-calls.ts after_commit_before_response': ['withdrawal', 'stake', 'invoice'],
  'modules/deposits/provider/create-payment.ts before_commit': ['payment'],
  'modules/deposits/provider/create-payment.ts after_commit_before_response': ['payment'],
  'modules/deposits/provider/receive-notice.ts before_commit': ['notice'],
  'modules/deposits/provider/receive-notice.ts after_commit_before_response': ['notice'],
  'modules/import/apply-import.ts import_step': { test: 'cli/import-kills.postgres.test.ts' },
  'modules/import/import-progress.ts import_step': { test: 'cli/import-kills.postgres.test.ts' },
  'modules/import/import-report.ts import_step': { test: 'cli/import-kills.postgres.test.ts' },
  'modules/import/stage-import.ts import_step': { test: 'cli/import-kills.postgres.test.ts' },
  'jobs/lease.ts sweep_batch': { test: 'modules/rewards/runs/kill-run.test.ts' },
}

it('covers every fault point of the code', () => {
  const found = new Set(
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('platform/runtime/fault-point.ts'))
      .flatMap((file) =>
        [...readFileSync(`${SOURCES}${file}`, 'utf8').matchAll(/faultPoint\('([^']+)'\)/g)].map((match) => `${file} ${match[1]}`),
      ),
  )
  expect([...found].toSorted()).toEqual(Object.keys(DRILLS).toSorted())
  for (const [point, drill] of Object.entries(DRILLS)) {
    if (!('test' in drill)) continue
    expect(readFileSync(`${SOURCES}${drill.test}`, 'utf8'), drill.test).toContain(point.split(' ')[1])
  }
})

const database = await testDatabase()
const { db, url: databaseUrl } = database

// Killing a process needs a server. e2e/crash.spec.ts kills the product with its embedded database.
if (databaseUrl !== undefined) {
  describe('process that dies', () => {
    let provider: SandboxProvider
    let healthy: ApiProcess
    let sessions: ReturnType<typeof depsOf>
    const children: ChildProcess[] = []

    const depsOf = () => ({
      config: readConfig({ NODE_ENV: 'test' }),
      clock: systemClock,
      ids: randomIds,
      log: createLog('silent'),
    })

    const start = async (faultPoint: string): Promise<ApiProcess> => {
      const started = await startApiProcess({
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        DATABASE_URL: databaseUrl,
        DATABASE_POOL: '4',
        // The drill sends the provider's notices.
        PUBLIC_URL: 'http://127.0.0.1:9',
        PAYMENT_PROVIDER_URL: provider.url,
        // Sets a chain without a node. An invoice needs only an address and a recent reading by the worker.
        CHAIN_ID: '31337',
        CHAIN_RPC_URL: 'http://127.0.0.1:9',
        CHAIN_TOKEN: `0x${'7'.repeat(40)}`,
        CHAIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 3)).publicExtendedKey,
        PAYMENT_PROVIDER_SECRET: SECRET,
        FAULT_POINT: faultPoint,
      })
      children.push(started.child)
      return started
    }

    beforeAll(async () => {
      sessions = depsOf()
      provider = await startSandboxProvider({ secret: SECRET, port: 0 })
      const at = systemClock.now()
      const plan = { name: 'Plan', duration_days: 100, minimum: ONE, apy: 10n * ONE, is_omega: false, status: 'ACTIVE', created_at: at }
      await db
        .insertInto('stake_plan')
        .values({ public_id: 'plan-1', ...plan })
        .execute()
      await setCommitment(db)
      const head = { block: 1n, block_hash: '0x1', block_time: at, final_block: 1n, seen_at: new Date(at.getTime() + HOUR_MS) }
      await db
        .insertInto('chain_cursor')
        .values({ chain_id: 31_337n, ...head })
        .execute()
      healthy = await start('')
    })
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL')
      await provider.close()
    })

    const person = async () => {
      const member = await createTestMember(db)
      await fund(db, member.id, 'depositWallet', 500n * ONE)
      await fund(db, member.id, 'nativeWallet', 500n * ONE)
      const token = await inTransaction(db, async (tx) => {
        const row = await memberById(tx, member.id)
        if (row === undefined) throw new Error('the member is gone')
        return (await openSession(tx, sessions, row, { ip: '127.0.0.1', userAgent: 'drill', requestId: 'drill' })).accessToken
      })
      return { ...member, token }
    }
    type Person = TestMember & { token: string }

    /** Sends a call. Returns undefined if the connection broke before a response. */
    const post = (to: ApiProcess, path: string, body: object, headers: Record<string, string>) =>
      fetch(`${to.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).then(
        async (reply) => ({ status: reply.status, text: await reply.text() }),
        () => undefined,
      )
    const moneyCall = (path: string, body: object) => (to: ApiProcess, who: Person) =>
      post(to, path, body, { authorization: who.token, 'idempotency-key': `drill-${who.publicId}` })

    const rows = async (table: 'payout_request' | 'stake' | 'deposit', who: Person) =>
      (await db.selectFrom(table).select('id').where('member_id', '=', who.id).execute()).length
    const wallet = async (who: Person, kind: 'depositWallet' | 'nativeWallet') => (await balancesOf(db, who.id))[kind] / ONE

    interface Drill {
      /** Prepares the call's subject on the surviving process. */
      prepare?(who: Person): Promise<object>
      send(to: ApiProcess, who: Person, about: object): ReturnType<typeof post>
      /** Returns the call's effect as text. */
      effect(who: Person): Promise<string>
      none: string
      once: string
    }

    const paid = async (who: Person) => {
      const client = createPaymentProvider({ url: provider.url, apiKey: SECRET, noticeSecrets: [SECRET] })
      const reply = await post(healthy, '/pay/create-payment', { amount: 120 }, { authorization: who.token })
      const { data } = JSON.parse(reply?.text ?? '') as { data: { invoice_url: string; invoice_id: string } }
      await fetch(data.invoice_url, { method: 'POST', body: new URLSearchParams({ outcome: 'exact' }), redirect: 'manual' })
      const order = await db
        .selectFrom('deposit')
        .select('provider_invoice_id')
        .where('public_id', '=', data.invoice_id)
        .executeTakeFirstOrThrow()
      const [payment] = await client.listPayments(order.provider_invoice_id ?? '')
      return { payment_id: payment?.paymentId, order_id: data.invoice_id, payment_status: 'finished' }
    }

    const drills: Readonly<Record<string, Drill>> = {
      withdrawal: {
        send: moneyCall('/deposit-wallet/transfer-deposit-wallet', { amount: 100, address: ADDRESS }),
        effect: async (who) => `${await rows('payout_request', who)} requests, ${await wallet(who, 'depositWallet')} USD`,
        none: '0 requests, 500 USD',
        once: '1 requests, 400 USD',
      },
      stake: {
        send: moneyCall('/stack-now', {
          planId: 'plan-1',
          planName: 'Plan',
          duration: 100,
          apy: 10,
          stakeAmount: 100,
          wallet: 'nativewallet',
          dailyRoy: Number(formatUnits(dailyReward(100n * ONE, 10n * ONE, 100))),
        }),
        effect: async (who) => `${await rows('stake', who)} stakes, ${await wallet(who, 'nativeWallet')} coin`,
        none: '0 stakes, 500 coin',
        once: '1 stakes, 400 coin',
      },
      invoice: {
        send: moneyCall('/autoPayRoutes/create-invoice', { amount: 100 }),
        effect: async (who) => `${await rows('deposit', who)} invoices`,
        none: '0 invoices',
        once: '1 invoices',
      },
      payment: {
        send: moneyCall('/pay/create-payment', { amount: 100 }),
        effect: async (who) => `${await rows('deposit', who)} orders, ${await wallet(who, 'depositWallet')} USD`,
        none: '0 orders, 500 USD',
        once: '1 orders, 500 USD',
      },
      notice: {
        prepare: paid,
        send: (to, _, notice) => post(to, '/pay/notice', notice, { 'x-nowpayments-sig': signNotice(notice, SECRET) }),
        effect: async (who) => `${await rows('deposit', who)} orders, ${await wallet(who, 'depositWallet')} USD`,
        none: '1 orders, 500 USD',
        once: '1 orders, 620 USD',
      },
    }

    const planned = Object.entries(DRILLS).flatMap(([point, names]) =>
      'test' in names ? [] : names.map((name) => [point.split(' ')[1] ?? '', name, point] as const),
    )
    // Each case starts a process, so a short run kills one per fault point.
    const played = longSearch ? planned : planned.filter(([, , point], index) => planned.findIndex((one) => one[2] === point) === index)
    it.each(played)('[I4] [I5] [I6] at %s leaves nothing or all of a %s, and a repeat completes it once (%s)', async (point, name) => {
      const drill = drills[name]
      if (drill === undefined) throw new Error(`no drill ${name}`)
      const who = await person()
      const about = (await drill.prepare?.(who)) ?? {}
      expect(await drill.effect(who)).toBe(drill.none)
      const doomed = await start(point)
      expect(await drill.send(doomed, who, about)).toBeUndefined()
      expect(await doomed.ended).toBe('SIGKILL')
      expect(await drill.effect(who)).toBe(point === 'before_commit' ? drill.none : drill.once)
      let first = await drill.send(healthy, who, about)
      // The killed process's transaction may hold the key briefly. A 409 is then correct.
      while (first?.status === 409) first = await drill.send(healthy, who, about)
      expect(first?.status, first?.text).toBe(200)
      expect(await drill.effect(who)).toBe(drill.once)
      const second = await drill.send(healthy, who, about)
      expect(second?.status).toBe(200)
      expect(second?.text).toBe(first?.text)
      expect(await drill.effect(who)).toBe(drill.once)
      expect((await runAudit(db, checksOfTests)).filter((result) => result.broken > 0)).toEqual([])
    })
  })
}
