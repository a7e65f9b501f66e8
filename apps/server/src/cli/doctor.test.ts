import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { health } from '@tizara/contract/staff-health'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember } from '../../test/members.ts'
import { recordCommandRun } from '../jobs/command-runs.ts'
import { liftLedgerStop, stopLedger } from '../ledger/index.ts'
import { applySettings } from '../modules/settings/index.ts'
import { setRewardPolicy } from '../modules/rewards/index.ts'
import { readIncidents } from '../modules/staff/operations/incidents.ts'
import { putPlan } from '../modules/staking/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { inTransaction } from '../platform/db/database.ts'
import { VERSION } from '../platform/runtime/release.ts'
import { examine } from '../diagnostics/examine.ts'
import { type Finding, worst } from '../diagnostics/finding.ts'
import { externalServiceFindings } from '../diagnostics/external-services.ts'
import { providerFindings } from '../diagnostics/provider.ts'
import { readSettingsFindings } from '../diagnostics/settings.ts'
import { createPorts } from '../main/ports.ts'
import { allJobs } from '../main/jobs.ts'

const closing: Server[] = []
afterAll(() => closing.forEach((server) => server.close()))

async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const textsOf = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state !== 'good').map(({ area, what }) => `${area}: ${what}`)

describe('the settings', () => {
  it('reports each missing or invalid setting and where to correct it', () => {
    const { config, findings } = readSettingsFindings({ NODE_ENV: 'production', PORT: 'many', SMTP_URL: ' ' })
    expect(config).toBeUndefined()
    expect(findings[0]).toMatchObject({ state: 'bad', what: 'PORT: must be a port number', fix: expect.stringContaining('PORT') })
    for (const name of ['TOKEN_SECRET', 'DATA_KEY', 'DATABASE_URL', 'SMTP_URL', 'PUBLIC_URL'])
      expect(findings.some(({ what }) => what.startsWith(`${name}:`))).toBe(true)
  })

  it('warns about settings that the product accepts: weak secrets, no proxy, no metrics', () => {
    const { findings } = readSettingsFindings({
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://db.example/house',
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'platform@platform.example',
      PAYMENT_PROVIDER_URL: 'https://pay.example',
      PAYMENT_PROVIDER_SECRET: 'abcdefghijkl'.repeat(4),
      PAYMENT_PROVIDER_KEY: 'the-key-of-the-provider',
      PAYMENT_INVOICE_HOSTS: 'pay.example',
      PUBLIC_URL: 'https://platform.example',
      TOKEN_SECRET: 'a'.repeat(40),
      DATA_KEY: 'mlkjihgfedcba'.repeat(4),
      RATE_LIMIT_SCALE: '5',
    })
    expect(textsOf(findings).map((line) => line.split(' ')[1])).toEqual(['TOKEN_SECRET', 'RATE_LIMIT_SCALE', 'TRUST_PROXY', 'METRICS_PORT'])
  })

  it('reports an unusable data folder in one sentence', async () => {
    const file = import.meta.filename
    const entry = startEntry('doctor', { DATA_DIR: file })
    expect(await entry.ended).toBe(2)
    expect(entry.output).toContain(`${file} is not a folder. Set another DATA_DIR.`)
    expect(entry.output).not.toContain('    at ')
  })
})

describe('platform checks', () => {
  let at: TestApp
  const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
  const seen = async (staffSecondFactor = true) =>
    textsOf(
      (await examine({ ...at.deps, config: { ...at.deps.config, staffSecondFactor } }, at.db, ports)).filter(
        ({ area }) => !['address', 'provider', 'settings', 'database', 'machine'].includes(area),
      ),
    )
  beforeAll(async () => {
    const { db } = await testDatabase()
    at = await testApp(db, { routes: () => undefined })
  })

  it('report everything that an empty database lacks, each with a fix', async () => {
    const findings = await examine(at.deps, at.db, ports)
    expect(worst(findings)).toBe('bad')
    const problems = findings.filter(({ state }) => state !== 'good')
    expect(problems.filter(({ fix, affects }) => (fix ?? '') === '' || (affects ?? '') === '')).toEqual([])
    expect(await seen()).toEqual([
      'staff: there is no admin',
      expect.stringContaining('offer: the price of the coin is the documented default'),
      'offer: no stake plan is on sale',
      'offer: no NFT is on sale',
      expect.stringMatching(/^programme: repeated referral rewards for coin that is bridged.*a fee of 5 % prevents this/),
      expect.stringMatching(/^rewards: every sale with rewards in COIN is refused/),
      expect.stringMatching(/^rewards: every sale with rewards in USD is refused/),
      'worker: no worker is running',
      'records: no full audit of the ledger has run yet',
      'records: no backup has run yet',
    ])
  })

  it('clear each finding when its cause is fixed, and report new ones', async () => {
    const now = at.clock.now()
    for (const _ of [1, 2]) await createTestMember(at.db, { role: 'ADMIN' })
    await inTransaction(at.db, async (tx) => {
      await applySettings(tx, at.deps, {
        changes: { coinPrice: 900_000n, convertRate: 900_000n, bridgeFeePercent: 5n * ONE },
        actorId: null,
        reason: 'test',
      })
      await putPlan(tx, at.deps, undefined, { planName: 'Plan', duration: 30, minimum: ONE, apy: ONE, omega: false, status: 'ACTIVE' })
      await setRewardPolicy(tx, { committed: { COIN: ONE, USD: ONE }, at: now, by: null, reason: 'test' })
    })
    for (const { name } of allJobs(ports))
      await sql`insert into job_lease (name, last_started_at) values (${name}, clock_timestamp())`.execute(at.db)
    await sql`update job_lease set last_started_at = clock_timestamp() - interval '1 hour' where name = 'reward-run'`.execute(at.db)
    await sql`update job_lease set last_error = 'it broke' where name = 'send-mails'`.execute(at.db)
    await sql`insert into mail_outbox (public_id, recipient, template, next_attempt_at, not_after, last_error, created_at)
      values ('m', 'a@b.example', 'verification', ${now}, ${now}, 'connect ECONNREFUSED', ${new Date(now.getTime() - 3_600_000)})`.execute(
      at.db,
    )
    await recordCommandRun(at.db, 'audit', false, '1 of 61 checks failed')
    await recordCommandRun(at.db, 'backup', true, 'platform.dump')
    expect(await seen()).toEqual([
      expect.stringMatching(/^staff: two admins: neither can remove the other, .*three are recommended/),
      'staff: staff without an authenticator app, and so without console access: 2',
      'offer: no NFT is on sale',
      'ledger: The ledger audit found differences: 1 of 61 checks failed',
      'worker: reward-run has not run for 60 minutes',
      'worker: send-mails failed: it broke',
      'mail: 1 mails are overdue: connect ECONNREFUSED',
    ])
    // The sandbox lets staff in without an authenticator app.
    expect((await seen(false)).filter((line) => line.includes('authenticator'))).toEqual([])
    // The overview shows the same incident: same words, page and start.
    await sql`insert into staff_incident (public_id, name, level, text, since) values ('i', 'ledger', 'red', 'x', ${now})`.execute(at.db)
    const [shown] = await readIncidents(at.db)
    expect((await examine(at.deps, at.db, ports)).find(({ area }) => area === 'ledger')).toMatchObject({
      affects: shown?.meaning,
      action: { href: shown?.href },
      since: shown?.since,
    })
    // A long reward run is not a fault while it renews its lease.
    const renew = (until: string | null) =>
      sql`update job_lease set held_until = clock_timestamp() + ${until}::interval where name = 'reward-run'`.execute(at.db)
    await renew('30 seconds')
    expect((await seen()).filter((line) => line.includes('reward-run'))).toEqual([])
    await renew(null)
    // A pause outlives its cause: the next successful audit closes the incident but lifts nothing.
    await inTransaction(at.db, (tx) => stopLedger(tx, now, 'the audit found differences'))
    const stopped = (await examine(at.deps, at.db, ports)).find(({ area }) => area === 'platform')
    expect(stopped).toMatchObject({ state: 'bad', fix: expect.stringContaining('resume-platform reason=') })
    expect(stopped?.what).toBe(`payouts, credits and reward runs are paused since ${now.toISOString()}: the audit found differences`)
    await inTransaction(at.db, (tx) => liftLedgerStop(tx, now))
    expect((await seen()).filter((line) => line.startsWith('platform'))).toEqual([])
    // A time from before the clock was set back says nothing about the present.
    await sql`update command_last_run set finished_at = clock_timestamp() + interval '2 days' where name = 'backup'`.execute(at.db)
    await sql`update job_lease set last_started_at = clock_timestamp() + interval '1 hour' where name = 'reward-run'`.execute(at.db)
    expect(await seen()).toEqual(
      expect.arrayContaining([
        'worker: reward-run has not run for 60 minutes',
        expect.stringMatching(/^records: the last backup is .* old$/),
      ]),
    )
  })
})

describe('checks of external services', () => {
  const runDoctor = async (env: Record<string, string>) => {
    const config = readConfig({ NODE_ENV: 'test', ...env })
    return textsOf(await externalServiceFindings(config, createPorts(config, config.paymentProviderUrl ?? '')))
  }

  it('query the bundled provider on the port after PORT, or on SANDBOX_PORT', async () => {
    const requests: string[] = []
    const url = await answering((_, reply) => {
      requests.push(url)
      reply.writeHead(404).end('{}')
    })
    const port = Number(new URL(url).port)
    for (const env of [{ PORT: String(port - 1) }, { SANDBOX_PORT: String(port) }]) {
      const config = readConfig({ NODE_ENV: 'test', ...env })
      expect(textsOf(await providerFindings(createPorts(config)))).toEqual([])
    }
    expect(requests).toHaveLength(2)
  })

  it('report nothing when all services answer as expected', async () => {
    const url = await answering((request, reply) => {
      if (request.url === '/health/ready') reply.end(JSON.stringify({ status: 'ready', version: VERSION }))
      else reply.writeHead(request.url === '/api/v1/pay/notice' ? 400 : 404).end('{"success":false}')
    })
    expect(await runDoctor({ PUBLIC_URL: url, PAYMENT_PROVIDER_URL: url })).toEqual([])
  })

  it('report a failing mail server, key, version, notice address and host', async () => {
    const url = await answering((request, reply) => {
      if (request.url === '/health/ready') reply.end('{"status":"ready","version":"0.0.1"}')
      else reply.writeHead(request.url?.startsWith('/v1') === true ? 401 : 404).end('<html>')
    })
    const dead = 'http://127.0.0.1:9'
    expect(await runDoctor({ PUBLIC_URL: url, PAYMENT_PROVIDER_URL: url, SMTP_URL: 'smtp://127.0.0.1:9' })).toEqual([
      expect.stringMatching(/^mail: .*ECONNREFUSED/),
      'provider: rejects PAYMENT_PROVIDER_KEY',
      expect.stringContaining(`runs version 0.0.1, this command is ${VERSION}`),
      expect.stringMatching(/^address: webhook notices .* answers 404$/),
    ])
    const proxy = await answering((request, reply) => reply.writeHead(request.url === '/health/ready' ? 502 : 404).end())
    expect(await runDoctor({ PUBLIC_URL: proxy, PAYMENT_PROVIDER_URL: proxy })).toEqual([`address: ${proxy} answers 502 and is not ready`])
    const stranger = await answering((_, reply) => reply.end('<html>'))
    expect(await runDoctor({ PUBLIC_URL: stranger, PAYMENT_PROVIDER_URL: dead })).toContain(
      `address: ${stranger} runs version unknown, this command is ${VERSION}`,
    )
    expect(await runDoctor({ PUBLIC_URL: dead, PAYMENT_PROVIDER_URL: dead })).toEqual([
      'provider: the provider did not answer: fetch failed',
      expect.stringContaining('address: '),
    ])
  })
})

it('prints the documented JSON and exits with a code for monitoring, whatever fails', async () => {
  const { url } = await emptyDatabase()
  const env = { PUBLIC_URL: 'http://127.0.0.1:9', PAYMENT_PROVIDER_URL: 'http://127.0.0.1:9' }
  const read = async (given: NodeJS.ProcessEnv) => {
    const doctor = startEntry('doctor', { ...env, ...given }, '--json')
    expect(await doctor.ended).toBe(2)
    const report: unknown = JSON.parse(doctor.output)
    return v.parse(v.omit(health, ['at']), report)
  }
  if (url !== undefined) {
    const empty = await read({ DATABASE_URL: url })
    expect(empty.findings).toContainEqual(
      expect.objectContaining({
        area: 'database',
        state: 'bad',
        what: expect.stringContaining('is empty'),
        fix: 'npm run migrate',
      }),
    )
  }
  const away = await read({ DATABASE_URL: 'postgres://127.0.0.1:9/none' })
  expect(away.findings.find(({ area }) => area === 'database')).toMatchObject({
    state: 'bad',
    fix: expect.stringContaining('DATABASE_URL'),
  })
  expect((await read({ PORT: 'many' })).findings.map(({ what }) => what)).toEqual(['PORT: must be a port number'])
})
