import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { COLD, openHotWallet } from '../../../../test/hot-wallet.ts'
import { instance, openStaffApp, reason, staff } from '../../../../test/staff-calls.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { compareReserves } from '../../reconciliation/check-wallets.ts'
import { platformAlerts } from './platform-alerts.ts'

await openStaffApp()
const { db, clock } = instance.at
await openHotWallet(instance.at)

const propose = (amount: number, address = COLD) =>
  instance.post('/staff/hot-wallet/moves', instance.maker, { asset: 'usd', amount, address, reason })
const approve = (id: string, who = instance.checker) => instance.post(`/staff/changes/${id}/approve`, who)
const wallet = async () => (await instance.get('/staff/hot-wallet', staff.AUDITOR)).body.data

it('[I7] moves surplus only after a second person approves it, and shows it to staff', async () => {
  expect(await wallet()).toMatchObject({
    holdings: [
      { asset: 'usd', balance: 5000, ceiling: 1000, surplus: 4000 },
      { asset: 'coin', balance: 5000, ceiling: 1000, surplus: 4000 },
    ],
    coldAddresses: [COLD],
    moves: [],
  })
  const { body } = await propose(4000, COLD.toUpperCase().replace('0X', '0x'))
  const id: string = body.data.proposalId
  expect((await approve(id, instance.maker)).status).toBe(400)
  expect((await wallet()).moves).toEqual([])
  expect((await approve(id)).status).toBe(200)
  expect((await wallet()).moves).toMatchObject([{ asset: 'usd', amount: 4000, address: COLD, state: 'QUEUED', cancelling: false }])
  expect((await approve(id, instance.third)).status).toBe(400)
})

it('rejects a proposal above the surplus, to an unknown address, or beside an open move', async () => {
  expect((await propose(1)).body).toMatchObject({ success: false, message: expect.stringContaining('another move of this asset is open') })
  await openHotWallet(instance.at)
  expect((await propose(4000.000_000_01)).body).toMatchObject({ success: false, message: expect.stringContaining('no such surplus') })
  expect((await propose(1, `0x${'12'.repeat(20)}`)).status).toBe(400)
})

it('rejects the approval when the address left the settings, or another move was approved in between', async () => {
  await openHotWallet(instance.at)
  const [first, second] = [(await propose(10)).body.data.proposalId, (await propose(20)).body.data.proposalId]
  const { config } = instance.at.deps
  const { reserveAddresses } = config
  Object.assign(config, { reserveAddresses: [] })
  expect((await approve(first)).status).toBe(400)
  Object.assign(config, { reserveAddresses })
  const both = await Promise.all([approve(first), approve(second, instance.third)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect((await wallet()).moves.filter((one: { state: string }) => one.state === 'QUEUED')).toHaveLength(1)
})

it('raises a mailed alert when a balance has been above its ceiling for an hour, until it no longer is', async () => {
  const alerts = async () => (await platformAlerts(db, clock.now())).filter(({ name }) => name.startsWith('ceiling:'))
  const found = await sql<{ wallet: string; token: string }>`select wallet, token from chain_reserve order by token limit 1`.execute(db)
  const [row] = found.rows
  if (row === undefined) throw new Error('no balance')
  const compare = (balance: bigint) =>
    inTransaction(db, (tx) =>
      compareReserves(
        tx,
        { chainId: 31_337, ceilings: new Map([[row.token, 100n]]) },
        [{ ...row, balance, min: 0n, max: 10n ** 30n }],
        clock.now(),
      ),
    )
  await sql`update chain_reserve set ceiling = null, above_since = null`.execute(db)
  await compare(100n)
  clock.advance(3_600_000)
  expect(await alerts()).toEqual([])
  await compare(150n)
  clock.advance(3_599_000)
  await compare(160n)
  expect(await alerts()).toEqual([])
  clock.advance(1000)
  expect(await alerts()).toMatchObject([{ level: 'amber', stops: false, mailed: true, text: expect.stringContaining('160 % of it') }])
  await compare(99n)
  expect(await alerts()).toEqual([])
})
