import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { staffHouse } from '../../../test/staff-house.ts'
import { runChecks } from '../../ledger/audit.ts'
import { inTransaction, type Tx } from '../../platform/database.ts'
import { recordAudit } from '../members/index.ts'
import { auditChecks } from './audit-checks.ts'

const house = await staffHouse()
const { db, clock } = house.at
const { body } = await house.post('/staff/reward-pool/fund', house.maker, {
  asset: 'coin',
  amount: 500_000,
  source: 'operator',
  reason: 'the year',
})
await house.post(`/staff/changes/${body.data.changeId}/approve`, house.checker, {})
const special = await house.person({ specialRcm: true })
await house.post(`/staff/members/${special.publicId}/credit-rcm`, house.maker, { amount: 60_000, reason: 'alone' })

const moved = (tx: Tx, detail: Record<string, unknown>) =>
  recordAudit(tx, {
    at: clock.now(),
    actorId: house.maker.id,
    actorRole: 'ADMIN',
    action: 'rewards.fund-pool',
    subject: { type: 'reward_pool', id: 'planted' },
    outcome: 'ok',
    detail: { asset: 'COIN', source: 'stock', ...detail },
  })
const TWO = 'what two of staff moved is the change that one proposed and the other approved, each change once'
const ALONE = 'nobody of staff moved alone more in 24 hours than the settings of that time allow, nor money from outside'

class Enough extends Error {}
/** What the checks say of a house in which something was changed by hand. */
async function noticed(damage: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const found: string[] = []
  await inTransaction(db, async (tx) => {
    await sql`alter table staff_change disable trigger user`.execute(tx)
    await damage(tx)
    found.push(...(await runChecks(tx, auditChecks)).filter((one) => one.broken > 0).map((one) => one.check.title))
    throw new Enough()
  }).catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error
  })
  return found
}

it.each<[string, (tx: Tx) => Promise<unknown>, string[]]>([
  ['nothing that is wrong', () => Promise.resolve(), []],
  ['a change of another amount', (tx) => sql`update staff_change set value = jsonb_set(value, '{amount}', '5')`.execute(tx), [TWO]],
  ['a change that somebody else approved', (tx) => sql`update staff_change set decided_by = ${house.third.id}`.execute(tx), [TWO]],
  [
    'a change of money from elsewhere',
    (tx) => sql`update staff_change set value = jsonb_set(value, '{source}', '"stock"')`.execute(tx),
    [TWO],
  ],
  ['a change that was never approved', (tx) => sql`delete from staff_change`.execute(tx), [TWO]],
  [
    'one change that moved twice',
    (tx) =>
      moved(tx, { amount: String(500_000n * ONE), source: 'operator', approvedBy: String(house.checker.id), change: body.data.changeId }),
    [TWO],
  ],
  ['a second person without a change', (tx) => moved(tx, { amount: '1', approvedBy: String(house.checker.id) }), [TWO]],
  ['slices that pass the limit together', (tx) => moved(tx, { amount: String(50_000n * ONE) }), [ALONE]],
  ['money from outside by one alone', (tx) => moved(tx, { amount: '1', source: 'operator' }), [ALONE]],
])('[I17] the audit sees %s', async (_, damage, expected) => {
  expect(await noticed(damage)).toEqual(expected)
})
