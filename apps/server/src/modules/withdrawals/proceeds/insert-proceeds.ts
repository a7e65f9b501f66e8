import { sql } from 'kysely'
import { unitsOf } from '../../../gateways/chain/index.ts'
import { post } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { approvalMac } from '../sending/approval-mac.ts'

/**
 * Takes proceeds out of the sales fund and queues their payout. The caller has checked amount and address
 * (docs/decisions/0054-proceeds-of-sales.md).
 * @param proceeds.to address of the operator, lower case
 * @param proceeds.exact amount in the token's smallest unit
 * @throws AppError NO_SURPLUS if other proceeds are open; SALES_FUND_SHORT if the fund has too little
 */
export async function insertProceeds(
  tx: Tx,
  deps: Deps,
  { to, exact }: { to: string; exact: bigint },
): Promise<{ id: bigint; publicId: string }> {
  const { payouts, chain } = deps.config
  if (payouts === undefined || chain === undefined) throw new AppError('NOT_APPROVED')
  const { token, decimals } = payouts.usd
  const [publicId, at, amount] = [deps.ids.publicId(), deps.clock.now(), unitsOf(exact, decimals)]
  await post(tx, {
    kind: 'proceeds',
    cause: { type: 'proceeds_payout', id: publicId },
    at,
    transfers: [{ from: { system: 'SYS-SALES', asset: 'USD' }, to: { system: 'SYS-WITHDRAW', asset: 'USD' }, amount }],
  })
  const row = { public_id: publicId, amount, address: to, created_at: at }
  const { id } = await tx.insertInto('proceeds_payout').values(row).returning('id').executeTakeFirstOrThrow()
  const queued = await tx
    .insertInto('payout_sending')
    .values({
      request_id: id,
      kind: 'PROCEEDS',
      chain_id: BigInt(chain.chainId),
      token,
      to_address: to,
      exact_amount: exact.toString(),
      approval_mac: approvalMac(deps.config, { payoutId: publicId, chainId: chain.chainId, token, to, amount: exact }),
      queued_at: at,
    })
    .onConflict((conflict) => conflict.column('token').where('kind', '=', sql.lit('PROCEEDS')).where('ended_at', 'is', null).doNothing())
    .executeTakeFirst()
  if (queued.numInsertedOrUpdatedRows !== 1n) throw new AppError('NO_SURPLUS')
  return { id, publicId }
}

/** Returns proceeds to the sales fund, after their payout ended without arriving. */
export async function returnProceeds(tx: Tx, deps: Deps, id: bigint): Promise<void> {
  const payout = await tx.selectFrom('proceeds_payout').select(['public_id', 'amount']).where('id', '=', id).executeTakeFirstOrThrow()
  await post(tx, {
    kind: 'proceedsReturned',
    cause: { type: 'proceeds_payout', id: payout.public_id },
    at: deps.clock.now(),
    transfers: [{ from: { system: 'SYS-WITHDRAW', asset: 'USD' }, to: { system: 'SYS-SALES', asset: 'USD' }, amount: payout.amount }],
  })
}
