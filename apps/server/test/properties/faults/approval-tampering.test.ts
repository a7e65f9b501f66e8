import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ONE } from '@tizara/money'
import { type Person, staffInstance } from '../../staff-instance.ts'
import { finalMac, keyOf } from '../../../src/gateways/chain/final-transfer.ts'
import type { ChainGateway, ChainTransfer } from '../../../src/gateways/chain/index.ts'
import { applyPayment } from '../../../src/modules/deposits/index.ts'
import { pollInvoices } from '../../../src/modules/deposits/invoices/watch-invoices.ts'
import { applyProposal } from '../../../src/modules/staff/proposals/apply-proposal.ts'
import { stopByLink } from '../../../src/modules/withdrawals/confirmation/payout-link.ts'
import { linkToken } from '../../../src/modules/withdrawals/confirmation/payout-token.ts'
import { type Db, inTransaction } from '../../../src/platform/db/database.ts'
import { auditPlatform } from '../../../src/main/all-checks.ts'
import { ENCRYPTED_COLUMNS } from '../../../src/main/encrypted-columns.ts'

const instance = await staffInstance()
const { db, deps } = instance.at
const FORGED = 'Integrity check failed: the first approval on record is not valid'

/** Finds columns with first approvers, as `table.column`. */
async function firstsOf(at: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.table_name::text as table, c.column_name::text as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.column_name ~ '^(first_.*_by|.*proposed_by|.*maker_id|asked_first.*)$'
      or c.column_name = 'approved_by') order by 1, 2`.execute(at)
  return rows
}

/** Returns the audit's findings for checks with a matching title. */
const named = async (check: RegExp): Promise<string[]> =>
  (await auditPlatform(db, deps.config)).filter((result) => check.test(result.check.title)).flatMap((result) => result.examples)

describe('first approval', () => {
  it('[I7] has a MAC in every table that stores one', async () => {
    const firsts = await firstsOf(db)
    expect(firsts.map(({ table }) => table)).toEqual(['deposit', 'deposit_decision', 'payout_request', 'staff_proposal'])
    const covered = ENCRYPTED_COLUMNS.filter(({ column }) => /^(first|proposer)_mac$/.test(column)).map(({ table }) => table)
    expect(covered.toSorted()).toEqual(firsts.map(({ table }) => table))
  })

  it('[I8] edited in the database is rejected for a deposit, and the audit reports it', async () => {
    const [real, other] = [await instance.deposit(instance.member, 5000n), await instance.deposit(instance.member, 5000n)]
    const approve = async (id: string, who: Person) =>
      (await instance.post(`/staff/queues/deposits/${id}/approve`, who, { amount: 5000, reason: 'seen' })).body.message
    const row = (id: string) => db.selectFrom('deposit').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    const set = (id: string, to: object) => db.updateTable('deposit').set(to).where('public_id', '=', id).execute()
    expect(await approve(real, instance.maker)).toMatch(/another/i)
    const given = await row(real)
    const lent = { first_approved_by: given.first_approved_by, first_approved_at: given.first_approved_at, first_mac: given.first_mac }
    const check = /awaiting a second approval/
    for (const forged of [lent, { ...lent, first_mac: Buffer.from('none') }, { ...lent, first_approved_by: instance.third.id }]) {
      await set(other, forged)
      expect(await approve(other, instance.checker)).toBe(FORGED)
      expect(await named(check)).toEqual([other])
    }
    await set(other, { first_approved_by: null, first_approved_at: null, first_mac: null })
    // The second approval covers other facts than the first.
    const { amount, usd_amount } = given
    for (const change of [{ amount: 2n * amount, usd_amount: 2n * usd_amount }, { member_id: instance.support.id }]) {
      await set(real, change)
      expect(
        (await instance.post(`/staff/queues/deposits/${real}/approve`, instance.checker, { amount: 10_000, reason: 'seen' })).status,
      ).toBe(400)
      expect(await named(check)).toEqual([real])
      await set(real, { amount, usd_amount, member_id: given.member_id })
    }
    expect(await instance.balance(instance.member, 'depositWallet')).toBe(0n)
    expect(await approve(real, instance.maker)).toBe('Another staff member has to approve this')
    expect(await approve(real, instance.checker)).not.toBe(FORGED)
    expect(await instance.balance(instance.member, 'depositWallet')).toBe(amount)
    expect(await named(/as its first approver approved it/)).toEqual([])
    // No later edit can add a first approver. A solo decision still counts as solo.
    await sql`update deposit_decision set first_approved_by = ${instance.third.id} where deposit_id = ${given.id}`.execute(db)
    expect(await named(/two people decided/)).toEqual([real])
  })

  it('[I17] edited in the database is rejected for a proposal, and the audit reports it', async () => {
    const proposed = await instance.post('/staff/changes', instance.maker, {
      subject: 'limits',
      value: { openInvoices: 4 },
      reason: 'because',
    })
    const id: string = proposed.body.data.id
    expect(await named(/as its author proposed it/)).toEqual([])
    const { id: _, ...real } = await db.selectFrom('staff_proposal').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    const insert = (change: object) =>
      db
        .insertInto('staff_proposal')
        .values({ ...real, value: JSON.stringify(real.value), base: JSON.stringify(real.base), effect: null, ...change })
        .execute()
    const changes: Record<string, object> = {
      'another-id': {},
      'another-maker': { proposed_by: instance.third.id },
      'another-value': { value: '{"openInvoices":9}' },
      'another-base': { base: '{"openInvoices":5,"payoutDayCount":10}' },
      'another-subject': { subject: 'settings' },
      'another-time': { created_at: new Date(real.created_at.getTime() - 60_000) },
      'another-start': { starts_at: new Date(instance.at.clock.now().getTime() + 86_400_000) },
      'no-mac': { proposer_mac: Buffer.from('none') },
    }
    for (const [public_id, change] of Object.entries(changes)) {
      await insert({ ...change, public_id })
      expect([public_id, (await instance.post(`/staff/changes/${public_id}/approve`, instance.checker, {})).body.message]).toEqual([
        public_id,
        FORGED,
      ])
      await instance.post(`/staff/changes/${public_id}/reject`, instance.checker, { reason: 'made up' })
    }
    expect(await named(/as its author proposed it/)).toEqual(Object.keys(changes).slice(0, 3))
    expect((await instance.post(`/staff/changes/${id}/approve`, instance.checker, {})).status).toBe(200)
  })

  describe('first approval of a deposit that received more afterwards', () => {
    let keyIndexes = 0
    const rowOf = (id: string) => db.selectFrom('deposit').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    /** Creates an invoice that received the other token, once in one transfer, as the chain shows it. */
    async function invoice(): Promise<{ id: string; show(...coins: Record<string, bigint>[]): Promise<void> }> {
      const [id, now] = [instance.at.deps.ids.publicId(), instance.at.clock.now()]
      const address = `0x${id}`.toLowerCase()
      const times = { created_at: now, expires_at: new Date(now.getTime() + 60_000), watched_until: new Date(now.getTime() + 120_000) }
      const asked = { method: 'chain', asset: 'USD', description: 'USDT', amount: ONE, usd_amount: ONE, state: 'awaiting' }
      await db
        .insertInto('deposit')
        .values({ public_id: id, member_id: instance.member.id, address, ...asked, ...times, next_check_at: now })
        .execute()
      await db
        .insertInto('chain_address')
        .values({ address, key_index: BigInt((keyIndexes += 1)), invoice_id: id })
        .execute()
      return {
        id,
        show: async (...coins) => {
          const [common, at] = [
            { chainId: 1, token: '0xc0', address, ordinal: 0 },
            { block: 1n, blockTime: now, balanceFits: true },
          ]
          const shown = coins
            .flatMap((one) => Object.entries(one))
            .map(([txHash, amount]) => ({ ...common, ...at, txHash, amount: amount * ONE, exact: amount * ONE }))
          const transfers = shown.map((one): ChainTransfer => ({ ...one, key: keyOf(one), asset: 'COIN' as const, confirmations: 12 }))
          await db.deleteFrom('chain_transfer').where('address', '=', address).execute()
          for (const one of shown)
            await db
              .insertInto('chain_transfer')
              .values({
                chain_id: 1n,
                tx_hash: one.txHash,
                token: one.token,
                address,
                ordinal: 0,
                exact_amount: String(one.exact),
                amount: one.amount,
                block: 1n,
                block_time: now,
                state: 'FINAL',
                final_mac: finalMac(deps.config, 'COIN', one),
              })
              .execute()
          const chain = { scan: () => Promise.resolve({ scannedTo: now, transfers }) } as unknown as ChainGateway
          const ways = { read: <T>(work: (at: Db) => Promise<T>) => work(db), inTransaction: inTransaction.bind(null, db) as never }
          await pollInvoices(ways, deps, chain, [await rowOf(id)])
        },
      }
    }
    const credit = async (id: string) => (await instance.get(`/staff/queues/deposits/${id}`, instance.checker)).body.data.credit
    const approve = async (id: string, who: Person) =>
      (await instance.post(`/staff/queues/deposits/${id}/approve`, who, { amount: await credit(id), reason: 'seen' })).body.message
    const stories: Record<string, () => Promise<{ id: string; more(): Promise<void> }>> = {
      'a payment of a part': async () => {
        const id = await instance.deposit(instance.member, 5000n)
        const { id: rowId } = await rowOf(id)
        const payment = { paymentId: `part-${id}`, orderId: id, status: 'partial' as const, payCurrency: 'usdtbsc' }
        const paid = { actuallyPaid: 3000n * ONE, paidText: '3000' }
        return { id, more: () => inTransaction(db, (tx) => applyPayment(tx, deps, rowId, { ...payment, ...paid })) }
      },
      'another transfer': async () => {
        const { id, show } = await invoice()
        await show({ one: 5n })
        return { id, more: () => show({ one: 5n }, { two: 7n }) }
      },
      'another transfer instead': async () => {
        const { id, show } = await invoice()
        await show({ one: 5n })
        return { id, more: () => show({ two: 5n }) }
      },
      'a transfer that came back': async () => {
        const { id, show } = await invoice()
        await show({ one: 5n }, { two: 7n })
        await show({ two: 7n })
        return { id, more: () => show({ one: 5n }, { two: 7n }) }
      },
      'more in the same transfer': async () => {
        const { id, show } = await invoice()
        await show({ one: 5n })
        return { id, more: () => show({ one: 50n }) }
      },
    }
    it.each(Object.keys(stories))('[I7] is void, even if its row is restored: %s', async (name) => {
      const { id, more } = await stories[name]!()
      const open = 'Another staff member has to approve this too'
      expect(await approve(id, instance.maker)).toBe(open)
      const { first_approved_by, first_approved_at, first_mac } = await rowOf(id)
      await more()
      expect(await rowOf(id)).toMatchObject({ first_approved_by: null, first_mac: null })
      const set = (to: object) => db.updateTable('deposit').set(to).where('public_id', '=', id).execute()
      await set({ first_approved_by, first_approved_at, first_mac })
      expect(await named(/awaiting a second approval/)).toEqual([id])
      if ((await credit(id)) > 0n) expect(await approve(id, instance.checker)).toBe(FORGED)
      await set({ first_approved_by: null, first_approved_at: null, first_mac: null })
      if (name === 'a payment of a part') return
      expect([await approve(id, instance.checker), await approve(id, instance.maker)]).toEqual([open, 'Approved'])
      expect(await named(/as its first approver approved it/)).not.toContain(id)
    })
  })

  it('[I7] [I17] is void after revocation, use or expiry, even if its row is restored', async () => {
    const tables = { deposits: 'deposit', withdrawals: 'payout_request', bridges: 'payout_request', change: 'staff_proposal' } as const
    const path = (kind: keyof typeof tables, id: string) => (kind === 'change' ? `/staff/changes/${id}` : `/staff/queues/${kind}/${id}`)
    const act = async (kind: keyof typeof tables, id: string, what: string, who: Person) =>
      (
        await instance.post(`${path(kind, id)}/${what}`, who, {
          reason: 'because',
          ...(kind === 'deposits' && what === 'approve' ? { amount: 5000 } : {}),
        })
      ).body.message
    const propose = async (openInvoices: number, startsAt?: Date) =>
      (await instance.post('/staff/changes', instance.maker, { subject: 'limits', value: { openInvoices }, reason: 'because', startsAt }))
        .body.data.id
    /** Ended by another proposal for the same settings. */
    const passed = async () => act('change', await propose(61), 'approve', instance.checker)
    const role = async (to: 'SUPPORT' | 'ADMIN') => {
      const value = { email: instance.maker.email, name: '', phone: '', role: to }
      const maker = { memberId: instance.checker.id, role: 'ADMIN' as const }
      await inTransaction(db, (tx) => applyProposal(tx, deps, { subject: 'staff', value, reason: 'because' }, { proposer: maker }))
      instance.maker.token = (await instance.at.signIn(instance.maker.id)).token
    }
    const tomorrow = () => new Date(instance.at.clock.now().getTime() + 86_400_000)
    const stories: Record<string, { kind: keyof typeof tables; begin(): Promise<string>; end(id: string): Promise<unknown> }> = {
      deposit: {
        kind: 'deposits',
        begin: () => instance.deposit(instance.member, 5000n),
        end: (id) => act('deposits', id, 'revoke-approval', instance.maker),
      },
      withdrawal: {
        kind: 'withdrawals',
        begin: () => instance.withdrawal(instance.member, 5000n),
        end: (id) => act('withdrawals', id, 'revoke-approval', instance.maker),
      },
      bridge: {
        kind: 'bridges',
        begin: () => instance.bridge(instance.member, 500_000n),
        end: (id) => act('bridges', id, 'revoke-approval', instance.maker),
      },
      'stopped by its member': {
        kind: 'withdrawals',
        begin: async () => instance.withdrawal(await instance.person(), 5000n),
        end: async (id) => {
          const { member_id: memberId } = await db
            .selectFrom('payout_request')
            .select('member_id')
            .where('public_id', '=', id)
            .executeTakeFirstOrThrow()
          const about = { id: memberId, token: '' } as unknown as Person
          const other = await instance.withdrawal(about, 10n, `0x${'7'.repeat(40)}`)
          return inTransaction(db, (tx) =>
            stopByLink(tx, deps, linkToken(deps, { about: 'payout', id: other }), { ip: '::1', requestId: 'a' }),
          )
        },
      },
      'demoted and promoted again': {
        kind: 'deposits',
        begin: () => instance.deposit(instance.member, 5000n),
        end: () => role('SUPPORT').then(() => role('ADMIN')),
      },
      'proposal refused': { kind: 'change', begin: () => propose(51), end: (id) => act('change', id, 'reject', instance.maker) },
      'proposal in force': { kind: 'change', begin: () => propose(52), end: (id) => act('change', id, 'approve', instance.checker) },
      'planned proposal cancelled': {
        kind: 'change',
        begin: () => propose(53, tomorrow()),
        end: async (id) => [await act('change', id, 'approve', instance.checker), await act('change', id, 'cancel', instance.maker)],
      },
      'expired proposal': { kind: 'change', begin: () => propose(54), end: passed },
      'proposal of demoted staff': { kind: 'change', begin: () => propose(55), end: () => role('SUPPORT').then(() => role('ADMIN')) },
    }
    for (const [name, { kind, begin, end }] of Object.entries(stories)) {
      const id = await begin()
      if (kind !== 'change')
        expect([name, await act(kind, id, 'approve', instance.maker)]).toEqual([name, 'Another staff member has to approve this too'])
      const row = () =>
        db
          .selectFrom(tables[kind] as 'deposit')
          .selectAll()
          .where('public_id', '=', id)
          .executeTakeFirstOrThrow()
      const before = await row()
      await end(id)
      const ended = await row()
      expect([name, ended]).not.toEqual([name, before])
      /** Edits as the database owner, without triggers. */
      const put = (to: object, from: object) =>
        inTransaction(db, async (tx) => {
          const held = new Map(Object.entries(from))
          const differs = Object.entries(to).filter(([key, value]) => !isDeepStrictEqual(value, held.get(key)))
          await sql`set local session_replication_role = replica`.execute(tx)
          await tx
            .updateTable(tables[kind] as 'deposit')
            .set(Object.fromEntries(differs))
            .where('public_id', '=', id)
            .execute()
        })
      await put(before, ended)
      expect([name, await named(/valid first approval in the audit log/)]).toEqual([name, [JSON.stringify({ id })]])
      expect([name, await act(kind, id, 'approve', instance.checker)]).toEqual([name, FORGED])
      await put(ended, before)
    }
  })
})
