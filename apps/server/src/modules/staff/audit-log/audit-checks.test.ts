import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { runChecks } from '../../../ledger/audit.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { recordAudit } from '../../audit/index.ts'
import { auditChecks } from './audit-checks.ts'

const instance = await staffInstance()
const { db, clock } = instance.at
// Time advances within a call, as in production.
const read = clock.now
clock.now = () => {
  clock.advance(1)
  return read()
}
const { body } = await instance.post('/staff/reward-pool/fund', instance.maker, {
  asset: 'coin',
  amount: 500_000,
  source: 'operator',
  reason: 'the year',
})
await instance.post(`/staff/changes/${body.data.proposalId}/approve`, instance.checker, {})
await instance.post('/staff/reward-pool/fund', instance.maker, { asset: 'coin', amount: 60_000, reason: 'alone' })

const tomorrow = new Date(clock.now().getTime() + 86_400_000).toISOString()
for (const change of [
  { subject: 'limits', value: { openInvoices: 3, fourEyesAboveUsd: 1000 } },
  { subject: 'settings', value: { allowedEmailDomains: ['proton.me'] }, startsAt: tomorrow },
  { subject: 'price', value: { coinPrice: 0.0079 }, startsAt: tomorrow },
  { subject: 'programme', value: { levelPercents: [5, 3, 1.5, 1, 1], fullLevelShareDays: 366 }, startsAt: tomorrow },
]) {
  const simulation = change.subject === 'programme' ? { simulation: await instance.simulate(instance.maker, change.value) } : {}
  const reply = await instance.post('/staff/changes', instance.maker, { ...change, ...simulation, reason: 'the plan' })
  await instance.post(`/staff/changes/${reply.body.data.id}/approve`, instance.checker, {})
}
const valueOf = (subject: string, path: string, value: string) => (tx: Tx) =>
  sql`update staff_proposal set value = jsonb_set(value, ${path}::text[], ${value}::jsonb) where subject = ${subject}`.execute(tx)

const moved = (tx: Tx, detail: Record<string, unknown>) =>
  recordAudit(tx, {
    at: clock.now(),
    actorId: instance.maker.id,
    actorRole: 'ADMIN',
    action: 'rewards.fund-pool',
    subject: { type: 'reward_pool', id: 'planted' },
    outcome: 'ok',
    detail: { asset: 'COIN', source: 'stock', ...detail },
  })
const TWO = 'each movement by two staff members matches the proposal of one and the approval of the other, each proposal once'
const ALONE = 'no staff member alone moved more in 24 hours than the settings then allowed, or any external money'

const HELD = 'each approved price, setting, limit and programme is in force, or planned, from its start on'

class Enough extends Error {}
/** Returns the checks' findings after a manual database change. */
async function noticed(damage: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const found: string[] = []
  await inTransaction(db, async (tx) => {
    await sql`alter table staff_proposal disable trigger user`.execute(tx)
    await damage(tx)
    found.push(...(await runChecks(tx, auditChecks)).filter((one) => one.broken > 0).map((one) => one.check.title))
    throw new Enough()
  }).catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error
  })
  return found
}

it.each<[string, (tx: Tx) => Promise<unknown>, string[]]>([
  ['nothing on intact data', () => Promise.resolve(), []],
  [
    'a proposal with another amount',
    (tx) => sql`update staff_proposal set value = jsonb_set(value, '{amount}', '5') where subject = 'fund'`.execute(tx),
    [TWO],
  ],
  [
    'a proposal with another approver',
    (tx) => sql`update staff_proposal set decided_by = ${instance.third.id} where subject = 'fund'`.execute(tx),
    [TWO],
  ],
  [
    'a proposal with another source of money',
    (tx) => sql`update staff_proposal set value = jsonb_set(value, '{source}', '"stock"') where subject = 'fund'`.execute(tx),
    [TWO],
  ],
  ['a proposal that was never approved', (tx) => sql`delete from staff_proposal`.execute(tx), [TWO]],
  [
    'a proposal that moved money twice',
    (tx) =>
      moved(tx, {
        amount: String(500_000n * ONE),
        source: 'operator',
        approvedBy: String(instance.checker.id),
        change: body.data.proposalId,
      }),
    [TWO],
  ],
  ['a second approver without a proposal', (tx) => moved(tx, { amount: '1', approvedBy: String(instance.checker.id) }), [TWO]],
  ['solo approvals that exceed the limit together', (tx) => moved(tx, { amount: String(50_000n * ONE) }), [ALONE]],
  // 60,000 coin were moved before. Each asset stays below its limit, and the shares in both exceed the whole.
  ['USD and coin that exceed the limits together', (tx) => moved(tx, { asset: 'USD', amount: String(900n * ONE) }), [ALONE]],
  ['USD and coin within the limits together', (tx) => moved(tx, { asset: 'USD', amount: String(100n * ONE) }), []],
  ['a price that differs from the plan', valueOf('price', '{coinPrice}', '0.0078'), [HELD]],
  ['mail domains without a decision', valueOf('settings', '{allowedEmailDomains}', '["gmail.com"]'), [HELD]],
  ['a changed limit', valueOf('limits', '{openInvoices}', '4'), [HELD]],
  ['a share without a decision', valueOf('programme', '{levelPercents}', '[5, 3, 2, 1, 1]'), [HELD]],
  ['days without a decision', valueOf('programme', '{fullLevelShareDays}', '365'), [HELD]],
  ['a changed start', (tx) => sql`update staff_proposal set starts_at = starts_at + interval '1 hour'`.execute(tx), [HELD]],
  ['outside money approved by one person', (tx) => moved(tx, { amount: '1', source: 'operator' }), [ALONE]],
])('[I17] the audit reports %s', async (_, damage, expected) => {
  expect(await noticed(damage)).toEqual(expected)
})
