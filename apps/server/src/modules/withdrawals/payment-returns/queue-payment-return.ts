import { quoteWithdrawal, type Units } from '@tizara/money'
import { exactOf, isOwnAddress } from '../../../gateways/chain/index.ts'
import { post } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { currentSettings } from '../../settings/index.ts'
import { isUsable } from '../addresses/address-mac.ts'
import { loadOutflowChecks, rejectionOfForged, rejectionOfUnproven } from '../guard/authorize-outflow.ts'
import { approvalMac } from '../sending/approval-mac.ts'
import { notifyPayer } from './end-payment-return.ts'
import { returnTransfers } from './return-transfers.ts'

/** Payment that goes back to its payer. */
export interface PaymentReturn {
  memberId: bigint
  /** Public id of the deposit. */
  deposit: string
  asset: 'USD' | 'COIN'
  /** Received units, before the network fee. */
  amount: Units
  /** BEP20 address, in any case. */
  address: string
}

/** BEP20, the only network that the worker pays on. */
const NETWORK = 0

/**
 * Checks a return before its proposal and before its approval. Money leaves the platform, so the rules are those of a payout. The member
 * has confirmed the address in the address book, and its delay is over. Payouts are neither stopped nor frozen
 * (docs/decisions/0053-payment-returns.md).
 * @throws AppError NOT_APPROVED if payouts are sent by hand; INVALID_ADDRESS for an address that the book lacks, a token contract or a
 * platform address; PAYOUTS_STOPPED, PAYOUT_HELD, PAYOUT_NEEDS_PROOF; ADDRESS_FORGED; INVALID_AMOUNT if the network fee takes the whole amount
 */
export async function assertPaymentReturn(tx: Tx, deps: Deps, { memberId, asset, amount, address }: PaymentReturn): Promise<void> {
  const { payouts, chain } = deps.config
  if (payouts === undefined || chain === undefined) throw new AppError('NOT_APPROVED')
  const to = address.toLowerCase()
  if (to === payouts.coin.token || to === payouts.usd.token || (await isOwnAddress(tx, to))) throw new AppError('INVALID_ADDRESS')
  const target = { memberId, network: NETWORK, address: to } as const
  const checksOf = await loadOutflowChecks(tx, deps, [target])
  const settings = await currentSettings(tx, deps.clock.now())
  const checks = checksOf()(target)
  const { entry, stopped, frozenUntil } = checks
  if (stopped) throw new AppError('PAYOUTS_STOPPED')
  if (frozenUntil !== null && frozenUntil > deps.clock.now()) throw new AppError('PAYOUT_HELD', { at: frozenUntil.toISOString() })
  const forged = rejectionOfForged(deps, target, checks)
  if (forged !== undefined) throw forged
  if (!isUsable(deps.config, target, entry, deps.clock.now())) throw new AppError('INVALID_ADDRESS')
  const kind = asset === 'USD' ? 'withdrawal' : 'bridge'
  const unproven = rejectionOfUnproven(deps, checks[kind] + amount, { ...target, kind }, checks, settings)
  if (unproven !== undefined) throw unproven
  if (quoteWithdrawal(amount, 0n, settings.networkFeePercent).received <= 0n) throw new AppError('INVALID_AMOUNT')
}

/**
 * Puts an approved return into the queue of the payouts, from which the worker signs and follows it like them. The ledger books the
 * payment as received and as paid out, less the network fee.
 * @returns its id in payout_sending, and its public id
 * @throws AppError as `assertPaymentReturn`; STOPPED during an emergency pause
 */
export async function queuePaymentReturn(tx: Tx, deps: Deps, input: PaymentReturn): Promise<{ id: bigint; publicId: string }> {
  await assertPaymentReturn(tx, deps, input)
  const { payouts, chain } = deps.config
  if (payouts === undefined || chain === undefined) throw new AppError('NOT_APPROVED')
  const [publicId, at, to] = [deps.ids.publicId(), deps.clock.now(), input.address.toLowerCase()]
  const { networkFeePercent, version } = await currentSettings(tx, at)
  const { networkFee: network_fee, received } = quoteWithdrawal(input.amount, 0n, networkFeePercent)
  const { token, decimals } = payouts[input.asset === 'USD' ? 'usd' : 'coin']
  const row = {
    public_id: publicId,
    member_id: input.memberId,
    deposit: input.deposit,
    asset: input.asset,
    amount: input.amount,
    network_fee,
    received,
    settings_version: version,
    address: to,
    created_at: at,
  }
  await post(tx, {
    kind: 'paymentReturned',
    cause: { type: 'payment_return', id: publicId },
    at,
    ruleVersion: version,
    key: `return:${publicId}`,
    transfers: returnTransfers(row),
  })
  const { id } = await tx.insertInto('payment_return').values(row).returning('id').executeTakeFirstOrThrow()
  const amount = exactOf(received, decimals)
  await tx
    .insertInto('payout_sending')
    .values({
      request_id: id,
      kind: 'RETURN',
      chain_id: BigInt(chain.chainId),
      token,
      to_address: to,
      exact_amount: amount.toString(),
      approval_mac: approvalMac(deps.config, { payoutId: publicId, chainId: chain.chainId, token, to, amount }),
      queued_at: at,
    })
    .execute()
  await notifyPayer(tx, deps, id, 'approved')
  return { id, publicId }
}
