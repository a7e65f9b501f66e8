import { sql } from 'kysely'
import {
  type AdoptedTransaction,
  findTransaction,
  type FoundTransaction,
  IMPOSSIBLE_RECEIPT,
  isPossible,
  NotAdopted,
  storeTransactions,
  type TransferContent,
} from '../../../gateways/chain/index.ts'
import { insertProceeds } from '../proceeds/insert-proceeds.ts'
import { assetOf, insertColdMove } from '../cold-moves/queue-cold-move.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/**
 * Result of an adoption, with the payout's public id. `nothing`: the transaction moved no money, and only its nonce and gas are recorded.
 */
export type AdoptionResult = { as: 'payment' | 'cancellation' | 'known'; payoutId: string } | { as: 'nothing' }

/** Transaction of a hot wallet, as the product makes it. */
interface HotWalletTransaction extends FoundTransaction {
  wallet: string
  content: TransferContent
}

/**
 * Records a mined or pending transaction of the hot wallet that this database does not have, for example after the restore of an old backup. Otherwise the
 * server would send the payout again. The chain then determines the payout's result as usual, so that a failed or cancelled payment returns
 * the money.
 * @param hash transaction hash; adopt transactions in the wallet's order
 * @param cancelled public id of the queued payout that a cancellation belongs to; without it, only nonce and gas are recorded
 * @param confirmations minimum blocks until a transaction is final. Defaults to 12
 * @throws NotAdopted without changes; NodeUnavailable, NodeError
 */
export async function adoptPaid(
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  deps: Deps,
  { cancelled, ...adopted }: AdoptedTransaction & { cancelled?: string | undefined },
): Promise<AdoptionResult> {
  const found = await findTransaction(adopted)
  const { chainId, hash, content } = found
  if (content === undefined || content.kind === 'COIN')
    throw new NotAdopted('the platform creates no such transaction: the key was used elsewhere')
  const signedTransfer: HotWalletTransaction = { ...found, wallet: found.from, content }
  return inTransaction(async (tx) => {
    const recorded = await payoutOf(tx, hash)
    if (recorded !== undefined) return { as: 'known', payoutId: recorded }
    if (await isEmptyRecorded(tx, hash)) return { as: 'nothing' }
    const next = await lockNextNonce(tx, signedTransfer)
    if (signedTransfer.nonce < next) return adoptUsedNonce(tx, deps, signedTransfer, cancelled)
    if (signedTransfer.nonce > next)
      throw new NotAdopted(`its nonce is ${signedTransfer.nonce} of ${signedTransfer.wallet}, and ${next} comes first`)
    await sql`update hot_wallet set next_nonce = next_nonce + 1 where chain_id = ${chainId} and address = ${signedTransfer.wallet}`.execute(
      tx,
    )
    return adoptNext(tx, deps, signedTransfer, cancelled)
  })
}

async function payoutOf(tx: Tx, hash: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select p.public_id as id from signed_transaction t join sent_order p on p.id = t.request_id where t.hash = ${hash}`.execute(tx)
  return rows[0]?.id
}

async function isEmptyRecorded(tx: Tx, hash: string): Promise<boolean> {
  return (await sql`select from hot_wallet_empty where hash = ${hash}`.execute(tx)).rows.length > 0
}

async function lockNextNonce(tx: Tx, { chainId, wallet }: HotWalletTransaction): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select next_nonce::int as next from hot_wallet where chain_id = ${chainId} and address = ${wallet} for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new NotAdopted(`${wallet} is not a hot wallet of this database`)
  return row.next
}

/** Payout to which this database gave a nonce. */
interface NonceOwner {
  id: bigint
  payoutId: string
  state: string
  token: string
  to: string
  amount: string
}

/**
 * Adopts a transaction whose nonce this database gave to a payout: a replacement or cancellation of it, or a transaction of the lost
 * database that won the nonce. The payout then ends as one that cannot arrive.
 */
async function adoptUsedNonce(tx: Tx, deps: Deps, made: HotWalletTransaction, cancelled: string | undefined): Promise<AdoptionResult> {
  const { chainId, hash, wallet, nonce, content, isFinal } = made
  const { rows } = await sql<NonceOwner>`
    select s.request_id as id, p.public_id as "payoutId", s.state, s.token, s.to_address as "to", s.exact_amount::text as amount
    from payout_sending s join sent_order p on p.id = s.request_id
    where s.chain_id = ${chainId} and s.wallet = ${wallet} and s.nonce = ${nonce} and s.nonce_taken_by is null
      and (s.state = 'SIGNED' or s.state = 'CANCELLED' and not exists (
        select from signed_transaction t where t.request_id = s.request_id and t.block is not null)) for update of s`.execute(tx)
  const [owner] = rows
  if (owner === undefined) throw new NotAdopted(`nonce ${nonce} of ${wallet} is already final`)
  if (owner.state === 'SIGNED' && (content.kind === 'CANCEL' || isPaymentOf(content, { ...owner, amount: BigInt(owner.amount) })))
    return adoptReplacement(tx, deps, made, owner)
  if (!isFinal)
    throw new NotAdopted(`nonce ${nonce} is signed for ${owner.payoutId}, and this transaction is not final yet: try again later`)
  await sql`update payout_sending set nonce_taken_by = ${hash} where request_id = ${owner.id}`.execute(tx)
  return adoptNext(tx, deps, made, cancelled)
}

/** Adopts another transaction of a payout that this database signed. */
async function adoptReplacement(tx: Tx, deps: Deps, made: HotWalletTransaction, { id, payoutId }: NonceOwner): Promise<AdoptionResult> {
  const at = deps.clock.now()
  const isCancel = made.content.kind === 'CANCEL'
  if (isCancel) await sql`update payout_sending set cancel_asked_at = coalesce(cancel_asked_at, ${at}) where request_id = ${id}`.execute(tx)
  await sql`update payout_sending set problem = null where request_id = ${id}`.execute(tx)
  await storeTransaction(tx, made, id, at)
  return { as: isCancel ? 'cancellation' : 'payment', payoutId }
}

const isPaymentOf = (content: TransferContent, { token, to, amount }: { token: string; to: string; amount: bigint }): boolean =>
  content.kind === 'TRANSFER' && content.token === token && content.to === to && content.amount === amount

/** Adopts a transaction for a queued payout, or only for nonce and gas if the transaction moved no money. */
async function adoptNext(tx: Tx, deps: Deps, made: HotWalletTransaction, cancelled: string | undefined): Promise<AdoptionResult> {
  const { chainId, wallet, nonce, content } = made
  const at = deps.clock.now()
  if (content.kind === 'CANCEL' && cancelled === undefined) return adoptEmpty(tx, made, at)
  const which =
    content.kind === 'TRANSFER'
      ? sql`token = ${content.token} and to_address = ${content.to} and exact_amount = ${content.amount.toString()}::numeric`
      : sql`request_id = (select id from sent_order where public_id = ${cancelled ?? ''})`
  const { rows } = await sql<{ id: bigint; payoutId: string }>`
    update payout_sending s set state = 'SIGNED', wallet = ${wallet}, nonce = ${nonce}, signed_at = ${at}, problem = null,
      cancel_asked_at = case when ${content.kind === 'CANCEL'} then coalesce(cancel_asked_at, ${at}) else cancel_asked_at end
    from sent_order p where p.id = s.request_id and s.request_id = (
      select request_id from payout_sending where state = 'QUEUED' and chain_id = ${chainId} and ${which} order by request_id limit 1 for update)
    returning s.request_id as id, p.public_id as "payoutId"`.execute(tx)
  const [payout] = rows
  const isCold = content.kind === 'TRANSFER' && deps.config.reserveAddresses.some(({ address }) => address === content.to)
  const isProceeds = content.kind === 'TRANSFER' && deps.config.proceedsAddresses.some(({ address }) => address === content.to)
  if (payout === undefined && (isCold || isProceeds)) return adoptPlatformPayout(tx, deps, made, { ...content, isProceeds })
  if (payout === undefined && made.mined?.succeeded !== false) throw new NotAdopted('no queued payout matches the transaction')
  if (payout === undefined) return adoptEmpty(tx, made, at)
  await storeTransaction(tx, made, payout.id, at)
  return { as: content.kind === 'CANCEL' ? 'cancellation' : 'payment', payoutId: payout.payoutId }
}

/**
 * Records a cold move or proceeds that this database does not have, because the backup is older than the approval. The receiver is an
 * address of the settings, so no other proof is needed. The chain then determines the result. Proceeds leave the sales fund now.
 */
async function adoptPlatformPayout(
  tx: Tx,
  deps: Deps,
  made: HotWalletTransaction,
  { token, to, amount, isProceeds }: { token: string; to: string; amount: bigint; isProceeds: boolean },
): Promise<AdoptionResult> {
  const asset = assetOf(deps, token)
  if (asset === undefined || (isProceeds && asset !== 'USD')) throw new NotAdopted('its token is none that the platform pays with')
  const at = deps.clock.now()
  const { id, publicId } = await (isProceeds
    ? insertProceeds(tx, deps, { to, exact: amount })
    : insertColdMove(tx, deps, { asset, to, exact: amount }))
  const signed = { state: 'SIGNED', wallet: made.wallet, nonce: BigInt(made.nonce), signed_at: at }
  await tx.updateTable('payout_sending').set(signed).where('request_id', '=', id).execute()
  await storeTransaction(tx, made, id, at)
  return { as: 'payment', payoutId: publicId }
}

/**
 * Records a transaction that moved no money. Its gas is then booked, and the nonces have no gap. The result must be final, because no
 * later round checks it again.
 */
async function adoptEmpty(
  tx: Tx,
  { chainId, hash, wallet, nonce, raw, gasPrice, mined, isFinal }: HotWalletTransaction,
  at: Date,
): Promise<AdoptionResult> {
  if (mined === null || !isFinal) throw new NotAdopted('its block is not final yet: try again later')
  if (!isPossible(mined, gasPrice)) throw new NotAdopted(IMPOSSIBLE_RECEIPT)
  await sql`
    insert into hot_wallet_empty (hash, chain_id, wallet, nonce, raw, gas_paid, ended_at)
    values (${hash}, ${chainId}, ${wallet}, ${nonce}, ${raw}, ${String(mined.gasUsed * mined.gasPrice)}::numeric, ${at})`.execute(tx)
  return { as: 'nothing' }
}

async function storeTransaction(
  tx: Tx,
  { hash, raw, gasPrice, content }: HotWalletTransaction,
  requestId: bigint,
  at: Date,
): Promise<void> {
  const purpose = content.kind === 'CANCEL' ? 'CANCEL' : 'PAYMENT'
  await storeTransactions(tx, [{ hash, raw, requestId, purpose, gasPrice, madeAt: at }])
}
