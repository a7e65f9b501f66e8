import { sql } from 'kysely'
import { beforeEach, expect, inject, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import {
  CHAIN,
  COIN,
  exact,
  minedAt,
  playNode,
  sentPayouts,
  type SentPayout,
  someone,
  transferOf,
  USD,
} from '../../../../test/sent-payouts.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { adoptPaid } from './adopt-paid.ts'

const { db } = await testDatabase()
const { instance, wallet, change, forget, approved, told } = await sentPayouts(db)
beforeEach(forget)

const opened = (address: string, chain_id = CHAIN, next_nonce = 5n) =>
  db
    .insertInto('hot_wallet')
    .values({ chain_id: BigInt(chain_id), address, next_nonce })
    .execute()

/** Sets up a chain with a payment of the wallet, and a database without it. */
async function paid(payout: SentPayout, nonce = 5) {
  const { node, said } = playNode()
  const order = { chainId: CHAIN, from: wallet.address, nonce, gasPrice: 1_000n }
  const { hash, raw } = await wallet.sign({ ...order, transfer: payout })
  said.transactions.set(hash, { raw, from: wallet.address, nonce, gasPrice: 1_000n })
  // The same transaction pays another receiver too.
  const other = { ...transferOf(payout, wallet), from: someone(), amount: 1n }
  said.mined.set(hash, minedAt(90, [other, transferOf(payout, wallet)]))
  const adopt = () => adoptPaid((work) => inTransaction(db, work), instance.deps, { node, chainId: CHAIN, hash })
  return { node, said, hash, raw, adopt }
}

it('[I7] a payment from the wallet is assigned to the oldest exactly matching payout, and nothing else changes', async () => {
  const to = someone()
  const like = (amount = '100', where: Parameters<typeof approved>[1] = {}) => approved(amount, { to, ...where })
  // Older payouts, each with one different property.
  const others = [await like('101'), await like('100', { to: someone() }), await like(), await like(), await like()]
  for (const [place, row] of [{ token: USD }, { chain_id: 2n }].entries()) await change(others[place + 2] as SentPayout, row)
  await change(others[4] as SentPayout, { state: 'SIGNED', wallet: wallet.address, nonce: 4, signed_at: instance.clock.now() })
  const [meant, younger] = [await like(), await like()]
  for (const [address, chain] of [
    [wallet.address, CHAIN],
    [someone(), CHAIN],
    [wallet.address, 2],
  ] as const)
    await opened(address, chain)
  await change(meant, { problem: 'too little' })
  const [before, { adopt, hash, raw }] = [await told(), await paid(meant)]
  expect(await adopt()).toBe(meant.id)
  const at = instance.clock.now()
  const after = await told()
  expect(after).toEqual({
    ...before,
    wallets: before.wallets.map((one) =>
      one.address === wallet.address && one.chain_id === BigInt(CHAIN) ? { ...one, next_nonce: 6n } : one,
    ),
    sendings: before.sendings.map((one) =>
      one.request_id === meant.requestId
        ? { ...one, state: 'SIGNED', wallet: wallet.address, nonce: 5n, signed_at: at, problem: null }
        : one,
    ),
    transactions: [expect.objectContaining({ hash, raw, request_id: meant.requestId, purpose: 'PAYMENT', gas_price: '1000', made_at: at })],
  })
  expect(after.sendings.find((one) => one.request_id === younger.requestId)?.state).toBe('QUEUED')
})

it('[I7] nothing is assigned for a payment that is missing, failed, from others, or owed to nobody', async () => {
  const [payout, next] = [await approved('100'), await approved('70')]
  await opened(wallet.address)
  const before = await told()
  const { said, hash, adopt } = await paid(payout)
  const [known, mined] = [said.transactions.get(hash) ?? null, said.mined.get(hash)]
  if (mined === undefined) throw new Error('not mined')
  const refused = async (says: Partial<typeof said>, why: string) => {
    const was = { ...said }
    Object.assign(said, says)
    await expect(adopt(), why).rejects.toThrow(why)
    Object.assign(said, was)
    expect(await told()).toEqual(before)
  }
  const as = (more: object) => ({ mined: new Map([[hash, { ...mined, ...more }]]) })
  await refused({ chainId: 1 }, 'another chain')
  await refused({ mined: new Map() }, 'no such transaction')
  await refused({ transactions: new Map() }, 'no such transaction')
  await refused(as({ succeeded: false }), 'paid nothing')
  await refused(as({ transfers: [] }), 'paid nothing')
  await refused(as({ transfers: [{ ...transferOf(payout, wallet), from: someone() }] }), 'paid nothing')
  for (const nonce of [4, 6]) await refused({ transactions: new Map([[hash, { ...(known ?? expect.fail()), nonce }]]) }, 'not the next one')
  await refused(as({ transfers: [{ ...transferOf(payout, wallet), amount: exact('100') + 1n }] }), 'no payout in the line')
  await refused(as({ transfers: [{ ...transferOf(next, wallet), token: COIN, to: payout.to }] }), 'no payout in the line')
  expect(await adopt()).toBe(payout.id)
})

it('[I7] a payout that is returned at the same time is not assigned a payment', async () => {
  const payout = await approved('100')
  await opened(wallet.address)
  const { adopt } = await paid(payout)
  const waiting = async () =>
    (
      await sql`select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
        db,
      )
    ).rows
  const gone = { state: 'CANCELLED', cancel_asked_at: instance.clock.now(), ended_at: instance.clock.now() }
  const { adopting } = await inTransaction(db, async (tx) => {
    await tx.updateTable('payout_sending').set(gone).where('request_id', '=', payout.requestId).execute()
    const begun = adopt().catch((error: unknown) => error)
    // The embedded database has one session, so the other call has not begun there.
    if (inject('testDatabase').kind === 'postgres') await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1)
    return { adopting: begun }
  })
  expect(await adopting).toMatchObject({ message: 'no payout in the line is what it paid' })
  expect(await told()).toMatchObject({ sendings: [{ state: 'CANCELLED', nonce: null }], transactions: [], wallets: [{ next_nonce: 5n }] })
})
