import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { changeBook } from '../../../../test/members.ts'
import { type Person, staffInstance } from '../../../../test/staff-instance.ts'
import { liftLedgerStop, stopLedger } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { currentSettings } from '../../settings/index.ts'

const instance = await staffInstance()
const finance = await instance.person({ role: 'FINANCE' })

const item = async (id: string, who: Person, kind = 'withdrawals') => (await instance.get(`/staff/queues/${kind}/${id}`, who)).body.data
const list = async (query: string, who: Person): Promise<{ id: string; seen: string; canDecide: boolean; signs: { code: string }[] }[]> =>
  (await instance.get(`/staff/queues/${query}`, who)).body.data.data
const ids = async (query: string, who: Person) => (await list(query, who)).map((row) => row.id)
const post = (path: string, who: Person, body: object) => instance.post(`/staff/queues/${path}`, who, body)
const reason = 'checked'
const PAID = { status: 'APPROVED', transferId: expect.stringMatching(/^[1-9]\d*$/) }

describe('console queues', () => {
  it('[MF-04] list payouts of both kinds by age: for the viewer, for others, decided', async () => {
    const who = await instance.person()
    const withdrawal = await instance.withdrawal(who, 1500n)
    const bridge = await instance.bridge(who, 40n)
    expect(await ids('payouts?for=me', finance)).toEqual([withdrawal, bridge])
    expect(await ids('payouts?for=me', instance.support)).toEqual([])
    expect(await ids('payouts?for=others', instance.support)).toEqual([withdrawal, bridge])
    expect(await ids(`payouts?for=me&before=${withdrawal}&limit=1`, finance)).toEqual([bridge])
    expect(await ids('payouts?for=me&aboveLimit=true', finance)).toEqual([withdrawal])
    expect((await post(`withdrawals/${withdrawal}/approve`, finance, { reason })).body.data).toEqual({ status: 'WAITING' })
    expect(await ids('payouts?for=me', finance)).toEqual([bridge])
    expect(await ids('payouts?for=others', finance)).toEqual([withdrawal])
    expect((await post(`bridges/${bridge}/reject`, finance, { reason })).status).toBe(200)
    expect(await ids('payouts?for=decided', finance)).toEqual([bridge])
    expect((await instance.get('/staff/overview', finance)).body.data.work.payouts).toMatchObject({ count: 1, forMe: 0, targetHours: 8 })
    expect((await instance.get('/staff/overview', instance.checker)).body.data.work.payouts).toMatchObject({ count: 1, forMe: 1 })
    expect((await post(`withdrawals/${withdrawal}/reject`, instance.checker, { reason })).status).toBe(200)
  })

  it('flag unusual requests, and list the checks', async () => {
    const [known, fresh] = [await instance.person(), await instance.person()]
    instance.at.clock.advance(0)
    const old = new Date(instance.at.clock.now().getTime() - 10 * 86_400_000)
    await instance.at.db.updateTable('member').set({ created_at: old }).where('id', 'in', [known.id, fresh.id]).execute()
    const paid = await instance.withdrawal(known, 10n)
    expect((await post(`withdrawals/${paid}/approve`, finance, { reason })).status).toBe(200)
    const again = await instance.withdrawal(known, 10n)
    const first = await instance.withdrawal(fresh, 10n)
    const lookalike = await instance.withdrawal(known, 10n, '0x5290840009852788000000000000000000009EE7'.toLowerCase())
    const codes = Object.fromEntries((await list('payouts?for=me', finance)).map((row) => [row.id, row.signs.map((sign) => sign.code)]))
    expect(codes[again]).toEqual([])
    expect(codes[first]).toEqual(['NEW_ADDRESS'])
    expect(codes[lookalike]).toEqual(['NEW_ADDRESS', 'LOOKALIKE', 'MANY'])
    expect((await ids('payouts?for=me&flagged=true', finance)).toSorted()).toEqual([first, lookalike].toSorted())
    const detail = await item(again, finance)
    expect(detail.checks).toContain('Address paid once before')
    expect(detail).toMatchObject({ effect: 'pays', canDecide: true, limit: 1000, addressUsed: 1 })
    expect(detail.about).toMatchObject({ paidOut: 10, held: { usd: 20, coin: 0 }, status: true, teamSize: 0 })
    // Requests appear newest first, by creation time.
    expect(detail.about.earlierPayouts.map((one: { id: string }) => one.id)).toEqual([lookalike, again, paid])
    expect(await item(again, instance.support)).toMatchObject({ canDecide: false, whyNot: 'ROLE' })
    for (const id of [again, first, lookalike]) await post(`withdrawals/${id}/reject`, instance.maker, { reason })
  })

  it('show that the member proved the address, and not that another member did', async () => {
    const [owner, other] = [await instance.person(), await instance.person()]
    const address = '0x9f1a03b277c4d18e5a6b2c9044afe1d38b7560cc'
    const [proven, foreign] = [await instance.withdrawal(owner, 10n, address), await instance.withdrawal(other, 10n, address)]
    const { db, clock } = instance.at
    const proof = { proven_at: clock.now(), proven_by: 'key' as const }
    // SQL alone proves nothing.
    await db.updateTable('payout_address').set(proof).where('member_id', '=', owner.id).execute()
    expect((await item(proven, finance)).checks.join(', ')).not.toContain('proven')
    await changeBook(db, owner.id, proof)
    expect((await item(proven, finance)).checks).toContain('Address proven by its key')
    expect((await item(foreign, finance)).checks.join(', ')).not.toContain('proven')
    for (const id of [proven, foreign]) await post(`withdrawals/${id}/reject`, instance.maker, { reason })
  })

  it('flag a request that nearly uses up the daily limit, with the amount already paid', async () => {
    const who = await instance.person()
    const old = new Date(instance.at.clock.now().getTime() - 10 * 86_400_000)
    await instance.at.db.updateTable('member').set({ created_at: old }).where('id', '=', who.id).execute()
    const { payoutDayUsd } = await currentSettings(instance.at.db, instance.at.clock.now())
    const paid = await instance.withdrawal(who, 900n)
    const payer = await instance.person({ role: 'FINANCE' })
    expect((await post(`withdrawals/${paid}/approve`, payer, { reason })).status).toBe(200)
    const sum = (payoutDayUsd * 8n) / 10n - 10n * ONE
    await sql`update payout_request set received = received + ${sum} - amount, amount = ${sum} where public_id = ${paid}`.execute(
      instance.at.db,
    )
    const [within, past] = [await instance.withdrawal(who, 10n), await instance.withdrawal(who, 11n)]
    const signs = async (id: string) => (await item(id, finance)).signs.filter(({ code }: { code: string }) => code === 'DAY_LIMIT')
    expect(await signs(within)).toEqual([])
    expect(await signs(past)).toMatchObject([{ detail: '40,001.00 of 50,000.00 USD with this one' }])
    expect((await item(within, finance)).checks).toContain('Within the 24-hour limit')
    await sql`update payout_request set created_at = created_at - interval '3 days' where public_id in (${paid}, ${within})`.execute(
      instance.at.db,
    )
    expect(await ids('payouts?for=me&flagged=true', finance)).toEqual([past])
    for (const id of [within, past]) await post(`withdrawals/${id}/reject`, instance.maker, { reason })
  })

  it('[I7] reject a decision about an outdated version, and leave the request unchanged', async () => {
    const id = await instance.withdrawal(await instance.person(), 1500n)
    const shown = await item(id, instance.checker)
    expect(shown.effect).toBe('first-approval')
    expect((await post(`withdrawals/${id}/approve`, finance, { reason: 'called', seen: shown.seen })).body.data).toEqual({
      status: 'WAITING',
    })
    for (const what of ['approve', 'reject']) {
      const { status, body } = await post(`withdrawals/${id}/${what}`, instance.checker, { reason, seen: shown.seen })
      expect([status, body.message]).toEqual([400, 'This request has changed since you opened it, please reload it'])
    }
    const now = await item(id, instance.checker)
    expect(now).toMatchObject({ status: 'PENDING', effect: 'pays', approvals: [{ by: { email: finance.email }, reason: 'called' }] })
    expect(await item(id, finance)).toMatchObject({ canDecide: false, whyNot: 'FIRST_WAS_YOU' })
    expect((await post(`withdrawals/${id}/approve`, instance.checker, { reason, seen: now.seen })).body.data).toEqual(PAID)
    const late = await post(`withdrawals/${id}/approve`, instance.third, { reason, seen: now.seen })
    expect(late.body.message).toBe('This request has already been decided')
  })

  it('[I7] pay once when two people approve the same version in parallel', async () => {
    const id = await instance.withdrawal(await instance.person(), 1500n)
    await post(`withdrawals/${id}/approve`, finance, { reason })
    const { seen } = await item(id, instance.maker)
    const replies = await Promise.all(
      [instance.checker, instance.third].flatMap((who) => [
        post(`withdrawals/${id}/approve`, who, { reason, seen }),
        post(`withdrawals/${id}/reject`, who, { reason, seen }),
      ]),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('[I7] [I17] let only its author revoke a first approval, and only before the second', async () => {
    const id = await instance.withdrawal(await instance.person(), 1500n)
    const back = (who: Person) => post(`withdrawals/${id}/revoke-approval`, who, { reason })
    expect((await back(finance)).status).toBe(400)
    await post(`withdrawals/${id}/approve`, finance, { reason })
    expect((await back(instance.checker)).body.message).toMatch(/has changed/)
    expect((await back(instance.support)).status).toBe(404)
    expect((await back(finance)).status).toBe(200)
    expect((await instance.audits(id)).at(-1)).toMatchObject({
      action: 'staff.request.revoke-approval',
      actor_id: finance.id,
      outcome: 'ok',
    })
    expect(await item(id, instance.checker)).toMatchObject({ effect: 'first-approval', approvals: [] })
    await post(`withdrawals/${id}/approve`, finance, { reason })
    expect((await post(`withdrawals/${id}/approve`, instance.checker, { reason })).body.data).toEqual(PAID)
    expect((await back(finance)).body.message).toMatch(/already been decided/)
    expect((await post(`bridges/${id}/revoke-approval`, finance, {})).status).toBe(404)
  })

  it("[GN-04] [MF-01] show deposits with the provider's data, and credit the displayed amount", async () => {
    const who = await instance.person()
    const id = await instance.deposit(who, 20n, 'usdc')
    const unpaid = await instance.deposit(who, 30n)
    expect(await ids('deposits?for=me', finance)).toEqual([id])
    expect(await ids('deposits?for=others', finance)).toEqual([unpaid])
    const detail = await item(id, finance, 'deposits')
    expect(detail).toMatchObject({ credit: 20, effect: 'pays', payments: [{ currency: 'usdc', paid: 20, review: 'paid in usdc' }] })
    expect(await item(unpaid, finance, 'deposits')).toMatchObject({ credit: 30, effect: 'first-approval' })
    const body = { reason, seen: detail.seen, amount: detail.credit }
    expect((await post(`deposits/${id}/approve`, finance, body)).body.data).toEqual(PAID)
    expect(await instance.balance(who, 'depositWallet')).toBe(20n * ONE)
    expect(await ids('deposits?for=decided', finance)).toEqual([id])
    await post(`deposits/${unpaid}/approve`, finance, { reason, amount: 30 })
    expect(await ids('deposits?for=me', instance.checker)).toEqual([unpaid])
    expect((await post(`deposits/${unpaid}/revoke-approval`, finance, {})).status).toBe(200)
    expect(await ids('deposits?for=me', instance.checker)).toEqual([])
  })

  it('[I7] revoke one approval, and keep others of the same person', async () => {
    const payouts = [
      await instance.withdrawal(await instance.person(), 1500n),
      await instance.withdrawal(await instance.person(), 1600n),
    ] as const
    const deposits = [await instance.deposit(await instance.person(), 40n), await instance.deposit(await instance.person(), 50n)] as const
    for (const id of payouts) await post(`withdrawals/${id}/approve`, finance, { reason })
    await post(`deposits/${deposits[0]}/approve`, finance, { reason, amount: 40 })
    await post(`deposits/${deposits[1]}/approve`, finance, { reason, amount: 50 })
    expect((await post(`withdrawals/${payouts[0]}/revoke-approval`, finance, { reason })).status).toBe(200)
    expect((await post(`deposits/${deposits[0]}/revoke-approval`, finance, { reason })).status).toBe(200)
    const left = async (id: string, kind: string) => (await item(id, instance.checker, kind)).approvals.length
    expect([await left(payouts[0], 'withdrawals'), await left(payouts[1], 'withdrawals')]).toEqual([0, 1])
    expect([await left(deposits[0], 'deposits'), await left(deposits[1], 'deposits')]).toEqual([0, 1])
    // The second approval decides the deposit. Its first approval stays on record.
    expect((await post(`deposits/${deposits[1]}/approve`, instance.checker, { reason, amount: 50 })).body.data).toEqual(PAID)
    expect((await post(`deposits/${deposits[1]}/revoke-approval`, finance, { reason })).body.message).toMatch(/already been decided/)
  })

  it('show that payouts and credits are paused, and still allow a rejection', async () => {
    const payout = await instance.withdrawal(await instance.person(), 10n)
    const deposit = await instance.deposit(await instance.person(), 10n, 'doge')
    await inTransaction(instance.at.db, (tx) => stopLedger(tx, instance.at.clock.now(), 'a look'))
    expect(await item(payout, finance)).toMatchObject({ canDecide: true, whyNot: 'STOPPED' })
    expect(await item(deposit, finance, 'deposits')).toMatchObject({ canDecide: true, whyNot: 'STOPPED' })
    expect(await item(payout, instance.support)).toMatchObject({ canDecide: false, whyNot: 'ROLE' })
    expect((await post(`withdrawals/${payout}/approve`, finance, { reason })).body.message).toContain('paused: a look')
    expect((await post(`withdrawals/${payout}/reject`, finance, { reason })).status).toBe(200)
    await inTransaction(instance.at.db, (tx) => liftLedgerStop(tx, instance.at.clock.now()))
    const open = await item(deposit, finance, 'deposits')
    expect([open.canDecide, open.whyNot]).toEqual([true, undefined])
    await post(`deposits/${deposit}/reject`, instance.maker, { reason })
  })

  it('answer 404 for an item of another queue or a missing one', async () => {
    const id = await instance.bridge(await instance.person(), 5n)
    for (const path of [`withdrawals/${id}`, `deposits/${id}`, 'bridges/none', `payouts/${id}`])
      expect((await instance.get(`/staff/queues/${path}`, finance)).status).toBe(404)
  })

  it("show a member's payout freeze or stop in payouts only", async () => {
    const who = await instance.person()
    const now = instance.at.clock.now()
    const old = new Date(now.getTime() - 10 * 86_400_000)
    const set = (facts: object) => instance.at.db.updateTable('member').set(facts).where('id', '=', who.id).execute()
    await set({ created_at: old })
    const id = await instance.withdrawal(who, 10n)
    const deposit = await instance.deposit(who, 10n, 'doge')
    const codes = async (one: string, kind?: string) => (await item(one, finance, kind)).signs.map((sign: { code: string }) => sign.code)
    expect(await codes(id)).toEqual(['NEW_ADDRESS'])
    await set({ payouts_frozen_until: now, payouts_frozen_for: 'device' })
    expect(await codes(id)).toEqual(['NEW_ADDRESS'])
    const until = new Date(now.getTime() + 1)
    await set({ payouts_frozen_until: until })
    expect((await item(id, finance)).signs).toMatchObject([
      { code: 'NEW_ADDRESS', href: `/staff/members/${who.publicId}/ledger` },
      { code: 'RESTS', until: until.toISOString(), href: `/staff/members/${who.publicId}/sessions` },
    ])
    await set({ payouts_stopped_at: old })
    expect((await item(id, finance)).signs[1]).toMatchObject({ code: 'STOPPED', since: old.toISOString() })
    await set({ password_reset_at: now, payouts_stopped_at: null, payouts_frozen_until: null })
    expect((await item(id, finance)).signs[1]).toMatchObject({
      code: 'RESET',
      since: now.toISOString(),
      until: new Date(now.getTime() + 3 * 86_400_000).toISOString(),
    })
    await set({ password_reset_at: null })
    expect(await codes(deposit, 'deposits')).toEqual(['REVIEW'])
    await post(`withdrawals/${id}/reject`, instance.maker, { reason })
    await post(`deposits/${deposit}/reject`, instance.maker, { reason })
  })
})
