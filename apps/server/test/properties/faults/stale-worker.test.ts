import { isDeepStrictEqual } from 'node:util'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { addPendingRecovery, createTestMember, fund, PAYOUT_ADDRESS } from '../../members.ts'
import { testInstance } from '../../test-instance.ts'
import { enqueueMail } from '../../../src/gateways/mailer/index.ts'
import { type Lease, LeaseLost, leaseOn, underLease } from '../../../src/jobs/lease.ts'
import { runJob, type Job } from '../../../src/jobs/job.ts'
import { recordEvents } from '../../../src/modules/notices/index.ts'
import { approveImport } from '../../../src/modules/import/index.ts'
import { confirmStaged } from '../../../src/modules/import/import-mac.ts'
import { recordAudit } from '../../../src/modules/audit/index.ts'
import { rotateSecret, saveEndpoint } from '../../../src/modules/webhooks/index.ts'
import { requestWithdrawal, setPayoutRules } from '../../../src/modules/withdrawals/index.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'
import { pastChain } from '../../../src/sandbox/demo/past-chain.ts'
import type { Ports } from '../../../src/main/ports.ts'
import { allJobs } from '../../../src/main/jobs.ts'

const chain = pastChain()
const [OLD_KEY, NEW_KEY] = ['an-old-key-of-stored-data-of-this-test', 'the-new-key-of-stored-data-of-this-test']
const ports: Ports = {
  mailer: { send: () => Promise.resolve() },
  deposits: {
    chain,
    noticeUrl: '',
    provider: {
      createInvoice: () => Promise.reject(new Error('not part of this test')),
      getPayment: () => Promise.resolve(null),
      listPayments: () => Promise.resolve([]),
      listSince: () => Promise.resolve([]),
      verifyNotice: () => null,
    },
  },
}

describe('overtaken worker', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  // Runs during a data key rotation.
  const under = (env: Record<string, string>) => ({
    ...instance.deps,
    config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: instance.deps.config.dataDir, ...env }),
  })
  const deps = under({ DATA_KEY: NEW_KEY, DATA_KEY_PREVIOUS: OLD_KEY })
  await instance.fundPool('COIN', 1_000_000n * ONE)
  const sponsor = await instance.join()
  const member = await instance.join({ sponsor })
  await instance.stake(member, { amount: 1000n * ONE, apy: 10n * ONE, days: 1 })
  await instance.buyCoin(member, 100n * ONE)
  clock.advance(DAY_MS)

  const deposit = async (method: 'hosted' | 'chain', key: string) => {
    const expires = method === 'chain' ? clock.now() : null
    const address = method === 'chain' ? await inTransaction(db, (tx) => chain.newAddress(tx, key, clock.now())) : null
    return sql`
      insert into deposit (public_id, member_id, method, description, amount, usd_amount, created_at, next_check_at, address, expires_at, watched_until, state)
      values (${key}, ${member.id}, ${method}, 'test', ${ONE}, ${ONE}, ${clock.now()}, ${clock.now()}, ${address},
        ${expires}, ${expires}, ${method === 'chain' ? 'awaiting' : null})`.execute(db)
  }
  const waitingMail = (by: Deps) =>
    inTransaction(db, (tx) =>
      enqueueMail(tx, by, {
        to: member.email,
        template: 'passwordChanged',
        data: { name: 'Test', at: new Date('2026-03-02T09:00:00Z'), how: 'reset' },
      }),
    )
  /** Work for each job, after the earlier jobs in the worker's order. */
  const work: Record<string, (() => Promise<unknown>) | null> = {
    'payment-reconciler': () => deposit('hosted', 'order'),
    'payment-finder': null,
    'invoice-watcher': () => deposit('chain', 'invoice'),
    'reward-totals': null,
    'team-totals': null,
    'reward-run': null,
    'reward-release': () => sql`update reward_instant set release_at = ${clock.now()}`.execute(db),
    'stake-maturity': null,
    'sell-requests': () =>
      sql`insert into sell_request (public_id, member_id, amount, lowest_price, created_at, expires_at)
        values ('s', ${member.id}, 1, 1, ${new Date(clock.now().getTime() - DAY_MS)}, ${clock.now()})`.execute(db),
    'wallet-days': null,
    'linked-accounts': () =>
      sql`insert into session (public_id, member_id, created_at, last_seen_at, idle_seconds, expires_at, ip, user_agent, device)
        values ('s', ${member.id}, ${new Date(clock.now().getTime() - DAY_MS)}, ${clock.now()}, 60, ${clock.now()}, '192.0.2.7', 'browser', 'Browser')`.execute(
        db,
      ),
    'payout-rules': () =>
      inTransaction(db, async (tx) => {
        await fund(tx, member.id, 'depositWallet', 20n * ONE)
        const { id } = await requestWithdrawal(tx, deps, { memberId: member.id, amount: 20n * ONE, address: PAYOUT_ADDRESS })
        await tx
          .updateTable('payout_request')
          .set({ confirmed_at: clock.now(), confirmed_how: 'page' })
          .where('public_id', '=', id)
          .execute()
        const rules = [{ action: 'queue' as const, name: 'Large', kind: 'withdrawal' as const, above: ONE }]
        await setPayoutRules(tx, deps, { rules, actorId: null, reason: 'test' })
      }),
    screening: () =>
      sql`insert into screening_list (hash, status, entries, staged_at) values ('list', 'REPLACED', 0, ${clock.now()})`.execute(db),
    import: () =>
      inTransaction(db, async (tx) => {
        const row = { hash: 'a'.repeat(64), status: 'STAGED', members: 0, referrals: 0, usd: 0n, coin: 0n, staged_at: clock.now() }
        const { id } = await tx.insertInto('import_batch').values(row).returning('id').executeTakeFirstOrThrow()
        await confirmStaged(tx, deps.config, id)
        await approveImport(tx, deps, row.hash)
      }),
    'import-mails': () =>
      sql`with batch as (
          insert into import_batch (hash, status, members, referrals, usd, coin, staged_at, approved_at, ended_at, report, mails_per_hour, mails_waiting)
          values (${'e'.repeat(64)}, 'DONE', 1, 0, 0, 0, ${clock.now()}, ${clock.now()}, ${clock.now()}, '', 60, 1) returning id)
        insert into import_mail (batch_id, member_id, needs_password) select id, ${member.id}, true from batch`.execute(db),
    'import-report': () =>
      sql`insert into import_batch (hash, status, members, referrals, usd, coin, staged_at, approved_at, ended_at)
        values (${'b'.repeat(64)}, 'DONE', 0, 0, 0, 0, ${clock.now()}, ${clock.now()}, ${clock.now()})`.execute(db),
    'watch-platform': null,
    'access-journal': () => sql`update member set suspended_until = ${clock.now()} where id = ${sponsor.id}`.execute(db),
    'business-days': null,
    'weekly-report': null,
    'audit-anchor': () =>
      inTransaction(db, (tx) => recordAudit(tx, { at: clock.now(), actorId: null, actorRole: 'SYSTEM', action: 'test', outcome: 'ok' })),
    'publish-balances': null,
    'return-unconfirmed-payouts': () =>
      inTransaction(db, async (tx) => {
        await fund(tx, member.id, 'depositWallet', 20n * ONE)
        await requestWithdrawal(tx, deps, { memberId: member.id, amount: 20n * ONE, address: PAYOUT_ADDRESS })
        await tx.updateTable('payout_request').set({ confirm_by: clock.now() }).execute()
      }),
    'answer-reset-requests': () =>
      sql`insert into reset_request (email, ip, request_id, created_at) values (${member.email}, '192.0.2.7', 'r', ${clock.now()})`.execute(
        db,
      ),
    'recover-accounts': async () => {
      await addPendingRecovery(db, (await createTestMember(db)).id, clock.now())
    },
    'close-accounts': async () => {
      const { id } = await createTestMember(db)
      await sql`update member set is_active = false, closes_at = ${clock.now()} where id = ${id}`.execute(db)
    },
    'erase-accounts': async () => {
      const { id } = await createTestMember(db)
      await sql`update member set is_active = false, closes_at = ${clock.now()}, closed_at = ${clock.now()}, erases_at = ${clock.now()} where id = ${id}`.execute(
        db,
      )
    },
    'forget-old-rows': () =>
      sql`insert into reset_request (email, ip, request_id, created_at, handled_at)
        values (${member.email}, '192.0.2.7', 'old', '2020-01-01', '2020-01-01')`.execute(db),
    // Aggregated by another worker and not yet paid.
    'reward-helper-2': () =>
      sql`with run as (insert into reward_run (day, through, status, by_hand, started_at)
          select min(day), ${clock.now()}, 'PAY', false, ${clock.now()} from reward_day returning id),
        credit as (insert into reward_credit select id, 0, ${member.id}, ${sponsor.id}, true, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5 from run)
        insert into reward_payment (run_id, stream, credits, total) select id, 0, 1, 5 from run`.execute(db),
    'background-jobs': () =>
      sql`insert into background_job (public_id, kind, owner_id, input, input_mac, created_at) values ('job', 'gone', ${member.id}, '{}', '', ${clock.now()})`.execute(
        db,
      ),
    'close-months': null,
    're-encrypt': () => waitingMail(under({ DATA_KEY: OLD_KEY })),
    'send-payout-notifications': () =>
      inTransaction(db, (tx) => requestWithdrawal(tx, deps, { memberId: member.id, amount: 20n * ONE, address: PAYOUT_ADDRESS })),
    'move-events': () => sql`update member set is_active = not is_active where id = ${sponsor.id}`.execute(db),
    // The address is refused before a connection, which is an attempt too.
    'send-webhooks': () =>
      inTransaction(db, async (tx) => {
        await rotateSecret(tx, deps, await saveEndpoint(tx, deps, { name: 'Books', url: 'http://127.0.0.1/', kinds: [] }))
        await sql`insert into event (event_id, kind, subject, at) values (gen_random_uuid(), 'stake.created', 's', ${clock.now()})`.execute(
          tx,
        )
      }),
    'send-notices': () =>
      inTransaction(db, (tx) =>
        recordEvents(tx, clock.now(), [
          { memberId: member.id, event: 'deposit', cause: 'a cause', amount: 1n, asset: 'usd', facts: { deposit: 'none' } },
        ]),
      ),
    'send-mails': () => waitingMail(deps),
  }

  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'job_lease' order by 1`.execute(db)
  /** Returns the database content except leases. */
  const contents = async () => {
    const parts = tables.rows.map(
      ({ name }) => sql`select ${name}::text as name, sum(hashtextextended(t::text, 0)::numeric)::text as hash from ${sql.table(name)} t`,
    )
    return (await sql`${sql.join(parts, sql` union all `)} order by 1`.execute(db)).rows
  }

  /** Runs a job whose worker loses its lease before a step. Returns the content at that time. */
  async function overtakenAt(job: Job, step: number): Promise<{ reached: boolean; end: unknown; before: unknown }> {
    let left = step
    let before: unknown
    const overtake = async () => {
      left -= 1
      if (left !== 0) return
      await sql`update job_lease set fencing_token = fencing_token + 1, holder = 'another', held_until = clock_timestamp() + interval '1 minute'
        where name = ${job.name}`.execute(db)
      before = await contents()
    }
    const slowed = (lease: Lease) =>
      leaseOn({
        read: async (look) => (await overtake(), lease.read(look)),
        inTransaction: async (write) => (await overtake(), lease.inTransaction(write)),
      })
    const end = await underLease(db, { name: job.name, holder: 'stale', clock }, (lease) => job.run(slowed(lease), deps)).catch(
      (error: unknown) => error,
    )
    if (left <= 0) await sql`update job_lease set held_until = null where name = ${job.name}`.execute(db)
    return { reached: left <= 0, end, before }
  }

  const jobs = allJobs(ports, 2)
  it('is tested with every job', () => {
    expect(Object.keys(work).toSorted()).toEqual(jobs.map((job) => job.name).toSorted())
  })

  it.each(jobs)('writes nothing in $name, at any step', async (job) => {
    await work[job.name]?.()
    let written = false
    for (let step = 1; ; step += 1) {
      const start = await contents()
      const { reached, end, before } = await overtakenAt(job, step)
      written ||= !isDeepStrictEqual(await contents(), start)
      if (!reached) {
        expect(end).toEqual(expect.any(Number))
        break
      }
      expect(await contents()).toEqual(before)
      if (typeof end !== 'number') expect(end).toBeInstanceOf(LeaseLost)
    }
    // The job had work, and did it once it was alone.
    expect(written).toBe(true)
  })

  it('cannot write in a read-only step', async () => {
    const job: Job = {
      name: 'looks',
      everySeconds: 1,
      run: (lease) => lease.read(async (look) => Number((await sql`delete from reset_request`.execute(look)).numAffectedRows)),
    }
    await expect(runJob(db, deps, job, 'test')).rejects.toThrow('read-only')
  })
})
