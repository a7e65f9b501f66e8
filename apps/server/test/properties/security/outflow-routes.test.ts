import { allRoutes } from '@tizara/contract/all-routes'
import { errorCatalogue } from '@tizara/contract'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { accountOf } from '../../../src/ledger/chart-of-accounts.ts'
import { setPayoutStop } from '../../../src/modules/members/index.ts'
import { allTransfers } from '../../../src/main/all-checks.ts'
import { withdrawalTransfers } from '../../../src/modules/withdrawals/withdrawals.transfers.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { testDatabase } from '../../database.ts'
import { MONEY_CALLS, moneyInstance, type Person } from '../../money-calls.ts'

/**
 * Finds routes that move value away from a member, by their ledger rows. Shows that the outflow guard blocks all of them while the
 * owner has stopped payouts, and records each refusal in the audit log.
 */

/** System accounts that give something in return: coin, USD or an NFT. */
const PURCHASES = new Set(['SYS-COIN', 'SYS-SALES', 'SYS-REWARD'])

const { db } = await testDatabase()
const instance = await moneyInstance(db)

const newestTransfer = async () =>
  (await sql<{ id: bigint }>`select coalesce(max(id), 0) as id from ledger_transfer`.execute(db)).rows[0]?.id ?? 0n

/** Returns true if a posting after `since` moved value from the member to others. */
async function hasLeft(member: Person, since: bigint): Promise<boolean> {
  const { rows } = await sql<{ credited: bigint }>`
    select credit_account as credited from ledger_transfer where id > ${since} and debit_account > 0 and debit_account / 16 = ${member.id}`.execute(
    db,
  )
  return rows.some(({ credited }) => {
    const account = accountOf(credited)
    return 'owner' in account ? account.owner !== member.id : !PURCHASES.has(account.system)
  })
}

/** Plays a route for a new member. */
async function play(route: string, isStopped: boolean) {
  const member = await instance.person({ specialRcm: true, sponsorId: instance.leader.id })
  const call = await instance.ready(route, member, instance.leader)
  if (isStopped) await inTransaction(db, (tx) => setPayoutStop(tx, member.id, instance.at.clock.now()))
  const since = await newestTransfer()
  const reply = await instance.send(call)
  const refused = db.selectFrom('audit_event').select('outcome').where('actor_id', '=', member.id).where('action', '=', 'payout.request')
  const recorded = (await refused.execute()).map(({ outcome }) => outcome)
  return { status: reply.status, message: String(reply.body.message), left: await hasLeft(member, since), recorded }
}

const memberRoutes = allRoutes.filter((route) => route.money === true && route.access === 'member').map((route) => route.name)

describe('outflow guard', () => {
  const leaving: string[] = []

  it('is tested for every money route of members', () => {
    expect(memberRoutes.filter((name) => !MONEY_CALLS.includes(name))).toEqual([])
  })

  it.each(memberRoutes)('keeps %s from moving value out of a member who stopped payouts', async (route) => {
    const open = await play(route, false)
    expect(open.status).toBe(200)
    const stopped = await play(route, true)
    expect(stopped.left).toBe(false)
    if (!open.left) return expect(stopped).toEqual(open)
    leaving.push(route)
    expect(stopped).toMatchObject({ status: 400, message: errorCatalogue.PAYOUTS_STOPPED.message, recorded: ['PAYOUTS_STOPPED'] })
  })

  it('is tested with at least three routes that move value out', () => {
    expect(leaving.length).toBeGreaterThanOrEqual(3)
  })

  it('is asked before each kind of transfer that takes value out of a member, except reversals, which two staff members decide', () => {
    const isSystem = (side: string) => side.startsWith('SYS-')
    const takesOut = ([debit, credit]: readonly [string, string]) =>
      !isSystem(debit) && (isSystem(credit) ? !PURCHASES.has(credit.split(' ')[0] ?? '') : credit === debit)
    const kinds = Object.entries(allTransfers).filter(([, { pairs }]) => pairs.some(takesOut))
    const names = kinds.map(([name]) => name).filter((name) => name !== 'reversal')
    expect(names.toSorted()).toEqual(['bridge', 'transferHeld', 'userToUser', 'withdrawal'])
    expect(names.filter((name) => !(name in withdrawalTransfers))).toEqual([])
  })
})
