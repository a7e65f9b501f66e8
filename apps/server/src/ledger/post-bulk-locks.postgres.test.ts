import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { inTransaction } from '../platform/db/database.ts'
import { openAccountsOf, post, postBulk } from './index.ts'

const { db } = await testDatabase(4)
const at = new Date('2026-03-01T10:00:00Z')
const MEMBERS = 2_000
await openAccountsOf(
  db,
  Array.from({ length: MEMBERS }, (_, index) => BigInt(index + 1)),
)
await post(db, {
  kind: 'fund',
  cause: { type: 'test', id: '1' },
  at,
  transfers: [{ from: { system: 'SYS-OPERATOR', asset: 'COIN' }, to: { system: 'SYS-REWARD', asset: 'COIN' }, amount: BigInt(MEMBERS) }],
})

it('locks the accounts in order of id when the source has another order', async () => {
  const free = () =>
    sql`select id from ledger_account where kind = 'nativeWallet' and owner_id <= ${MEMBERS} for update skip locked`
      .execute(db)
      .then(({ rows }) => rows.length)
  const inTheMiddle = Promise.withResolvers<void>()
  const holder = inTransaction(db, async (tx) => {
    await sql`select from ledger_account where kind = 'nativeWallet' and owner_id = ${MEMBERS / 2} for no key update`.execute(tx)
    await inTheMiddle.promise
  })
  await expect.poll(free).toBe(MEMBERS - 1)
  const source = sql`select n::bigint as owner_id, 1::bigint as amount, '1' as cause_id, null::text as key
    from generate_series(1, ${MEMBERS}::int) n order by n * 7919 % ${MEMBERS}::int`
  const posted = inTransaction(db, (tx) =>
    postBulk(tx, { from: 'SYS-REWARD', to: 'nativeWallet', kind: 'dailyReward', causeType: 'stake', at, total: BigInt(MEMBERS), source }),
  )
  // It waits for the member in the middle: all accounts before this one are locked, and none behind.
  await expect.poll(free).toBe(MEMBERS / 2)
  inTheMiddle.resolve()
  await Promise.all([holder, posted])
  expect(await posted).toEqual({ transfers: MEMBERS, total: BigInt(MEMBERS) })
})
