import { formatUnits, ONE } from '@tizara/money'
import { digestOf, readStatement, writeStatement } from '@tizara/contract/balance-proof/proof-statement'
import { verifyHistory } from '@tizara/contract/balance-proof/verify-history'
import { verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { runChecks } from '../../ledger/audit.ts'
import { hold, runAudit } from '../../ledger/index.ts'
import { runJob } from '../../jobs/job.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { trustChecks, trustRoutes, trustJobs } from './index.ts'

/** Starts an instance with three members, one of them with an amount on hold. */
async function instanceWithMembers() {
  const { db } = await testDatabase()
  const instance = await testApp(db, { routes: trustRoutes, jobs: trustJobs() })
  const members = [await createTestMember(db), await createTestMember(db), await createTestMember(db)]
  for (const [index, member] of members.entries()) await fund(db, member.id, 'depositWallet', BigInt(index + 1) * 10n * ONE)
  const [first] = members
  if (first === undefined) throw new Error('no member')
  const cause = { type: 'withdrawal', id: '1' }
  await hold(db, {
    from: { owner: first.id, kind: 'depositWallet' },
    amount: 4n * ONE,
    kind: 'withdrawal',
    cause,
    at: instance.clock.now(),
  })
  const get = async (path: string, member?: (typeof members)[number]) =>
    instance.call('GET', path, member === undefined ? {} : { token: (await instance.signIn(member.id)).token })
  const proofOf = async (member: (typeof members)[number]) => (await get('/trust/my-proof', member)).body.data
  const history = async () => (await get('/trust/history')).body.data
  const dayLater = async () => {
    instance.clock.advance(DAY_MS)
    await instance.runJobs()
  }
  return { db, instance, members, first, get, proofOf, history, dayLater }
}

it('shows visitors the price and only the plans on sale', async () => {
  const { db } = await testDatabase()
  const instance = await testApp(db, { routes: trustRoutes })
  const at = instance.clock.now()
  const plan = { duration_days: 100, minimum: 5n * ONE, apy: 12n * ONE, is_omega: false, created_at: at }
  await db
    .insertInto('stake_plan')
    .values([
      { ...plan, public_id: 'offered', name: 'Offered', status: 'ACTIVE' },
      { ...plan, public_id: 'closed', name: 'Closed', status: 'CLOSED' },
    ])
    .execute()
  const { body, status } = await instance.call('GET', '/trust/offer')
  expect(status).toBe(200)
  expect(body.data.coinPrice).toBe(0.008)
  expect(body.data.plans).toContainEqual({ id: 'offered', planName: 'Offered', duration: 100, minimum: 5, apy: 12 })
  expect(body.data.plans.map((one: { id: string }) => one.id)).not.toContain('closed')
})

it('shows visitors the first name of an inviter, and nothing of blocked members and unknown codes', async () => {
  const { db } = await testDatabase()
  const instance = await testApp(db, { routes: trustRoutes, env: { RATE_LIMIT_SCALE: '1' } })
  const named = await createTestMember(db, { name: ' Zoë  van Dyck' })
  const blocked = await createTestMember(db, { active: false })
  const codeOf = async ({ id }: { id: bigint }) =>
    (await db.selectFrom('member').select('referral_code').where('id', '=', id).executeTakeFirstOrThrow()).referral_code
  const firstName = async (code: string) => (await instance.call('GET', `/trust/inviter?code=${code}`)).body.data
  expect(await firstName((await codeOf(named)).toLowerCase())).toEqual({ firstName: 'Zoë' })
  expect(await firstName(await codeOf(blocked))).toEqual({ firstName: null })
  expect(await firstName('NOBODY00')).toEqual({ firstName: null })
  expect((await instance.call('GET', '/trust/inviter?code=%25')).status).toBe(400)
  for (let count = 4; count < 10; count += 1) await firstName('NOBODY00')
  expect((await instance.call('GET', `/trust/inviter?code=${await codeOf(named)}`)).status).toBe(429)
})

const broken = async (db: Db) => (await runAudit(db, trustChecks)).filter((one) => one.broken > 0).map(({ check }) => check.title)

describe('balances', async () => {
  const { db, instance, members, first, get, proofOf, history, dayLater } = await instanceWithMembers()

  it('shows wallets, holds and their sum, and the external money by the books, without a session', async () => {
    const { body, status } = await get('/trust')
    expect(status).toBe(200)
    expect(body.data.reserves).toEqual([
      { asset: 'usd', wallets: 56, holds: 4, earned: 0, liabilities: 60, books: 60 },
      { asset: 'coin', wallets: 0, holds: 0, earned: 0, liabilities: 0, books: 15_000_000_000 },
    ])
    expect(body.data.rewardPool).toContainEqual({ asset: 'coin', balance: 0, promised: 0, owed: 0, coverage: null })
    expect(body.data.proof).toBeNull()
    expect(await history()).toEqual([])
    expect((await get('/trust/my-proof', first)).status).toBe(404)
  })

  it('[I21] publishes roots that equal the figures of the page, and gives each member a proof of only their own amounts', async () => {
    await instance.runJobs()
    const { proof, reserves } = (await get('/trust')).body.data
    const statement = readStatement(proof.text)
    expect(statement).toMatchObject({ number: 1, day: '2026-03-02', members: 3, reserves: 'no-chain', unassigned: { usd: 0n, coin: 0n } })
    expect(formatUnits(statement.owed.usd)).toBe(String(reserves[0].liabilities))
    for (const [index, member] of members.entries()) {
      const text = JSON.stringify(await proofOf(member))
      const verified = await verifyProof(JSON.parse(text), member.publicId)
      expect(verified.owed).toEqual({ usd: BigInt(index + 1) * 10n * ONE, coin: 0n })
      expect(verified.text).toBe(proof.text)
      for (const other of members.filter((one) => one !== member)) expect(text).not.toContain(other.publicId)
    }
    expect(await broken(db)).toEqual([])
    const logged = await sql<{ digest: string }>`
      select detail ->> 'digest' as digest from audit_event where action = 'trust.publish'`.execute(db)
    expect(logged.rows).toEqual([{ digest: proof.digest }])
  })

  it('publishes one statement a day as a chain, keeps the newest three trees, and counts a new member from the next day', async () => {
    await instance.runJobs()
    for (let day = 0; day < 4; day += 1) await dayLater()
    const rows = await history()
    expect((await verifyHistory(rows)).head).toMatchObject({ number: 5 })
    expect((await get('/trust/history?after=3')).body.data).toEqual(rows.slice(3))
    expect((await get('/trust/history?after=x')).status).toBe(400)
    expect(await db.selectFrom('trust_leaf').select('tree_id').distinct().execute()).toHaveLength(3)
    expect(await db.selectFrom('trust_tree').select('id').execute()).toHaveLength(3)
    const late = await createTestMember(db)
    expect((await get('/trust/my-proof', late)).status).toBe(404)
    expect(await broken(db)).toEqual([])
    await dayLater()
    expect(await verifyProof(await proofOf(late), late.publicId)).toMatchObject({ owed: { usd: 0n, coin: 0n } })
  })

  it('continues after a run that ended before it published, and deletes that run’s tree', async () => {
    instance.clock.advance(DAY_MS)
    const [job] = trustJobs()
    if (job === undefined) throw new Error('no job')
    const failing = { ...job, run: () => Promise.reject(new Error('stopped')) }
    await expect(runJob(db, instance.deps, failing, 'worker')).rejects.toThrow('stopped')
    await db.insertInto('trust_tree').values({ begun_at: instance.clock.now(), newest_member: 0n }).execute()
    await instance.runJobs()
    expect(await db.selectFrom('trust_tree').select('id').execute()).toHaveLength(3)
    expect((await history()).at(-1).text).toContain('\nnumber 7\n')
  })

  it('waits while a reward run is being counted, because its rewards are neither promised nor owed', async () => {
    instance.clock.advance(DAY_MS)
    const at = instance.clock.now()
    await sql`insert into reward_day (day, status, opened_at) values (${at}::date, 'OPEN', ${at})`.execute(db)
    await sql`insert into reward_run (day, through, status, by_hand, started_at) values (${at}::date, ${at}, 'RECORDING', false, ${at})`.execute(
      db,
    )
    await instance.runJobs()
    expect(await history()).toHaveLength(7)
    await sql`delete from reward_run`.execute(db)
    await instance.runJobs()
    expect(await history()).toHaveLength(8)
  })
})

describe('audit of the published balances', async () => {
  const { db, instance, members, first, get, proofOf, dayLater } = await instanceWithMembers()
  await instance.runJobs()
  const newest = sql`(select tree_id from trust_statement order by number desc limit 1)`
  const member = members[1] ?? first

  it.each([
    [
      'a member is deleted from the tree',
      /each member is in/,
      sql`delete from trust_leaf where tree_id = ${newest} and member_id = ${member.id}`,
    ],
    [
      'the newest member is deleted from the tree',
      /each member is in/,
      sql`delete from trust_leaf where tree_id = ${newest} and member_id = (select max(id) from member)`,
    ],
    [
      'an amount is lowered',
      /add up to/,
      sql`update trust_leaf set owed_usd = owed_usd - 1 where tree_id = ${newest} and member_id = ${member.id}`,
    ],
    [
      'an amount moves to another member',
      /has not moved/,
      sql`update trust_leaf set owed_usd = owed_usd + case member_id when ${member.id} then -5 else 5 end,
        wallet_usd = wallet_usd + case member_id when ${member.id} then -5 else 5 end
        where tree_id = ${newest} and member_id in (${member.id}, ${first.id})`,
    ],
    [
      'members together have more than the platform says it owes',
      /amounts owed and promised on the page/,
      sql`update ledger_account set balance = balance + 1 where owner_id = ${member.id} and kind = 'depositWallet'`,
    ],
    ['nodes are deleted', /all their nodes/, sql`delete from trust_node where tree_id = ${newest} and tree = 'promised' and level = 0`],
    [
      'two leaves share a position',
      /its own position/,
      sql`update trust_leaf set owed_positions[1] = owed_positions[2] where tree_id = ${newest} and member_id = ${member.id}`,
    ],
  ])('[I21] is red when %s', async (_, title, change) => {
    await db
      .transaction()
      .execute(async (tx) => {
        await change.execute(tx)
        const found = (await runChecks(tx, trustChecks)).filter((one) => one.broken > 0).map(({ check }) => check.title)
        expect(found).toContainEqual(expect.stringMatching(title))
        throw new Error('undo')
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'undo' }))
    expect(await broken(db)).toEqual([])
  })

  it('[I21] is red when a day leaves a member out, and its statement, sums and audit log agree', async () => {
    await db
      .transaction()
      .execute(async (tx) => {
        for (const table of ['trust_statement', 'audit_event']) await sql`alter table ${sql.table(table)} disable trigger all`.execute(tx)
        const { rows } = await sql<{ number: number; text: string }>`
          select number, text from trust_statement order by number desc limit 1`.execute(tx)
        const published = readStatement(rows[0]?.text ?? '')
        const left = await sql<{ usd: bigint }>`
          delete from trust_leaf where tree_id = ${newest} and member_id = (select max(id) from member) returning owed_usd as usd`.execute(
          tx,
        )
        const usd = published.owed.usd - (left.rows[0]?.usd ?? 0n)
        const leaves = published.owed.leaves - 4
        const text = writeStatement({
          ...published,
          members: published.members - 1,
          owed: { ...published.owed, leaves, usd },
          promised: { ...published.promised, leaves },
        })
        const digest = await digestOf(text)
        await sql`update trust_statement set text = ${text}, digest = ${digest} where number = ${published.number}`.execute(tx)
        await sql`update audit_event set detail = ${JSON.stringify({ digest, text })}::jsonb
          where action = 'trust.publish' and subject_id = ${String(published.number)}`.execute(tx)
        const found = (await runChecks(tx, trustChecks)).filter((one) => one.broken > 0).map(({ check }) => check.title)
        expect(found).toContain('each member is in the newest published tree')
        expect(found).not.toContain('the members of the newest published tree add up to its published numbers')
        expect(found).not.toContain('each published statement follows the one before it, and is in the audit log')
        throw new Error('undo')
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'undo' }))
    expect(await broken(db)).toEqual([])
  })

  it('[I21] is red when a statement is replaced past the triggers', async () => {
    await sql`alter table trust_statement disable trigger all`.execute(db)
    await sql`update trust_statement set text = text || 'x', digest = encode(sha256(convert_to(text || 'x', 'UTF8')), 'hex')`.execute(db)
    expect(await broken(db)).toContainEqual(expect.stringMatching(/follows the one before it, and is in the audit log/))
    await sql`update trust_statement set text = left(text, -1), digest = encode(sha256(convert_to(left(text, -1), 'UTF8')), 'hex')`.execute(
      db,
    )
    await sql`alter table trust_statement enable trigger all`.execute(db)
    await expect(sql`delete from trust_statement`.execute(db)).rejects.toThrow()
    expect(await broken(db)).toEqual([])
  })

  it('[I21] tells a member who was left out that the newest tree does not include them', async () => {
    await sql`delete from trust_leaf where tree_id = ${newest} and member_id = ${member.id}`.execute(db)
    expect((await get('/trust/my-proof', member)).status).toBe(404)
    await verifyProof(await proofOf(first), first.publicId)
    expect(await broken(db)).not.toEqual([])
    await dayLater()
    expect(await broken(db)).toEqual([])
  })
})
