import { allRoutes } from '@tizara/contract/all-routes'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { MONEY_CALLS, moneyInstance, secondOf } from '../../money-calls.ts'
import { sendCall } from '../../send-staff-call.ts'
import * as ofStaff from '../../staff-calls.ts'
import { ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { auditChecks as withdrawalChecks } from '../../../src/modules/withdrawals/index.ts'
import type { Db } from '../../../src/platform/db/database.ts'

const { db } = await testDatabase()
const instance = await moneyInstance(db)
await ofStaff.openStaffApp()

/** Operations with several transactions, each with a separate time. */
const LONG_ACTS = ['startRewardRun', 'previewRewardDay', 'payRewardDay']
/** Tables written by the request handler before or after the call. */
const SHELL = ['idempotency', 'session', 'refresh_token', 'rate_limit']

const columns = await sql<{ table: string; column: string }>`
  select c.table_name as table, c.column_name as column from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone' and c.is_generated = 'NEVER'
  order by 1, 2`.execute(db)
const written = columns.rows.filter(({ table }) => !SHELL.includes(table))

/** Returns times in the tables between two clock readings, with their columns. */
async function momentsBetween(on: Db, from: Date, until: Date): Promise<Record<string, string[]>> {
  const parts = written.map(
    ({ table, column }) => sql`
    select distinct ${`${table}.${column}`} as name, ${sql.ref(column)} as at from ${sql.table(table)}
    where ${sql.ref(column)} > ${from} and ${sql.ref(column)} < ${until}`,
  )
  const { rows } = await sql<{ name: string; at: Date }>`${sql.join(parts, sql` union all `)} order by 2, 1`.execute(on)
  const moments: Record<string, string[]> = {}
  for (const { name, at } of rows) (moments[at.toISOString()] ??= []).push(name)
  return moments
}

describe('timestamp of an action', () => {
  it.each(MONEY_CALLS)('[I17] is the same in all rows that %s writes', async (name) => {
    const call = await instance.ready(name, instance.member, instance.leader)
    const calls = [() => instance.send(call)]
    for (let turn = 0; turn < calls.length; turn += 1) {
      const from = instance.at.clock.now()
      const reply = await calls[turn]?.()
      const moments = await momentsBetween(db, from, instance.at.clock.now())
      expect([reply?.status, reply?.text]).toEqual([200, reply?.text])
      expect(Object.keys(moments).length, JSON.stringify(moments)).toBeLessThan(2)
      if (turn === 0 && reply?.body.data?.proposalId !== undefined) calls.push(() => instance.send(secondOf(instance, reply)))
    }
  })
  const staffRoutes = allRoutes.filter(
    (route) => route.access === 'staff' && route.method !== 'GET' && route.money !== true && !LONG_ACTS.includes(route.name),
  )

  it.each(staffRoutes.map((route) => [route.name, route] as const))(
    '[I17] is the same in all rows that %s of staff writes',
    async (name, route) => {
      const { instance: at, calls, staff, reason, lift } = ofStaff
      const call = calls[name]
      if (call === undefined) throw new Error(`no call for ${name}`)
      const { token } = staff.ADMIN
      const { path, body, before } = await call.prepare(token)
      if (before !== undefined) await at.at.call('POST', before, { token, body: { reason } })
      const from = at.at.clock.now()
      expect(await sendCall(route, { path, body }, token)).toBe(200)
      const moments = await momentsBetween(at.at.db, from, at.at.clock.now())
      expect(Object.keys(moments).length, JSON.stringify(moments)).toBeLessThan(2)
      await lift()
    },
  )
})

it('[I7] keeps the audit passing after 40 payouts that were cancelled before they were sent', async () => {
  for (let count = 0; count < 40; count += 1) {
    const reply = await instance.send(await instance.ready('stopSending', instance.leader, instance.member))
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('RETURNED')])
  }
  const broken = (await runAudit(db, [...ledgerChecks, ...withdrawalChecks])).filter((result) => result.broken > 0)
  expect(broken.map(({ check, examples }) => [check.title, examples])).toEqual([])
})
