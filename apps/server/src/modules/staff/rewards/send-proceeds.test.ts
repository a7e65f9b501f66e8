import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fundSales, openHotWallet, OPERATOR } from '../../../../test/hot-wallet.ts'
import { instance, openStaffApp, reason, staff } from '../../../../test/staff-calls.ts'
import { balanceOfSystemAccount } from '../../../ledger/index.ts'

await openStaffApp()
const { db } = instance.at
await openHotWallet(instance.at)
await fundSales(instance.at, '100')

const propose = (amount: number, address = OPERATOR) =>
  instance.post('/staff/reward-pool/proceeds', instance.maker, { amount, address, reason })
const approve = (id: string, who = instance.checker) => instance.post(`/staff/changes/${id}/approve`, who)
const inFund = async () => Number((await balanceOfSystemAccount(db, 'SYS-SALES', 'USD')) / 10n ** 8n)
const shown = async () => (await instance.get('/staff/reward-pool', staff.AUDITOR)).body.data.proceeds
/** Ends the open payout as if it had arrived. */
const end = () =>
  sql`update payout_sending set state = 'CANCELLED', cancel_asked_at = queued_at, ended_at = queued_at
    where request_id < 0 and ended_at is null`.execute(db)

it('sends proceeds only after a second person approves them, and shows staff the available amount and its limits', async () => {
  const before = await inFund()
  const bounds = await shown()
  expect(bounds).toMatchObject({ pastHold: before, inWallet: 5000, holdDays: 30, addresses: [OPERATOR] })
  expect(bounds.available).toBe(Math.min(bounds.pastHold, bounds.pastRequests, bounds.free, bounds.inWallet))
  const { body } = await propose(40, OPERATOR.toUpperCase().replace('0X', '0x'))
  const id: string = body.data.proposalId
  expect((await approve(id, instance.maker)).status).toBe(400)
  expect(await inFund()).toBe(before)
  expect((await approve(id)).status).toBe(200)
  expect(await inFund()).toBe(before - 40)
  const { body: wallet } = await instance.get('/staff/hot-wallet', staff.AUDITOR)
  expect(wallet.data.moves).toMatchObject([{ kind: 'proceeds', amount: 40, address: OPERATOR, state: 'QUEUED' }])
  const posted = await db.selectFrom('ledger_transfer').select('id').where('kind', '=', 'proceeds').executeTakeFirstOrThrow()
  const { body: transfer } = await instance.get(`/staff/ledger/transfers/${posted.id}`, staff.AUDITOR)
  expect(JSON.stringify(transfer.data)).toContain('Proceeds of sales')
  expect((await approve(id, instance.third)).status).toBe(400)
  expect(await inFund()).toBe(before - 40)
  await end()
})

it('rejects more than is available with that amount, another address, and an approval after either changed', async () => {
  const { available } = await shown()
  expect((await propose(available + 1)).body.message).toBe(`Only ${available} USD of the sales fund can be sent to the operator now`)
  expect((await propose(1, `0x${'12'.repeat(20)}`)).status).toBe(400)
  const [whole, part] = [(await propose(available)).body.data.proposalId, (await propose(1)).body.data.proposalId]
  const { config } = instance.at.deps
  const { proceedsAddresses } = config
  Object.assign(config, { proceedsAddresses: [] })
  expect((await approve(part)).status).toBe(400)
  Object.assign(config, { proceedsAddresses })
  const fund = await inFund()
  const both = await Promise.all([approve(whole), approve(part, instance.third)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await inFund()).toBe(fund - (both[0].status === 200 ? available : 1))
})
