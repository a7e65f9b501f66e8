import { formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { maxGroupGain } from '../../modules/rewards/index.ts'
import { currentOffer } from '../../modules/staff/index.ts'
import { createPaymentProvider } from '../../gateways/payment-provider/index.ts'
import { runJob } from '../../jobs/job.ts'
import { findingJob } from '../../modules/deposits/index.ts'
import { platformAlerts } from '../../modules/staff/operations/platform-alerts.ts'
import { currentSettings } from '../../modules/settings/index.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { startSandboxProvider } from '../index.ts'
import { auditPlatform } from '../../main/all-checks.ts'
import { providerDifferences } from '../../diagnostics/provider.ts'
import { createPorts } from '../../main/ports.ts'
import { cast, STORY_DAYS } from './cast.ts'
import { seedDemo } from './seed-demo.ts'

const PRESENT = '2026-03-02T09:00:00Z'

describe('demo story', async () => {
  const { db } = await testDatabase()
  const config = readConfig({ NODE_ENV: 'test' })
  const deps = { config, clock: testClock(PRESENT), ids: randomIds, log: createLog('silent') }
  const ports = createPorts(config, 'http://127.0.0.1:9')
  const members = async () => Number((await db.selectFrom('member').select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)

  it('leaves an empty database when interrupted, so that the next start runs it again', async () => {
    const broken = { name: 'power cut', everySeconds: 1, run: () => Promise.reject(new Error('power cut')) }
    await expect(seedDemo(db, deps, ports, [broken])).rejects.toThrow('power cut')
    expect(await members()).toBe(0)
  })

  it('pays every day, passes the audit, and runs once', async () => {
    expect(await seedDemo(db, deps, ports)).toBe(true)
    expect(await members()).toBe(cast.length)
    const days = await db.selectFrom('reward_day').select(['day', 'status']).orderBy('day').execute()
    expect(days.at(-1)?.day).toBe(PRESENT.slice(0, 10))
    expect(days.length).toBe(STORY_DAYS + 1)
    expect(days.slice(0, -1).filter((day) => day.status !== 'DONE')).toEqual([])
    const open = await db.selectFrom('reward_payment').select('run_id').whereRef('paid', '<', 'total').execute()
    expect(open).toEqual([])
    // The most that a group can take out in 30 days, without moves that earn by leaving and returning (RW-14).
    const offer = await currentOffer(db, deps.clock.now())
    const { perMonth, warnings } = maxGroupGain(offer)
    expect(warnings).toEqual([])
    expect(formatUnits(perMonth ?? 0n)).toMatch(/^3\.27/)
    // An incident would pause the platform before the first visitor.
    expect(await platformAlerts(db, deps.clock.now())).toEqual([])
    // No row lies in the future, and the next due time comes after the first visit.
    const future = await db.selectFrom('ledger_transfer').select('id').where('created_at', '>', new Date(PRESENT)).execute()
    expect(future).toEqual([])
    const late = new Date(new Date(PRESENT).getTime() + 60 * 60_000)
    const next = await sql<{ at: Date }>`select least(
      (select min(reward_step(stream = 2, starts_at, processed + 1)) from reward_source where processed < steps),
      (select min(release_at) from reward_instant where status = 'held')) as at`.execute(db)
    expect(next.rows[0]?.at.getTime()).toBeGreaterThan(late.getTime())
    const payouts = await db.selectFrom('payout_request').selectAll().execute()
    const { fourEyesAboveUsd, fourEyesAboveCoin } = await currentSettings(db, deps.clock.now())
    const large = payouts.filter((one) => one.amount > (one.kind === 'bridge' ? fourEyesAboveCoin : fourEyesAboveUsd))
    // Above the limit: one paid with two approvals, and one that waits for the second.
    expect(large.map((one) => [one.status, one.first_approved_by !== null]).toSorted()).toEqual([
      ['APPROVED', true],
      ['PENDING', true],
    ])
    expect((await auditPlatform(db, deps.config)).filter((result) => result.broken > 0)).toEqual([])
    expect(await seedDemo(db, deps, ports)).toBe(false)
    expect(await members()).toBe(cast.length)
    // The bundled provider knows the payments of the story, so no credit lacks one.
    const secret = 'a secret of the sandbox'
    const sandbox = await startSandboxProvider({ secret, port: 0 })
    const provider = createPaymentProvider({ url: sandbox.url, apiKey: secret, noticeSecrets: [secret] })
    await runJob(db, { ...deps, clock: testClock(late) }, findingJob(provider, { now: true }), 'test')
    await sandbox.close()
    const hosted = await db.selectFrom('provider_payment').select('payment_id').execute()
    expect(hosted.length).toBeGreaterThan(3)
    expect(await providerDifferences(db, late)).toMatchObject([{ state: 'good' }])
  })
})
