import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { runAudit } from '../../../ledger/index.ts'
import { ledgerChecks } from '../../../ledger/index.ts'
import { auditChecks as depositChecks } from '../../deposits/index.ts'
import { confirmPayoutAddress } from '../../../../test/members.ts'
import { type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'

const instance = await staffInstance()

const decide = (kind: string, id: string, what: 'approve' | 'reject', who: keyof StaffInstance, body: unknown = { reason: 'checked' }) =>
  instance.post(`/staff/queues/${kind}/${id}/${what}`, instance[who] as StaffInstance['maker'], body)

const PAID = { status: 'APPROVED', transferId: expect.stringMatching(/^[1-9]\d*$/) }
const transfer = async (reply: { body: { data: { transferId: string } } }) =>
  (await instance.get(`/staff/ledger/transfers/${reply.body.data.transferId}`, instance.maker)).body.data

describe('payouts', () => {
  it('[GN-04] [MF-03] [I17] approve a withdrawal once, with actor, reason and request in the audit log', async () => {
    const who = await instance.person()
    const id = await instance.withdrawal(who, 100n)
    const reply = await decide('withdrawals', id, 'approve', 'maker')
    expect(reply.body).toMatchObject({ success: true, data: PAID })
    const paid = (await instance.get(`/staff/queues/withdrawals/${id}`, instance.maker)).body.data.received
    expect(await transfer(reply)).toMatchObject({ kind: 'payout', asset: 'usd', amount: paid, cause: [{ id }] })
    expect((await decide('withdrawals', id, 'approve', 'checker')).body.message).toBe('This request has already been decided')
    const trail = await instance.audits(id)
    expect(trail).toMatchObject([
      { outcome: 'ok' },
      { action: 'staff.request.approve', actor_id: instance.checker.id, outcome: 'ALREADY_DECIDED' },
    ])
    expect(trail[0]).toMatchObject({ action: 'staff.request.approve', actor_id: instance.maker.id, reason: 'checked', outcome: 'ok' })
    expect(trail[0]?.request_id).toBeTruthy()
  })

  it('[MF-03] [I7] reject with the whole amount returned, and allow no later approval', async () => {
    const who = await instance.person()
    const id = await instance.withdrawal(who, 50n)
    expect(await instance.balance(who, 'depositWallet')).toBe(0n)
    expect((await decide('withdrawals', id, 'reject', 'maker')).status).toBe(200)
    expect(await instance.balance(who, 'depositWallet')).toBe(50n * ONE)
    expect((await decide('withdrawals', id, 'approve', 'checker')).body.message).toBe('This request has already been decided')
    expect((await decide('withdrawals', id, 'reject', 'checker')).status).toBe(400)
    expect(await instance.balance(who, 'depositWallet')).toBe(50n * ONE)
    expect((await instance.audits(id)).map((row) => [row.action, row.outcome])).toEqual([
      ['staff.request.reject', 'ok'],
      ['staff.request.approve', 'ALREADY_DECIDED'],
      ['staff.request.reject', 'ALREADY_DECIDED'],
    ])
  })

  it('[I17] accept the transaction of an approved payout later, once, and notify the member', async () => {
    const who = await instance.person()
    const id = await instance.withdrawal(who, 40n)
    const name = (txHash: string, kind = 'withdrawals') =>
      instance.post(`/staff/queues/${kind}/${id}/transaction`, instance.maker, { txHash, reason: 'sent by hand' })
    expect((await name('0xabc')).body.message).toBe('This request has not been approved')
    await decide('withdrawals', id, 'approve', 'maker')
    expect((await name('0xabc', 'bridges')).status).toBe(404)
    expect((await name('0xabc', 'deposits')).status).toBe(404)
    expect((await name('0xabc')).status).toBe(200)
    expect((await name('0xdef')).body.message).toBe('This request has already been decided')
    const { tx_hash: kept } = await instance.at.db
      .selectFrom('payout_request')
      .select('tx_hash')
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(kept).toBe('0xabc')
    const words = await instance.at.db.selectFrom('payout_notification').select('step').where('request', '=', id).orderBy('id').execute()
    expect(words.map((word) => word.step)).toEqual(['asked', 'approved', 'paid'])
    const entries = await instance.at.db
      .selectFrom('audit_event')
      .select('detail')
      .where('action', '=', 'staff.request.transaction')
      .where('outcome', '=', 'ok')
      .execute()
    expect(entries.at(-1)?.detail).toMatchObject({ txHash: '0xabc' })
  })

  it('[MF-04] decide a bridge in its queue only', async () => {
    const who = await instance.person()
    const id = await instance.bridge(who, 500n)
    expect((await decide('withdrawals', id, 'approve', 'maker')).status).toBe(404)
    expect((await decide('deposits', id, 'approve', 'maker', credits(1))).status).toBe(404)
    expect((await decide('bridges', id, 'approve', 'maker')).body.data).toEqual(PAID)
  })

  it('[I7] need two people above the limit, the second a different one', async () => {
    const id = await instance.withdrawal(await instance.person(), 1001n)
    expect((await decide('withdrawals', id, 'approve', 'maker')).body.data).toEqual({ status: 'WAITING' })
    expect((await decide('withdrawals', id, 'approve', 'maker')).body.message).toBe('Another staff member has to approve this')
    const queue = await instance.get('/staff/queues/withdrawals?status=PENDING&limit=100', instance.support)
    expect(queue.body.data.data.find((row: { id: string }) => row.id === id)).toMatchObject({
      approvalsNeeded: 2,
      approvedBy: [instance.maker.email],
      status: 'PENDING',
    })
    expect((await decide('withdrawals', id, 'approve', 'checker')).body.data).toEqual(PAID)
    expect((await instance.audits(id)).map((row) => [row.action, row.actor_id, row.outcome])).toEqual([
      ['staff.request.first-approval', instance.maker.id, 'ok'],
      ['staff.request.approve', instance.maker.id, 'FOUR_EYES'],
      ['staff.request.approve', instance.checker.id, 'ok'],
    ])
  })

  it('[I7] are paid once when two people approve and two reject in parallel', async () => {
    const who = await instance.person()
    const id = await instance.withdrawal(who, 2000n)
    await decide('withdrawals', id, 'approve', 'maker')
    const replies = await Promise.all([
      decide('withdrawals', id, 'approve', 'checker'),
      decide('withdrawals', id, 'approve', 'third'),
      decide('withdrawals', id, 'reject', 'checker'),
      decide('withdrawals', id, 'reject', 'third'),
    ])
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    const payouts = await instance.at.db
      .selectFrom('ledger_transfer')
      .select('id')
      .where('cause_id', '=', id)
      .where('kind', 'in', ['payout', 'withdrawalRejected'])
      .execute()
    expect(payouts.length).toBeLessThanOrEqual(1)
    expect((await runAudit(instance.at.db, ledgerChecks)).filter((result) => result.broken > 0)).toEqual([])
  })

  it('[I5] [I17] return the stored answer under a key, record a rejection once, and reject the key for another request', async () => {
    const id = await instance.withdrawal(await instance.person(), 25n)
    const other = await instance.withdrawal(await instance.person(), 25n)
    const call = (what: string) => instance.post(`/staff/queues/withdrawals/${what}/approve`, instance.maker, { reason: 'x' }, 'key-a')
    const first = await call(id)
    expect((await call(id)).text).toBe(first.text)
    expect((await call(other)).body.message).toBe('This idempotency key was used for another request')
    const late = () => instance.post(`/staff/queues/withdrawals/${id}/approve`, instance.checker, { reason: 'late' }, 'key-b')
    expect((await late()).text).toBe((await late()).text)
    expect((await instance.audits(id)).map((row) => row.outcome)).toEqual(['ok', 'ALREADY_DECIDED'])
  })

  it("reject the staff member's own request, for approval and rejection", async () => {
    const id = await instance.withdrawal(instance.checker, 20n)
    expect((await decide('withdrawals', id, 'approve', 'checker')).body.message).toBe('Another staff member has to approve this')
    expect((await decide('withdrawals', id, 'reject', 'checker')).status).toBe(400)
    expect((await decide('withdrawals', id, 'approve', 'maker')).status).toBe(200)
  })

  it("reject the approval of a payout to an address in the staff member's address book, removed entries included", async () => {
    const address = '0x8617e340b3d01fa5f11f306f4090fd50e238070d'
    const id = await instance.withdrawal(instance.member, 5n, address)
    await confirmPayoutAddress(instance.at.db, instance.maker.id, address)
    await instance.at.db.updateTable('payout_address').set({ removed_at: new Date() }).where('member_id', '=', instance.maker.id).execute()
    expect((await decide('withdrawals', id, 'approve', 'maker')).body.message).toBe('Another staff member has to approve this')
    expect((await decide('withdrawals', id, 'approve', 'checker')).status).toBe(200)
  })

  it('take the approver from the session only', async () => {
    const id = await instance.withdrawal(await instance.person(), 30n)
    const forged = { reason: 'x', staffId: String(instance.checker.id) }
    expect((await decide('withdrawals', id, 'approve', 'maker', forged)).status).toBe(400)
    await decide('withdrawals', id, 'approve', 'maker', { reason: 'x' })
    expect((await instance.audits(id))[0]?.actor_id).toBe(instance.maker.id)
  })

  it('list open requests first and oldest first, then the decided ones', async () => {
    const { body } = await instance.get('/staff/queues/withdrawals?limit=100', instance.support)
    const statuses: string[] = body.data.data.map((row: { status: string }) => row.status)
    const firstDone = statuses.findIndex((status) => status !== 'PENDING')
    expect(statuses.slice(firstDone)).not.toContain('PENDING')
    expect(body.data.meta.total).toBe(statuses.length)
  })
})

const credits = (usd: number) => ({ reason: 'checked', amount: usd })

describe('manual deposits', () => {
  it('[I8] [I17] credit a reviewed payment once', async () => {
    const who = await instance.person()
    const id = await instance.deposit(who, 70n, 'usdc')
    const { body } = await instance.get('/staff/queues/deposits?status=PENDING&limit=100', instance.support)
    expect(body.data.data.find((row: { id: string }) => row.id === id)?.flags).toContain('paid in usdc')
    expect((await instance.get('/staff/overview', instance.support)).body.data.waiting.deposits).toBe(1)
    const reply = await decide('deposits', id, 'approve', 'maker', credits(70))
    expect(reply.body.data).toEqual(PAID)
    expect(await transfer(reply)).toMatchObject({ kind: 'deposit', asset: 'usd', amount: 70, cause: [{ id }] })
    expect((await decide('deposits', id, 'approve', 'checker', credits(70))).body.message).toBe('This request has already been decided')
    expect(await instance.balance(who, 'depositWallet')).toBe(70n * ONE)
    expect((await instance.audits(id)).map((row) => row.outcome)).toEqual(['ok', 'ALREADY_DECIDED'])
    expect((await runAudit(instance.at.db, depositChecks)).filter((result) => result.broken > 0)).toEqual([])
    expect((await instance.get('/staff/overview', instance.support)).body.data.waiting.deposits).toBe(0)
  })

  it('[I8] need two people above the limit, have one effect in parallel, and none after a rejection', async () => {
    const who = await instance.person()
    const large = await instance.deposit(who, 5000n)
    expect((await decide('deposits', large, 'approve', 'maker', credits(5000))).body.data).toEqual({ status: 'WAITING' })
    expect((await decide('deposits', large, 'approve', 'maker', credits(5000))).status).toBe(400)
    const replies = await Promise.all([
      decide('deposits', large, 'approve', 'checker', credits(5000)),
      decide('deposits', large, 'approve', 'third', credits(5000)),
    ])
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await instance.balance(who, 'depositWallet')).toBe(5000n * ONE)
    const refused = await instance.deposit(who, 9n)
    expect((await decide('deposits', refused, 'reject', 'maker')).status).toBe(200)
    expect((await decide('deposits', refused, 'approve', 'checker', credits(9))).body.message).toBe('This request has already been decided')
    expect(await instance.balance(who, 'depositWallet')).toBe(5000n * ONE)
  })

  it("reject the staff member's own deposit", async () => {
    expect((await decide('deposits', await instance.deposit(instance.maker, 5n), 'approve', 'maker', credits(5))).body.message).toBe(
      'Another staff member has to approve this',
    )
  })
})
