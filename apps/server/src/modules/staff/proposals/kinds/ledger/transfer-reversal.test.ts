import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checksOfTests } from '../../../../../../test/audited-instance.ts'
import { fund, payIn } from '../../../../../../test/members.ts'
import { type Person, staffInstance } from '../../../../../../test/staff-instance.ts'
import { balanceOfSystemAccount, liftLedgerStop, runAudit, stopLedger } from '../../../../../ledger/index.ts'
import { allTransfers } from '../../../../../main/all-checks.ts'
import { inTransaction } from '../../../../../platform/db/database.ts'
import { findDepositReceipt } from '../../../../deposits/deposit-receipt.ts'
import { listCounters } from '../../../../histories/index.ts'
import { sendToMember } from '../../../../transfers/index.ts'
import { receiptFor } from '../../../../wallets/index.ts'

const instance = await staffInstance()

const reason = 'sent to the wrong person'
const db = () => instance.at.db
const file = (id: bigint | string, who = instance.maker) => instance.post(`/staff/ledger/transfers/${id}/reverse`, who, { reason })
const approve = (id: string, who = instance.checker) => instance.post(`/staff/changes/${id}/approve`, who, { reason: 'agreed' })
/** Proposes and approves a reversal as two admins. */
const reverse = async (id: bigint) => approve((await file(id)).body.data.proposalId)
const send = async (from: Person, to: Person, amount: bigint) => {
  await fund(db(), from.id, 'depositWallet', amount)
  const sent = await inTransaction(db(), (tx) => sendToMember(tx, instance.at.deps, { senderId: from.id, amount, email: to.email }))
  return sent.transferId
}
const pair = async (): Promise<[Person, Person]> => [await instance.person(), await instance.person()]
const reversalsOf = async (id: bigint) =>
  (
    await sql`select from ledger_transfer where kind = 'reversal' and cause_id in (select proposal_id from ledger_reversal where reverses = ${id})`.execute(
      db(),
    )
  ).rows.length
const damage = async () => (await runAudit(db(), checksOfTests)).filter((one) => one.broken > 0)
const mails = async (who: Person) =>
  (await db().selectFrom('mail_outbox').select('template').where('recipient', '=', who.email).execute()).map((row) => row.template)
const newest = async (who: Person, kind: string) =>
  (
    await sql<{
      id: bigint
    }>`select id from ledger_transfer where kind = ${kind} and credit_account / 16 = ${who.id} order by id desc limit 1`.execute(db())
  ).rows[0]?.id ?? 0n

describe('[I17] transfer reversal', () => {
  it('returns the whole amount with two approvals, and both members are notified and see it', async () => {
    const [from, to] = await pair()
    const id = await send(from, to, 50n * ONE)
    const { body, status } = await file(id)
    expect([status, body.message]).toEqual([200, 'Another staff member has to approve this'])
    expect((await instance.get(`/staff/changes/${body.data.proposalId}`, instance.checker)).body.data).toMatchObject({
      title: `Reverse transfer ${id}, 50 USD`,
      canDecide: true,
    })
    expect((await approve(body.data.proposalId, instance.maker)).body.message).toBe('Another staff member has to approve this')
    expect(await instance.balance(to, 'depositWallet')).toBe(50n * ONE)
    expect((await approve(body.data.proposalId)).status).toBe(200)
    expect([await instance.balance(from, 'depositWallet'), await instance.balance(to, 'depositWallet')]).toEqual([50n * ONE, 0n])
    const shown = (await instance.get(`/staff/ledger/transfers/${id}`, instance.support)).body.data
    expect(shown).toMatchObject({ reversal: { can: false, text: 'it was reversed' } })
    const back = (await instance.get(`/staff/ledger/transfers/${shown.reversedBy}`, instance.support)).body.data
    expect(back).toMatchObject({ kind: 'reversal', reverses: String(id) })
    for (const who of [from, to]) {
      expect(await mails(who)).toEqual(['notice'])
      const actions = await instance.get('/profile/staff-actions', who)
      expect(actions.body.data.rows[0]).toMatchObject({ text: 'Reversed one of your transfers', role: 'Administration' })
      const receipt = await receiptFor(db(), who.id, { kind: 'transfer', id: String(id) }, { histories: [], transfers: allTransfers })
      expect(receipt?.lines.map((line) => line.label)).toContain('Reversed by staff')
    }
    expect(await damage()).toEqual([])
    const [entry] = (await instance.get(`/staff/ledger/accounts/${back.legs[0].number}/entries`, instance.support)).body.data.data
    expect(entry).toMatchObject({ id: shown.reversedBy, tag: 'reversal' })
    expect(back.cause[0]).toMatchObject({ text: 'Reversal', href: `/staff/changes/${body.data.proposalId}` })
  })

  it('happens once: it cannot be filed or approved twice, repeated, or reversed', async () => {
    const [from, to] = await pair()
    const id = await send(from, to, 5n * ONE)
    const change = (await file(id)).body.data.proposalId
    expect((await file(id, instance.third)).body.message).toContain('is already pending')
    await fund(db(), to.id, 'depositWallet', 50n * ONE)
    const both = await Promise.all([approve(change), approve(change, instance.third)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 400])
    expect((await file(id)).body.message).toMatch(/it was reversed by transfer \d+$/)
    const shown = (await instance.get(`/staff/ledger/transfers/${id}`, instance.support)).body.data
    expect((await file(shown.reversedBy)).body.message).toContain('it is a reversal itself')
    expect(await reversalsOf(id)).toBe(1)
    await expect(sql`insert into ledger_reversal values (${id}, ${id + 1_000_000n}, 'again', now())`.execute(db())).rejects.toThrow(
      'ledger_reversal_pkey',
    )
    await expect(sql`delete from ledger_reversal`.execute(db())).rejects.toThrow()
  })

  it('is rejected when the money was spent, at filing and at approval, and creates no debt', async () => {
    const [from, to] = await pair()
    const id = await send(from, to, 5n * ONE)
    const change = (await file(id)).body.data.proposalId
    await inTransaction(db(), (tx) => sendToMember(tx, instance.at.deps, { senderId: to.id, amount: 1n, email: from.email }))
    const why = 'This transfer cannot be reversed: the Deposit Wallet that received it holds less than 5 USD'
    expect((await approve(change)).body.message).toBe(why)
    expect((await instance.post(`/staff/changes/${change}/reject`, instance.checker, { reason })).status).toBe(200)
    expect((await file(id)).body.message).toBe(why)
    expect([await instance.balance(to, 'depositWallet'), await reversalsOf(id)]).toEqual([5n * ONE - 1n, 0])
  })

  it('books the spent part of a deposit as a loss only when both admins decide so', async () => {
    const [who, other] = await pair()
    await payIn(db(), instance.at.deps, who.id, 50n * ONE)
    await inTransaction(db(), (tx) => sendToMember(tx, instance.at.deps, { senderId: who.id, amount: 30n * ONE, email: other.email }))
    const id = await newest(who, 'deposit')
    const lost = () => balanceOfSystemAccount(db(), 'SYS-LOSS', 'USD')
    const before = await lost()
    expect((await file(id)).body.message).toContain('holds less than 50 USD')
    const path = `/staff/ledger/transfers/${id}/reverse`
    const change = (await instance.post(path, instance.maker, { reason, coversLoss: true })).body.data.proposalId
    expect((await approve(change, instance.maker)).status).toBe(400)
    expect(await lost()).toBe(before)
    expect((await approve(change)).status).toBe(200)
    expect([await instance.balance(who, 'depositWallet'), await instance.balance(other, 'depositWallet')]).toEqual([0n, 30n * ONE])
    expect(await lost()).toBe(before - 30n * ONE)
    expect((await instance.get('/staff/overview', instance.maker)).body.data.paused).toBeUndefined()
    expect(await damage()).toEqual([])
  })

  it('books no loss for a transfer that is no deposit, and none for a deposit that is still there', async () => {
    const [from, to] = await pair()
    const sent = await send(from, to, 5n * ONE)
    const proposed = { reason, coversLoss: true }
    const refused = await instance.post(`/staff/ledger/transfers/${sent}/reverse`, instance.maker, proposed)
    expect(refused.body.message).toContain('only a deposit can be a loss')
    await payIn(db(), instance.at.deps, to.id, 7n * ONE)
    const before = await balanceOfSystemAccount(db(), 'SYS-LOSS', 'USD')
    const change = await instance.post(`/staff/ledger/transfers/${await newest(to, 'deposit')}/reverse`, instance.maker, proposed)
    expect((await approve(change.body.data.proposalId)).status).toBe(200)
    expect(await balanceOfSystemAccount(db(), 'SYS-LOSS', 'USD')).toBe(before)
    expect(await damage()).toEqual([])
  })

  it("reduces the member's deposited sum, and the deposit is never credited again", async () => {
    const who = await instance.person()
    await payIn(db(), instance.at.deps, who.id, 30n * ONE)
    await payIn(db(), instance.at.deps, who.id, 20n * ONE)
    const deposit = await db()
      .selectFrom('deposit')
      .selectAll()
      .where('member_id', '=', who.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect((await reverse(await newest(who, 'deposit'))).status).toBe(200)
    expect(await instance.balance(who, 'depositWallet')).toBe(30n * ONE)
    expect((await listCounters(db(), who.id, 'deposit')).buckets['APPROVE']?.sum).toBe(30n * ONE)
    const receipt = await findDepositReceipt(db(), who.id, deposit.public_id)
    expect(receipt?.lines).toContainEqual({ label: 'Reversed by staff', value: '20', amount: 20n * ONE, asset: 'usd' })
    expect(await damage()).toEqual([])
  })

  it('returns credited RCM coin to the pool', async () => {
    const who = await instance.person({ specialRcm: true })
    const pool = () => balanceOfSystemAccount(db(), 'SYS-REWARD', 'COIN')
    const before = await pool()
    expect((await instance.byTwo(`/staff/members/${who.publicId}/credit-rcm`, { amount: 7, reason })).status).toBe(200)
    expect((await reverse(await newest(who, 'rcmCredit'))).status).toBe(200)
    expect([await instance.balance(who, 'rcmWallet'), await pool()]).toEqual([0n, before])
    expect(await damage()).toEqual([])
  })

  it("is rejected for either side's own account, and while the platform is paused", async () => {
    const [from, to] = await pair()
    const id = await send(from, to, 5n * ONE)
    for (const staff of [from, to]) {
      await db().updateTable('member').set({ role: 'ADMIN' }).where('id', '=', staff.id).execute()
      expect((await file(id, { ...staff, token: (await instance.at.signIn(staff.id)).token })).body.message).toBe(
        'Another staff member has to approve this',
      )
      const change = (await file(id)).body.data.proposalId
      expect((await approve(change, { ...staff, token: (await instance.at.signIn(staff.id)).token })).body.message).toBe(
        'Another staff member has to approve this',
      )
      await instance.post(`/staff/changes/${change}/reject`, instance.maker, { reason })
      await db().updateTable('member').set({ role: 'MEMBER' }).where('id', '=', staff.id).execute()
    }
    const change = (await file(id)).body.data.proposalId
    await inTransaction(db(), (tx) => stopLedger(tx, instance.at.clock.now(), 'a look'))
    expect((await approve(change)).body.message).toContain('paused: a look')
    await inTransaction(db(), (tx) => liftLedgerStop(tx, instance.at.clock.now()))
    expect(await reversalsOf(id)).toBe(0)
  })

  it('expires when the proposer loses the right, and needs the right', async () => {
    const [from, to] = await pair()
    const id = await send(from, to, 5n * ONE)
    expect((await file(id, instance.support)).status).toBe(404)
    expect((await file(id, from)).status).toBe(404)
    expect((await file(9_999_999n)).status).toBe(404)
    const leaving = await instance.person({ role: 'FINANCE' })
    const change = (await file(id, leaving)).body.data.proposalId
    await db().updateTable('member').set({ is_active: false }).where('id', '=', leaving.id).execute()
    expect((await approve(change)).body.message).toContain('have changed since')
  })
})

describe('reversal rules of the transfer kinds', () => {
  const rules = Object.entries(allTransfers).map(([kind, { reversal }]) => [kind, reversal] as const)

  it.each(rules.filter(([, { can }]) => can))('returns %s between its accounts', (kind) => {
    const declared: readonly (readonly string[])[] = allTransfers.reversal.pairs
    const pairs: readonly (readonly string[])[] = Object.entries(allTransfers).find(([name]) => name === kind)?.[1].pairs ?? []
    for (const [from, to] of pairs) expect(declared).toContainEqual([to, from])
    expect(pairs.length).toBeGreaterThan(0)
  })

  it.each(rules.filter(([, { can }]) => !can))('rejects %s with an alternative', async (kind, { text }) => {
    const { rows } = await sql<{
      id: bigint
    }>`insert into ledger_transfer (posting_id, debit_account, credit_account, amount, debit_balance_after,
      credit_balance_after, created_at, asset, kind, cause_type, cause_id) values (0, -2100, ${instance.member.id * 16n + 1n}, 1, 0, 0, now(), 'USD', ${kind}, 'test', '1')
      returning id`.execute(db())
    const { status, body } = await file(rows[0]?.id ?? 0n)
    expect([status, body.message]).toEqual([400, `This transfer cannot be reversed: ${text}`])
  })
})
