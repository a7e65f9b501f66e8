import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { byOne, byTwo, createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD, confirmPayoutAddress } from '../../../test/members.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { authRoutes } from '../auth/index.ts'
import {
  approvePayout,
  auditPayoutMacs,
  rejectPayout,
  requestBridge,
  requestWithdrawal,
  withdrawalRoutes,
  withdrawalJobs,
  stopAndAuditPayouts,
} from './index.ts'
import { linkToken } from './confirmation/payout-token.ts'
import { approvalMac } from './sending/approval-mac.ts'

const THIEF = '0xde709f2102306220921060314715629080e2fb77'

let at: TestApp
let staff: bigint
let payer: { id: bigint; token: string }
beforeEach(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, {
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      withdrawalRoutes(bind)
    },
    jobs: withdrawalJobs,
  })
  staff = (await createTestMember(db, { role: 'ADMIN' })).id
  const created = await createTestMember(db)
  for (const wallet of ['depositWallet', 'icoWallet'] as const) await fund(db, created.id, wallet, 1000n * ONE)
  payer = { id: created.id, token: (await at.signIn(created.id)).token }
})

const ask = (kind: 'withdrawal' | 'bridge') =>
  inTransaction(at.db, async (tx) => {
    const input = { memberId: payer.id, amount: 100n * ONE, address: PAYOUT_ADDRESS }
    return (await (kind === 'bridge' ? requestBridge(tx, at.deps, { ...input, network: 0 }) : requestWithdrawal(tx, at.deps, input))).id
  })
const confirm = async (id: string) =>
  (await at.call('POST', `/withdrawals/requests/${id}/confirm`, { token: payer.token, body: { password: TEST_PASSWORD } })).body.message
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error))
const approve = (payoutId: string) =>
  inTransaction(at.db, (tx) => approvePayout(tx, at.deps, { payoutId, staffId: staff, reason: 'checked', ...byOne })).catch(codeOf)
const row = (id: string) => at.db.selectFrom('payout_request').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
const set = (id: bigint, to: object) =>
  at.db
    .updateTable('payout_request')
    .set({ ...to, id: undefined })
    .where('id', '=', id)
    .execute()
/** Examples of requests and of queued payments. Cold moves have tests of their own. */
const named = async () => (await auditPayoutMacs(at.db, at.deps.config)).slice(0, 2).map((result) => result.examples)
const CHANGED = 'Integrity check failed: this request was modified outside the application'

describe.each(['withdrawal', 'bridge'] as const)('%s that was changed in the database', (kind) => {
  it('[I7] is neither confirmed nor approved, whichever field was changed, and the audit reports it', async () => {
    const id = await ask(kind)
    const other = await row(await ask(kind))
    const original = await row(id)
    const stranger = (await createTestMember(at.db)).id
    const changes: Partial<typeof original>[] = [
      { address: THIEF },
      { network: 1 },
      { received: original.received - 1n, platform_fee: original.platform_fee + 1n },
      { received: original.received - 1n, network_fee: original.network_fee + 1n },
      { received: original.received + 1n, amount: original.amount + 1n },
      { member_id: stranger },
      { kind: kind === 'bridge' ? 'withdrawal' : 'bridge' },
      { hold_id: 1n },
      { owner_mac: other.owner_mac },
      { owner_mac: Buffer.from('none') },
    ]
    const tryEach = async (more: typeof changes, attempt: () => Promise<unknown>, refusal: string, was: typeof original) => {
      for (const change of more) {
        await set(original.id, change)
        expect([change, await attempt()]).toEqual([change, refusal])
        expect(await named()).toEqual([[id], []])
        await set(original.id, was)
        expect(await named()).toEqual([[], []])
      }
    }
    const ownOnly = changes.filter((change) => change.member_id === undefined)
    await tryEach(ownOnly, () => confirm(id), CHANGED, original)
    await tryEach(
      ownOnly,
      async () => (await at.call('POST', '/withdrawals/link/confirm', { token: linkToken(at.deps, { about: 'payout', id }) })).body.message,
      CHANGED,
      original,
    )
    // A confirmation that the owner did not give.
    await tryEach([{ confirmed_at: at.clock.now(), confirmed_how: 'page' }], () => approve(id), 'PAYOUT_CHANGED', original)
    expect(await confirm(id)).toBe('Confirmed')
    const confirmed = await row(id)
    const afterwards = [...changes, { confirmed_how: 'link' }, { owner_mac: original.owner_mac }]
    await tryEach(afterwards, () => approve(id), 'PAYOUT_CHANGED', confirmed)
    // The first approval has a separate MAC (below).
    const first = ['first_approved_by', 'first_approved_at', 'first_mac']
    const touched = new Set(['public_id', 'confirmed_at', 'confirmed_how', ...first, ...changes.flatMap((change) => Object.keys(change))])
    // Columns outside the request MAC: they describe the row, its decision and later events, not the payment.
    const open = ['id', 'status', 'settings_version', 'created_at', 'confirm_by', 'step_up_digest']
    const after = [
      'decided_by',
      'decided_at',
      'reason',
      'tx_hash',
      'return_reason',
      'returned_at',
      'rule_version',
      'rule_name',
      'rule_outcome',
      'ceiling_of',
      'ceiling_left',
      'ceiling_free_at',
    ]
    // Columns of transfers, whose receiver the MAC covers too (`transfers/outflow.test.ts`).
    const transfers = ['receiver_id', 'transfer_id']
    expect([...touched, ...open, ...after, ...transfers].toSorted()).toEqual(Object.keys(original).toSorted())
    expect(await approve(id)).toBe('approved')
    expect(await named()).toEqual([[], []])
  })

  it('is returned in full when staff reject it, because the ledger has the source', async () => {
    await confirmPayoutAddress(at.db, payer.id)
    const id = await ask(kind)
    const { id: rowId } = await row(id)
    await set(rowId, { address: THIEF })
    await inTransaction(at.db, (tx) => rejectPayout(tx, at.deps, { payoutId: id, staffId: staff, reason: 'changed' }))
    const { rows } = await sql<{ balance: bigint }>`
      select balance from ledger_account where owner_id = ${payer.id} and kind = ${kind === 'bridge' ? 'icoWallet' : 'depositWallet'}`.execute(
      at.db,
    )
    expect(rows[0]?.balance).toBe(1000n * ONE)
  })
})

it('[I7] is not paid by one person beside a forged first approval, and the audit reports it', async () => {
  await confirmPayoutAddress(at.db, payer.id)
  const [id, other] = [await ask('withdrawal'), await ask('withdrawal')]
  const [first, second] = [staff, (await createTestMember(at.db, { role: 'ADMIN' })).id]
  const approveAs = (payoutId: string, staffId: bigint) =>
    inTransaction(at.db, (tx) => approvePayout(tx, at.deps, { payoutId, staffId, reason: 'checked', ...byTwo })).catch(codeOf)
  expect(await approveAs(other, first)).toBe('waits-for-second')
  const [original, given] = [await row(id), await row(other)]
  const lent = { first_approved_by: first, first_approved_at: given.first_approved_at, first_mac: given.first_mac }
  for (const forged of [lent, { ...lent, first_mac: original.owner_mac }, { ...lent, first_mac: Buffer.from('none') }]) {
    await set(original.id, forged)
    expect(await approveAs(id, second)).toBe('PAYOUT_CHANGED')
    expect(await named()).toEqual([[id], []])
  }
  await set(original.id, original)
  for (const change of [{ first_approved_by: second }, { first_approved_at: new Date(0) }]) {
    await set(given.id, change)
    expect(await approveAs(other, first)).toBe('PAYOUT_CHANGED')
    expect(await named()).toEqual([[other], []])
  }
  await set(given.id, given)
  expect(await named()).toEqual([[], []])
  expect([await approveAs(other, first), await approveAs(other, second)]).toEqual(['FOUR_EYES', 'approved'])
  expect(await row(other)).toMatchObject({ first_approved_by: first, decided_by: second })
  expect(await named()).toEqual([[], []])
})

it('[I7] is not copied from another one: a row without a request is not approved', async () => {
  await confirmPayoutAddress(at.db, payer.id)
  const { id: _, ...asked } = await row(await ask('withdrawal'))
  await at.db
    .insertInto('payout_request')
    .values({ ...asked, public_id: 'made-up', hold_id: 1n, step_up_digest: null })
    .execute()
  expect(await approve('made-up')).toBe('PAYOUT_CHANGED')
  expect(await named()).toEqual([['made-up'], []])
})

it('[I7] keeps its MAC valid when all payouts are stopped, returned in time, or paid', async () => {
  const [stopped, expired] = [await ask('withdrawal'), await ask('bridge')]
  expect(await confirm(stopped)).toBe('Confirmed')
  await at.call('POST', '/withdrawals/link/stop', { token: linkToken(at.deps, { about: 'payout', id: stopped }) })
  expect((await row(stopped)).confirmed_how).toBeNull()
  expect(await named()).toEqual([[], []])
  at.clock.advance(86_400_000)
  await at.runJobs()
  expect([(await row(stopped)).status, (await row(expired)).status]).toEqual(['REJECTED', 'REJECTED'])
  expect(await named()).toEqual([[], []])
})

it('[I7] is reported by the audit when a queued payment differs from its approval', async () => {
  await confirmPayoutAddress(at.db, payer.id)
  const id = await ask('withdrawal')
  expect(await approve(id)).toBe('approved')
  const payment = { payoutId: id, chainId: 31337, token: PAYOUT_ADDRESS.toLowerCase(), to: PAYOUT_ADDRESS.toLowerCase(), amount: 93n }
  const { id: request_id } = await row(id)
  const sending = {
    request_id,
    chain_id: 31337n,
    token: payment.token,
    to_address: payment.to,
    exact_amount: '93',
    queued_at: at.clock.now(),
    approval_mac: approvalMac(at.deps.config, payment),
  }
  await at.db.insertInto('payout_sending').values(sending).execute()
  expect(await named()).toEqual([[], []])
  for (const change of [
    { to_address: THIEF },
    { exact_amount: '94' },
    { token: THIEF },
    { chain_id: 1n },
    { approval_mac: Buffer.from('none') },
  ]) {
    await at.db.updateTable('payout_sending').set(change).execute()
    expect(await named()).toEqual([[], [id]])
    await at.db.updateTable('payout_sending').set(sending).execute()
  }
  expect(await named()).toEqual([[], []])
})
