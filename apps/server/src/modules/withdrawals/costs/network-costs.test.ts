import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database.ts'
import { networkCosts, unbookedTransactions } from './network-costs.queries.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-31T09:00:00Z')
const ago = (days: number, ms = 0) => new Date(now.getTime() - days * DAY_MS + ms)

it('[I7] what the network took, and what members paid for it, is that of the days that were asked about, to the moment', async () => {
  expect(await networkCosts(db, now, 30)).toEqual({ transactions: 0, wei: 0n, usd: 0n, networkFees: 0n })
  const cost = (hash: string, source: string, wei: number, usd: bigint, ended_at: Date) =>
    db
      .insertInto('network_cost')
      .values({ hash, source, wei: String(wei), price: 1n, usd, ended_at, booked_at: now })
      .execute()
  await cost('0x1', 'PAYOUT', 1, 10n, ago(30, 1))
  await cost('0x2', 'MOVE', 2, 20n, ago(1))
  await cost('0x3', 'PAYOUT', 4, 40n, ago(30))
  const { id: member } = await createTestMember(db)
  let requests = 0
  const payout = (kind: string, status: string, fee: bigint, decided: Date) =>
    inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into payout_request (public_id, member_id, kind, amount, platform_fee, network_fee, received, address, network, hold_id,
          status, settings_version, created_at, confirm_by, confirmed_at, confirmed_how, decided_at, decided_by, owner_seal)
        values (${`p${(requests += 1)}`}, ${member}, ${kind}, ${fee}, 0, ${fee}, 0, '0x1', 0, ${requests}, ${status}, 1, ${decided}, ${decided},
          ${decided}, 'book', ${decided}, ${member + 1n}, '')`.execute(tx)
    })
  await payout('withdrawal', 'APPROVED', 1n, ago(30, 1))
  await payout('withdrawal', 'APPROVED', 2n, ago(2))
  await payout('withdrawal', 'APPROVED', 4n, ago(30))
  await payout('withdrawal', 'REJECTED', 8n, ago(2))
  await payout('bridge', 'APPROVED', 16n, ago(2))
  expect(await networkCosts(db, now, 30)).toEqual({ transactions: 2, wei: 3n, usd: 30n, networkFees: 3n })
  expect(await networkCosts(db, now, 31)).toEqual({ transactions: 3, wei: 7n, usd: 70n, networkFees: 7n })
})

it('[I7] what is not booked is looked for from a day before the newest that is, as ends may be stored in another order', async () => {
  const move = (hash: string, ended: Date) =>
    inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at, ended_at, gas_paid, mined_hash)
        values (1, 'SWEEP', ${hash}, 0, ${hash}, '0xb', '0xc', 1, 'DONE', ${ended}, ${ended}, 7, ${hash})`.execute(tx)
    })
  const booked = (hash: string, ended_at: Date) =>
    db.insertInto('network_cost').values({ hash, source: 'MOVE', wei: '1', price: 1n, usd: 1n, ended_at, booked_at: now }).execute()
  await booked('0x11', ago(20))
  await booked('0x12', ago(0))
  await move('0x21', ago(1))
  await move('0x22', ago(1, 1))
  expect(await unbookedTransactions(db, 10)).toEqual([{ hash: '0x22', source: 'MOVE', wei: 7n, endedAt: ago(1, 1) }])
})
