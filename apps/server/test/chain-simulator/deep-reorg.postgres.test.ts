import { afterAll, expect, it } from 'vitest'
import { alertFindings } from '../../src/diagnostics/alerts.ts'
import { answerIncident, chainIncidents } from '../../src/gateways/chain/index.ts'
import { createInvoice } from '../../src/modules/deposits/index.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { requestPayout } from './staff.ts'
import { exactOf, units, World } from './world.ts'

/** More blocks than finality has. The worker stores more of them. */
const DEPTH = 30

const world = await World.open('anvil')
afterAll(() => world.close())
const { chain, db, deps, ports } = world

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await world.mine(8)
    await world.runJobs()
  }
}

it('[I7] [I8] reports a reorg below finality to staff, signs nothing until two people have answered, and sends the lost payout again', async () => {
  const [member] = world.members
  if (member === undefined) throw new Error('no member')
  const { invoiceId } = await inTransaction(db, (tx) =>
    createInvoice(tx, deps, ports, { memberId: member.id, amount: units('100'), asset: 'USD' }),
  )
  const { address } = await db.selectFrom('deposit').select('address').where('public_id', '=', invoiceId).executeTakeFirstOrThrow()
  await chain.send(address ?? '', exactOf(units('100')), world.tokens.USD)
  const to = `0x${'ab'.repeat(20)}`
  await requestPayout(world, { member, asset: 'COIN', amount: units('60'), to })
  await world.runJobs()
  await rounds(3)
  const credited = () =>
    db.selectFrom('invoice_transfer').select('is_live').where('credited_at', 'is not', null).where('asset', '=', 'USD').execute()
  const payouts = () => db.selectFrom('payout_sending').select(['state', 'to_address as to']).orderBy('request_id').execute()
  expect([await credited(), await payouts()]).toEqual([[{ is_live: true }], [{ state: 'DONE', to }]])

  await chain.call('anvil_reorg', DEPTH, [])
  await chain.call('anvil_dropAllTransactions')
  await requestPayout(world, { member, asset: 'COIN', amount: units('50'), to: `0x${'cd'.repeat(20)}` })
  await world.mine(1)
  await world.runJobs()
  await rounds(1)
  const incidents = await chainIncidents(db)
  expect(incidents.map(({ kind }) => kind).toSorted()).toEqual(expect.arrayContaining(['FINAL_GONE', 'PAYOUT_GONE']))
  const findings = (await alertFindings(db, deps.clock.now())).filter(({ area }) => area === 'chain')
  expect(findings.map(({ state, what, fix }) => [state, what.split(/:|, from block/)[0], fix])).toEqual(
    expect.arrayContaining([
      ['bad', '1 final payment is reverted on the chain', 'follow “Incidents of the chain” in docs/runbook.md'],
      ['bad', 'Completed payouts were reverted on the chain', 'follow “Incidents of the chain” in docs/runbook.md'],
    ]),
  )
  expect((await payouts()).map(({ state }) => state)).toEqual(['DONE', 'QUEUED'])

  for (const { id } of incidents) await inTransaction(db, (tx) => answerIncident(tx, String(id), deps.clock.now()))
  await rounds(4)
  expect((await payouts()).map(({ state }) => state)).toEqual(['DONE', 'DONE'])
  const heldBy = async (receiver: string) =>
    BigInt(
      await chain.call<string>('eth_call', { to: world.tokens.COIN, data: `0x70a08231${receiver.slice(2).padStart(64, '0')}` }, 'latest'),
    )
  const fees = await db.selectFrom('payout_sending').select(['to_address as to', 'exact_amount as amount']).execute()
  for (const { to: receiver, amount } of fees) expect(await heldBy(receiver)).toBe(BigInt(amount))
})
