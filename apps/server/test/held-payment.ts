import { ONE } from '@tizara/money'
import type { TestApp } from './app.ts'
import { openHotWallet } from './hot-wallet.ts'
import { confirmPayoutAddress, createTestMember } from './members.ts'
import { CHAIN, someone, USD } from './sent-payouts.ts'
import { finalMac, keyOf } from '../src/gateways/chain/final-transfer.ts'
import { returnPayments } from '../src/modules/deposits/index.ts'
import { currentSettings } from '../src/modules/settings/index.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'

/**
 * Inserts a final payment of 10 USD to a member's invoice in coin, held for staff, as the watcher records it.
 * @param usd token of the payment
 * @returns the deposit's public id
 */
export async function insertHeldPayment(
  db: Db,
  { config, clock, ids }: Pick<Deps, 'config' | 'clock' | 'ids'>,
  { memberId, usd = USD }: { memberId: bigint; usd?: string },
): Promise<string> {
  const [address, txHash, id, at] = [someone(), `0x${ids.publicId()}`, ids.publicId(), clock.now()]
  const { coinPrice } = await currentSettings(db, at)
  const named = { chainId: CHAIN, txHash, token: usd, address, ordinal: 0 }
  const transfer = { ...named, exact: 10n ** 19n, amount: 10n * ONE, block: 1n, blockTime: at, balanceFits: true }
  const deposit = await db
    .insertInto('deposit')
    .values({
      public_id: id,
      member_id: memberId,
      method: 'chain',
      asset: 'COIN',
      description: 'coin',
      amount: ONE,
      usd_amount: coinPrice,
      address,
      state: 'expired',
      created_at: at,
      expires_at: at,
      watched_until: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('chain_address')
    .values({ address, key_index: BigInt(`0x${address.slice(2, 12)}`), invoice_id: id })
    .execute()
  await db
    .insertInto('chain_transfer')
    .values({
      chain_id: BigInt(CHAIN),
      tx_hash: txHash,
      token: usd,
      address,
      ordinal: 0,
      exact_amount: String(transfer.exact),
      amount: transfer.amount,
      block: transfer.block,
      block_time: at,
      state: 'FINAL',
      final_mac: finalMac(config, 'USD', transfer),
    })
    .execute()
  await db
    .insertInto('invoice_transfer')
    .values({
      transfer_key: keyOf(named),
      deposit_id: deposit.id,
      asset: 'USD',
      amount: transfer.amount,
      tx_hash: txHash,
      block_time: at,
      confirmations: 12,
      held: 'OTHER_TOKEN',
      held_at: at,
      usd_amount: transfer.amount,
    })
    .execute()
  return id
}

/** Gives a test app a hot wallet, and a new member a held payment and an address in the book. */
async function heldPayment(app: TestApp): Promise<{ id: string; address: string }> {
  await openHotWallet(app)
  const [member, address] = [await createTestMember(app.db), someone()]
  await confirmPayoutAddress(app.db, member.id, address)
  return { id: await insertHeldPayment(app.db, app.deps, { memberId: member.id }), address }
}

/** Returns the staff calls about returns of payments, each on a payment of its own. */
export const paymentReturnCalls = (app: () => TestApp, reason: string) => ({
  proposePaymentReturn: {
    right: 'money' as const,
    prepare: async () => {
      const { id, address } = await heldPayment(app())
      return { path: `/staff/deposits/${id}/returns`, body: { asset: 'usd', amount: 10, address, reason } }
    },
  },
  cancelPaymentReturn: {
    right: 'money' as const,
    prepare: async () => {
      const { db, deps } = app()
      const { id: deposit, address } = await heldPayment(app())
      const id = await inTransaction(db, (tx) => returnPayments(tx, deps, { deposit, asset: 'usd', amount: 10n * ONE, address }))
      return { path: `/staff/payment-returns/${id}/cancel`, body: { reason } }
    },
  },
})
