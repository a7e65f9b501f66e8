import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { fund } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { walletId } from '../../../ledger/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { walletJobs } from '../../wallets/index.ts'
import { flowOf, writeDailyTotals } from './daily-totals.ts'

/** System account that issues members' coin, over all its shards. */
const STOCK = -7200n
const DAYS = 36

let instance: StaffInstance
let member: Person
const now = () => instance.at.clock.now()
const wallet = () => walletId(member.id, 'nativeWallet')
/** Sums an account's newest entries. */
async function newest(number: bigint, count: number) {
  const { body } = await instance.get(`/staff/ledger/accounts/${number}/entries?limit=${count}`, instance.support)
  const amounts: number[] = body.data.data.map((row: { amount: number }) => row.amount)
  return amounts.reduce((all, one) => all + one, 0)
}
const write = () => inTransaction(instance.at.db, (tx) => writeDailyTotals(tx, now()))

beforeAll(async () => {
  instance = await staffInstance()
  member = await instance.person()
  for (let day = 1; day <= DAYS; day += 1) {
    await fund(instance.at.db, member.id, 'nativeWallet', BigInt(day) * ONE)
    instance.at.clock.advance(DAY_MS)
    for (const job of walletJobs) await runJob(instance.at.db, instance.at.deps, job, 'test')
  }
  await fund(instance.at.db, member.id, 'nativeWallet', 1000n * ONE)
  instance.support = { ...instance.support, token: (await instance.at.signIn(instance.support.id)).token }
})

describe('inflow and outflow of an account over 30 days', () => {
  it('are the same before, during and after the daily totals are written', async () => {
    const from = utcDay(new Date(now().getTime() - 29 * DAY_MS))
    const expected = { from, in: 0n, out: 1000n * ONE + BigInt((DAYS * (DAYS + 1)) / 2 - (7 * 8) / 2) * ONE }
    expect(await flowOf(instance.at.db, STOCK, now())).toEqual(expected)
    for (let rows = 1; rows > 0; rows = await write()) expect(await flowOf(instance.at.db, STOCK, now())).toEqual(expected)
    // One entry per day.
    expect(BigInt(await newest(wallet(), 30)) * ONE).toBe(expected.out)
    expect(await flowOf(instance.at.db, wallet(), now())).toEqual({ from, in: expected.out, out: 0n })
  })

  it('sum a limited number of rows: a system account reports the last day, a wallet reports nothing', async () => {
    const yesterday = utcDay(new Date(now().getTime() - DAY_MS))
    const kept = await flowOf(instance.at.db, STOCK, now(), 0)
    expect(kept).toMatchObject({ to: yesterday })
    expect((await flowOf(instance.at.db, STOCK, now()))?.out).toBe((kept?.out ?? 0n) + 1000n * ONE)
    expect(await flowOf(instance.at.db, wallet(), now(), 5)).toBeUndefined()
  })

  it('are shown in the account view of staff', async () => {
    const { body } = await instance.get(`/staff/ledger/accounts/${STOCK}`, instance.support)
    expect(body.data.month).toMatchObject({ in: 0, out: 1638 })
  })
})
