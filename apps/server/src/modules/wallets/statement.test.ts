import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { outside } from '../../../test/outside.ts'
import { backgroundJobs } from '../../jobs/background-jobs.job.ts'
import { balancesOf, post } from '../../ledger/index.ts'
import { allTransfers } from '../../main/all-checks.ts'
import { statementJob, walletRoutes, walletJobs } from './index.ts'

const { db } = await testDatabase()
const none = { dailyBonusCount: 0n, transactionHistoryCount: 0n, dailyStakeLogsBonus: 0n }
const at: TestApp = await testApp(db, {
  routes: (bind) => walletRoutes(bind, { rewardTotals: () => Promise.resolve(none), outside, histories: [], transfers: allTransfers }),
  jobs: [...walletJobs, backgroundJobs([statementJob(allTransfers)])],
})
const member = await createTestMember(db)
const token = async (id = member.id) => (await at.signIn(id)).token
const move = (amount: bigint, when: string) =>
  post(db, {
    kind: 'swapNative',
    cause: { type: 'member', id: String(member.id) },
    at: new Date(when),
    transfers: [{ from: { owner: member.id, kind: 'nativeWallet' }, to: { owner: member.id, kind: 'icoWallet' }, amount }],
  })

/** Returns a wallet's month from a statement: opening, movements, closing, as figures. */
async function statement(month: string, wallet: string) {
  const reply = await at.call('POST', '/statements', { token: await token(), body: { month } })
  expect(reply.status).toBe(200)
  await at.runJobs()
  const job = await at.call('GET', `/jobs/${reply.body.data.jobId}`, { token: await token() })
  expect(job.body.data.state).toBe('DONE')
  const { text } = await at.call('GET', job.body.data.fileHref, { token: await token() })
  const lines = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const own = lines.filter((line) => line[0] === wallet)
  return { opening: own[0]?.[4], moved: own.slice(1, -1).map((line) => line[3]), closing: own.at(-1)?.[4], id: reply.body.data.jobId }
}

describe('statement', () => {
  it('opens with the closing balance of the month before, and matches the ledger to the last unit', async () => {
    await fund(db, member.id, 'nativeWallet', 1000n * ONE + 1n)
    await move(100n * ONE, '2026-03-31T23:59:59.999Z')
    await move(1n, '2026-04-01T00:00:00.000Z')
    await move(7n * ONE, '2026-04-30T23:59:59.999Z')
    // A server's clock lags: the movement belongs to the month given by the wallet's order.
    await move(3n, '2026-05-01T00:00:00.000Z')
    await move(5n, '2026-04-30T23:59:59.998Z')
    at.clock.set('2026-05-03T09:00:00Z')
    const [march, april, may] = [
      await statement('2026-03', 'My Wallet'),
      await statement('2026-04', 'My Wallet'),
      await statement('2026-05', 'My Wallet'),
    ]
    expect(march).toMatchObject({ opening: '0', moved: ['100'], closing: '100' })
    expect(april).toMatchObject({ opening: '100', moved: ['0.00000001', '7'], closing: '107.00000001' })
    expect(may).toMatchObject({ opening: '107.00000001', moved: ['0.00000003', '0.00000005'], closing: '107.00000009' })
    expect((await balancesOf(db, member.id)).icoWallet).toBe(10_700_000_009n)
    expect(await statement('2026-01', 'My Wallet')).toMatchObject({ opening: '0', moved: [], closing: '0' })
  })

  it('is written in many steps without gaps', async () => {
    for (let times = 0; times < 3; times += 1) {
      await post(db, {
        kind: 'swapNative',
        cause: { type: 'member', id: String(member.id) },
        at: new Date('2026-05-02T00:00:00Z'),
        transfers: Array.from({ length: 400 }, () => ({
          from: { owner: member.id, kind: 'nativeWallet' as const },
          to: { owner: member.id, kind: 'icoWallet' as const },
          amount: 1n,
        })),
      })
    }
    const { moved, opening, closing } = await statement('2026-05', 'My Wallet')
    const units = (text: string | undefined) => Math.round(Number(text) * 1e8)
    expect(moved).toHaveLength(1202)
    expect(units(opening) + moved.reduce((sum, text) => sum + units(text), 0)).toBe(units(closing))
  })

  it('is readable only by its owner, and rejected for a future month', async () => {
    const { id } = await statement('2026-04', 'My Wallet')
    const other = await createTestMember(db)
    const admin = await createTestMember(db, { role: 'ADMIN' })
    for (const who of [other, admin]) {
      for (const what of ['', '/file']) {
        expect((await at.call('GET', `/jobs/${id}${what}`, { token: await token(who.id) })).status).toBe(404)
      }
    }
    for (const month of ['2026-13', '26-01', '2026-1', ''])
      expect((await at.call('POST', '/statements', { token: await token(), body: { month } })).status).toBe(400)
    const reply = await at.call('POST', '/statements', { token: await token(), body: { month: '2026-06' } })
    await at.runJobs()
    const { body } = await at.call('GET', `/jobs/${reply.body.data.jobId}`, { token: await token() })
    expect(body.data).toMatchObject({ state: 'FAILED', error: 'This month has not started yet' })
  })

  it.each(['2000-01', '2025-12', '2099-12', '2026-06'])('is empty for a month before the member joined: %s', async (month) => {
    const late = await createTestMember(db)
    const { body } = await at.call('POST', '/statements', { token: await token(late.id), body: { month } })
    await at.runJobs()
    const job = (await at.call('GET', `/jobs/${body.data.jobId}`, { token: await token(late.id) })).body.data
    if (job.state === 'FAILED') return expect([month > '2026-05', job.error]).toEqual([true, 'This month has not started yet'])
    const { text, headers } = await at.call('GET', job.fileHref, { token: await token(late.id) })
    expect(headers['content-disposition']).toBe(`attachment; filename="statement-${month}.csv"`)
    expect(text).not.toMatch(/,-?\d*[1-9]/)
    expect(text).toContain('Opening balance')
    return expect(month < '2026-05').toBe(true)
  })

  it('[API-17] limits waiting statements to five and stored ones to 20 per member', async () => {
    const [greedy, other] = [await createTestMember(db), await createTestMember(db)]
    const session = await token(greedy.id)
    const ask = (who = session) => at.call('POST', '/statements', { token: who, body: { month: '2026-01' } })
    const kept = await ask(await token(other.id))
    const ids: string[] = []
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all(Array.from({ length: 8 }, () => ask()))
      expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
      ids.push(...replies.flatMap((reply) => (reply.status === 200 ? [reply.body.data.jobId] : [])))
      await at.runJobs()
    }
    const { jobs, parts } = await db
      .selectFrom('background_job as j')
      .leftJoin('background_job_part as p', 'p.job_id', 'j.id')
      .select((row) => [row.fn.count<number>('j.id').distinct().as('jobs'), row.fn.count<number>('p.job_id').distinct().as('parts')])
      .where('owner_id', '=', greedy.id)
      .executeTakeFirstOrThrow()
    // Each later caller, while five waited, replaced one.
    expect([jobs <= 24, parts <= 24]).toEqual([true, true])
    // The deleted jobs are among the oldest, which were requested at once, in any order.
    const oldest = await Promise.all(ids.slice(0, 5).map((id) => at.call('GET', `/jobs/${id}`, { token: session })))
    expect(oldest.map((reply) => reply.status)).toContain(404)
    expect((await at.call('GET', `/jobs/${ids.at(-1)}/file`, { token: session })).status).toBe(200)
    expect((await at.call('GET', `/jobs/${kept.body.data.jobId}/file`, { token: await token(other.id) })).status).toBe(200)
  })
})
