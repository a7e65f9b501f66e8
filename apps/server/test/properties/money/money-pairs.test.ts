import { allRoutes } from '@tizara/contract/all-routes'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchSample } from '../../../../../test/search.ts'
import { testDatabase } from '../../database.ts'
import { MONEY_CALLS, type MoneyInstance, moneyInstance, type Person, secondOf } from '../../money-calls.ts'
import { ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { auditChecks as coin } from '../../../src/modules/coin/index.ts'
import { auditChecks as deposits } from '../../../src/modules/deposits/index.ts'
import { auditChecks as nfts } from '../../../src/modules/nfts/index.ts'
import { auditChecks as transfers } from '../../../src/modules/transfers/index.ts'
import { auditChecks as withdrawals } from '../../../src/modules/withdrawals/index.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'

const database = await testDatabase()
const { url } = database

it('covers every money route of the contract', () => {
  const money = allRoutes.filter((route) => route.money === true).map((route) => route.name)
  expect(MONEY_CALLS.toSorted()).toEqual(money.toSorted())
})

// The embedded database is sequential, so calls never race there.
if (url !== undefined) {
  const own = openDatabase({ url })
  const deadlocks = async () =>
    (await sql<{ n: bigint }>`select deadlocks as n from pg_stat_database where datname = current_database()`.execute(database.db)).rows[0]
      ?.n
  let instance: MoneyInstance
  let leader: Person
  let member: Person
  beforeAll(async () => {
    instance = await moneyInstance(own.db)
    ;({ leader, member } = instance)
  })

  const names = MONEY_CALLS
  const call = async (name: string, who: Person, other: Person) => {
    const reply = await instance.send(await instance.ready(name, who, other))
    return reply.body.data?.proposalId === undefined ? reply : instance.send(secondOf(instance, reply))
  }

  it.each(names)('%s works alone', async (one) => {
    const reply = await call(one, member, leader)
    expect([reply.status, reply.text]).toEqual([200, reply.text])
  })

  describe.each(names)('%s', (one) => {
    it('[I1] [I4] causes no deadlock in parallel with other money calls of the member, the leader and the team', async () => {
      const index = names.indexOf(one)
      for (const other of [one, ...searchSample(names.slice(index + 1), index, 6)]) {
        const replies = await Promise.all([
          ...[1, 2, 3].flatMap(() => [call(one, member, leader), call(other, member, leader)]),
          ...[1, 2].flatMap(() => [call(one, leader, member), call(other, leader, member)]),
        ])
        const odd = replies.filter(({ status }) => status >= 500 || status === 429).map(({ text }) => text)
        expect(odd, `${one} and ${other}`).toEqual([])
      }
    })
  })

  it('[I1] [I13] no deadlock happened, the audit passes, and no amount used planned settings', async () => {
    // A session reports its counters at its end.
    await own.close()
    expect(await deadlocks()).toBe(0n)
    expect(
      (await runAudit(database.db, [...ledgerChecks, ...coin, ...deposits, ...nfts, ...transfers, ...withdrawals])).filter(
        (result) => result.broken > 0,
      ),
    ).toEqual([])
  })
}
