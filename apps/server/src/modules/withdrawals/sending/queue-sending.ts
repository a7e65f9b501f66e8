import type { Selectable } from 'kysely'
import { exactOf, isOwnAddress } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { PayoutRequestTable } from '../../../platform/db/tables.generated.ts'
import { approvalMac } from './approval-mac.ts'

/** Network for automatic payouts. Staff pay on other networks manually. */
const BEP20 = 0

/**
 * Enqueues an approved payout for automatic sending, if enabled.
 * @throws AppError INVALID_ADDRESS for a token contract or a platform address
 */
export async function queueSending(tx: Tx, deps: Deps, request: Selectable<PayoutRequestTable>): Promise<void> {
  const { payouts, chain } = deps.config
  if (payouts === undefined || chain === undefined || request.network !== BEP20) return
  const token = request.kind === 'bridge' ? payouts.coin : payouts.usd
  const to = request.address.toLowerCase()
  if (to === payouts.coin.token || to === payouts.usd.token || (await isOwnAddress(tx, to))) throw new AppError('INVALID_ADDRESS')
  const amount = exactOf(request.received, token.decimals)
  await tx
    .insertInto('payout_sending')
    .values({
      request_id: request.id,
      chain_id: BigInt(chain.chainId),
      token: token.token,
      to_address: to,
      exact_amount: amount.toString(),
      approval_mac: approvalMac(deps.config, { payoutId: request.public_id, chainId: chain.chainId, token: token.token, to, amount }),
      queued_at: deps.clock.now(),
    })
    .execute()
}
