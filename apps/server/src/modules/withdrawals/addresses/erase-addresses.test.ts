import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { fakeNode, sentPayouts } from '../../../../test/sent-payouts.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { auditChecks } from '../audit-checks.ts'
import { auditPayoutMacs } from '../audit-payout-macs.ts'
import { eraseAddresses } from './erase-addresses.ts'
import { openWallet } from '../sending/sender.ts'
import { signQueued } from '../sending/sign-queued.ts'

const { db } = await testDatabase()
const { instance, approved, forget, force, senderOf } = await sentPayouts(db)
const { config } = instance.deps
beforeEach(forget)

/** A payout whose transaction is signed. */
async function signedPayout() {
  const payout = await approved('100')
  const { node } = fakeNode()
  const sender = senderOf(node, { rules: {} })
  await signQueued(sender, await openWallet(sender))
  return payout
}

/** Names of the audit checks on payouts that report a violation. */
async function violations(): Promise<string[]> {
  const found: string[] = []
  for (const check of auditChecks) if ((await sql.raw(check.sql).execute(db)).rows.length > 0) found.push(check.title)
  return [...found, ...(await auditPayoutMacs(db, config)).filter(({ broken }) => broken > 0).map(({ check }) => check.title)]
}

const markErased = (id: bigint) =>
  force((tx) =>
    sql`update member set is_active = false, closes_at = now(), closed_at = now(), erases_at = now(), erased_at = now() where id = ${id}`.execute(
      tx,
    ),
  )
const erase = (id: bigint) => inTransaction(db, (tx) => eraseAddresses(tx, config, id))
const rows = () =>
  sql<{ text: string }>`select concat(r.address, s.to_address, t.raw) as text from payout_request r
  join payout_sending s on s.request_id = r.id left join signed_transaction t on t.request_id = r.id`.execute(db)

it('replaces the address of sent payouts, their signed transactions and MACs, so that the audit finds no violation', async () => {
  const { to, member } = await signedPayout()
  const before = await violations()
  expect((await rows()).rows[0]?.text).toContain(to.slice(2))
  await markErased(member.id)
  const replaced = await erase(member.id)
  expect(replaced.get(to)).toMatch(/^0x0{24}[0-9a-f]{16}$/)
  expect((await rows()).rows[0]?.text).not.toContain(to.slice(2))
  expect(await violations()).toEqual(before)
})

it('leaves the MAC of a forged payout invalid, so that the audit still reports it', async () => {
  const { member, requestId } = await signedPayout()
  await force((tx) =>
    tx
      .updateTable('payout_request')
      .set({ received: 1n, platform_fee: 99n * 10n ** 8n + 99_999_999n, network_fee: 0n })
      .where('id', '=', requestId)
      .execute(),
  )
  await markErased(member.id)
  await erase(member.id)
  expect(await violations()).toContain('each payout is as its owner requested and confirmed it, and as its first approver approved it')
})

it('is rejected for signed transactions of a member who is not erased', async () => {
  const { member } = await signedPayout()
  await expect(erase(member.id)).rejects.toThrow('signed_transaction is append-only')
})
