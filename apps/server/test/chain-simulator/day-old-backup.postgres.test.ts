import { expect, it } from 'vitest'
import { NO_FAULTS } from '../../../../test/chain/faulty-node.ts'
import { createInvoice } from '../../src/modules/deposits/index.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { AppError } from '../../src/platform/runtime/app-error.ts'
import type { TestMember } from '../members.ts'
import { judge } from './judge.ts'
import { settle } from './simulator.ts'
import { requestPayout } from './staff.ts'
import { type Asset, exactOf, units, World } from './world.ts'

const DAY_SECONDS = 86_400

async function rounds(world: World, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await world.mine(8)
    await world.runJobs()
  }
}

/** Opens an invoice of 100, and returns its address. */
async function openInvoice(world: World, member: TestMember, asset: Asset): Promise<string> {
  const { db, act: deps, ports } = world
  const { invoiceId } = await inTransaction(db, (tx) =>
    createInvoice(tx, deps, ports, { memberId: member.id, amount: units('100'), asset }),
  )
  const { address } = await db.selectFrom('deposit').select('address').where('public_id', '=', invoiceId).executeTakeFirstOrThrow()
  if (address === null) throw new Error('an invoice without address')
  expect(world.shown.map((one) => one.address)).not.toContain(address)
  world.shown.push({ invoice: invoiceId, address, member, asset })
  return address
}

const pay = (world: World, address: string, amount: string, asset: Asset) =>
  world.chain.send(address, exactOf(units(amount)), world.tokens[asset])

async function request(world: World, member: TestMember, asset: Asset): Promise<void> {
  const to = `0x${(0xdef0000 + world.payouts.length).toString(16).padStart(40, '0')}`
  const payout = await requestPayout(world, { member, asset, amount: units('60'), to })
  if (payout === undefined) throw new Error('payout refused')
  world.payouts.push(payout)
}

/** Ends the worker after a payout is signed and before it reaches the chain. */
async function signWithoutSending(world: World): Promise<void> {
  const [source] = world.sources
  const unsent = () => world.db.selectFrom('signed_transaction').select('hash').where('request_id', 'is not', null).execute()
  for (let callsLeft = 1; (await unsent()).length === 0; callsLeft += 1) {
    source.faults = { ...NO_FAULTS, callsLeft }
    await world.runJobs()
    world.restart()
  }
  source.faults = { ...NO_FAULTS }
  const [made] = await unsent()
  expect(await world.chain.call('eth_getTransactionByHash', made?.hash ?? '')).toBeNull()
}

/** What happens to the payout before the backup; it ends after the backup in any case. */
const MOMENTS: Readonly<Record<string, (world: World, ask: () => Promise<void>) => Promise<void>>> = {
  'before a payout is requested': async () => undefined,
  'between approval and signature of a payout': (_, ask) => ask(),
  'between signature and sending of a payout': async (world, ask) => {
    await ask()
    await signWithoutSending(world)
  },
  'between sending and finality of a payout': async (world, ask) => {
    await ask()
    await world.runJobs()
    await world.mine(2)
    await world.runJobs()
  },
  'after a payout became final': async (world, ask) => {
    await ask()
    await world.runJobs()
    await rounds(world, 2)
  },
}

it.each(Object.entries(MOMENTS))(
  '[I7] [I8] loses, doubles and misplaces nothing when a backup of the day before is restored, made %s',
  async (_, prepare) => {
    const world = await World.open('fake')
    try {
      const [first, second] = world.members
      if (first === undefined || second === undefined) throw new Error('no members')
      // A payment that is swept when the backup is made, and an invoice that is not paid yet.
      await pay(world, await openInvoice(world, first, 'COIN'), '100', 'COIN')
      await rounds(world, 2)
      const open = await openInvoice(world, second, 'USD')
      await prepare(world, () => request(world, first, 'COIN'))
      await world.saveBackup()

      // The restore loses all of this.
      if (world.payouts.length === 0) await request(world, first, 'COIN')
      await request(world, second, 'USD')
      await pay(world, open, '30', 'USD')
      await pay(world, await openInvoice(world, first, 'USD'), '40', 'USD')
      const paidLater = await openInvoice(world, second, 'COIN')
      await world.runJobs()
      await rounds(world, 4)
      await world.mine(1, DAY_SECONDS)
      await world.runJobs()
      const received = await world.db.selectFrom('payout_sending').select('state').execute()
      expect(received.map(({ state }) => state)).toEqual(['DONE', 'DONE'])

      await world.restoreBackup()
      await world.runJobs()
      await expect(openInvoice(world, second, 'COIN')).rejects.toThrow(AppError)
      // The member still has the address from before the restore. From the next hour on, new addresses are assigned.
      await pay(world, paidLater, '50', 'COIN')
      await world.mine(1, 3_600)
      await rounds(world, 3)
      await pay(world, await openInvoice(world, second, 'COIN'), '30', 'COIN')
      await settle(world)
      await judge(world)
    } finally {
      await world.close()
    }
  },
)
