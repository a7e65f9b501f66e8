import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember } from '../../members.ts'
import { retentionJob } from '../../../src/jobs/retention.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'
import { retentions } from '../../../src/main/jobs.ts'

const { db } = await testDatabase()

describe('expired rows', async () => {
  const at = await testApp(db, { routes: () => undefined, jobs: [retentionJob(retentions)] })

  it.each(retentions)('are found by an index: $table', async ({ table, moment }) => {
    const plan = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`
        explain select ctid from ${sql.table(table)} where ${sql.raw(moment)} < now() limit 10`.execute(tx)
    })
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index (Only )?Scan using|Bitmap Index Scan/)
  })

  it('are deleted after their retention time in several batches, and not before', async () => {
    const member = await createTestMember(db)
    await sql`insert into idempotency select ${member.id}, 'op', n::text, 'd', 200, '{}', ${at.clock.now()} from generate_series(1, 2500) n`.execute(
      db,
    )
    await sql`insert into mail_outbox (public_id, recipient, template, status, next_attempt_at, not_after, created_at)
      select s, 'a@gmail.com', 'code', s, ${at.clock.now()}, ${at.clock.now()}, ${at.clock.now()} from unnest(array['SENT', 'WAITING', 'DROPPED']) s`.execute(
      db,
    )
    const { sessionId } = await at.signIn(member.id)
    await db.updateTable('session').set({ ended_at: at.clock.now() }).where('id', '=', sessionId).execute()
    const left = async () => {
      await at.runJobs()
      const found = await sql<{ keys: number; mails: string; sessions: number; tokens: number }>`
        select (select count(*)::int from idempotency) as keys, (select string_agg(status, ',' order by status) from mail_outbox) as mails,
          (select count(*)::int from session) as sessions, (select count(*)::int from refresh_token) as tokens`.execute(db)
      return found.rows[0]
    }
    const all = { keys: 2500, mails: 'DROPPED,SENT,WAITING', sessions: 1, tokens: 1 }
    at.clock.advance(30 * DAY_MS)
    expect(await left()).toEqual(all)
    at.clock.advance(1)
    expect(await left()).toEqual({ ...all, keys: 0, tokens: 0 })
    at.clock.advance(60 * DAY_MS)
    expect(await left()).toEqual({ keys: 0, mails: 'WAITING', sessions: 0, tokens: 0 })
  })
})
