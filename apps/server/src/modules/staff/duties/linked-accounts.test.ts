import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import { testDatabase } from '../../../../test/database.ts'
import { runJob } from '../../../jobs/job.ts'
import { staffRecurringJobs } from '../operations/staff.jobs.ts'
import { testInstance } from '../../../../test/test-instance.ts'

describe('possible self-referrals', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  const job = async () => {
    for (const one of staffRecurringJobs) await runJob(db, instance.deps, one, 'test')
  }
  let secrets = 0
  const signIn = (member: { id: bigint }, ip: string, browser = 'browser') =>
    sql`insert into session (public_id, member_id, created_at, last_seen_at, idle_seconds, expires_at, ip, network, user_agent, device)
      values (${`s-${(secrets += 1)}`}, ${member.id}, ${clock.now()}, ${clock.now()}, 60, ${clock.now()}, ${ip}, ${callerNetwork(ip)}, ${browser}, 'Browser')`.execute(
      db,
    )
  const ask = (member: { id: bigint }, address: string) =>
    sql`insert into payout_request (public_id, kind, member_id, amount, platform_fee, network_fee, received, address, network, hold_id, settings_version, created_at, confirm_by, owner_mac)
      values (${`p-${(secrets += 1)}`}, 'withdrawal', ${member.id}, 1, 0, 0, 1, ${address}, 0, ${secrets}, 1, ${clock.now()}, ${clock.now()}, '')`.execute(
      db,
    )
  const runAfterMinute = async () => {
    clock.advance(60_000)
    await job()
  }
  const traces = async () =>
    (await db.selectFrom('linked_account').selectAll().orderBy('id', 'desc').execute()).map((row) => [
      row.member_id,
      row.upline_id,
      row.level,
      [row.same_address && 'address', row.same_device && 'device', row.same_payout_address && 'payout'].filter(Boolean).join(' '),
    ])

  it('are members who share an IP address, a browser or a payout address with one of the five levels above', async () => {
    const line = [await instance.join()]
    for (let level = 0; level < 6; level += 1) line.push(await instance.join({ sponsor: line.at(-1) }))
    const [top, second, third, , , fifth, bottom] = line
    const stranger = await instance.join()
    if (top === undefined || second === undefined || third === undefined || fifth === undefined || bottom === undefined)
      throw new Error('no line')
    for (const member of [top, stranger, fifth, bottom]) await signIn(member, '192.0.2.7')
    await signIn(second, '192.0.2.7', 'another browser')
    await ask(third, '0xAbC')
    await ask(bottom, '0xabc')
    await ask(stranger, '0xabc')
    await job()
    expect(await traces()).toEqual([])
    await runAfterMinute()
    const expected = [
      [second.id, top.id, 1, 'address'],
      [fifth.id, top.id, 5, 'address device'],
      [fifth.id, second.id, 4, 'address'],
      // The sixth level earns nothing from the bottom.
      [bottom.id, second.id, 5, 'address'],
      [bottom.id, fifth.id, 1, 'address device'],
      [bottom.id, third.id, 4, 'payout'],
    ]
    expect((await traces()).toSorted()).toEqual(expected.toSorted())
    // A repeated trace, now with the same browser and payout address, updates the existing rows.
    await signIn(second, '192.0.2.7')
    await ask(second, '0xABC')
    await runAfterMinute()
    await runAfterMinute()
    expect((await traces()).toSorted()).toEqual(
      [
        [second.id, top.id, 1, 'address device'],
        [fifth.id, top.id, 5, 'address device'],
        [fifth.id, second.id, 4, 'address device'],
        [bottom.id, second.id, 5, 'address device payout'],
        [bottom.id, fifth.id, 1, 'address device'],
        [bottom.id, third.id, 4, 'payout'],
        [third.id, second.id, 1, 'payout'],
      ].toSorted(),
    )
  })

  it('exclude an IP address with many people as a shared network', async () => {
    const before = await traces()
    const sponsor = await instance.join()
    for (let count = 0; count < 51; count += 1) await signIn(count === 0 ? sponsor : await instance.join({ sponsor }), '198.51.100.1')
    await runAfterMinute()
    expect(await traces()).toEqual(before)
  })

  it('are found by index', async () => {
    await sql`set enable_seqscan = off`.execute(db)
    const plan = async (query: ReturnType<typeof sql>) =>
      (await sql`explain ${query}`.execute(db)).rows.map((row) => Object.values(row as object)[0]).join('\n')
    expect(await plan(sql`select distinct member_id from session where network = '192.0.2.7'`)).toContain('session_by_network')
    expect(await plan(sql`select distinct member_id from payout_request where lower(address) = '0xabc'`)).toContain(
      'payout_request_by_address',
    )
  })
})
