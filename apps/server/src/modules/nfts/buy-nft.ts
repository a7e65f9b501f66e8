import type { NftKind } from '@tizara/contract'
import type { NftPayWallet } from '@tizara/contract/nfts'
import { coinPriceOf, monthlyReward, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { type AccountRef, post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { assertCovered, currentProgramme, openSource } from '../rewards/index.ts'
import { currentSettings } from '../settings/index.ts'

/** A purchase as the member asks for it. */
export interface NftWish {
  memberId: bigint
  /** Public id of the catalogue item. */
  nftId: string
  /** The kind, which must be the item's. */
  walletName: NftKind
  payby: NftPayWallet
  /** How many units of the paying wallet the member was shown to leave. */
  quoted?: Units | undefined
}

interface Payment {
  asset: 'usd' | 'coin'
  amount: Units
  /** USD for one coin; null when USD is paid. */
  coinPrice: Units | null
  from: AccountRef
  to: AccountRef
}

/**
 * Buys one NFT (API-48, MF-14): the price in USD from the deposit wallet, or its coin price, rounded up, from a coin
 * wallet.
 * @returns the purchase's public id
 * @throws AppError PRICE_CHANGED, NFT_NOT_AVAILABLE, NFT_SOLD_OUT, INSUFFICIENT_BALANCE, NOT_COVERED
 */
export async function buyNft(tx: Tx, deps: Deps, wish: NftWish): Promise<{ purchaseId: string }> {
  const now = deps.clock.now()
  const nft = await tx.selectFrom('nft').selectAll().where('public_id', '=', wish.nftId).forShare().executeTakeFirst()
  if (nft === undefined || nft.status !== 'ACTIVE' || nft.kind !== wish.walletName) throw new AppError('NFT_NOT_AVAILABLE')
  await assertLeft(tx, nft.kind)
  const payment = await priceIn(tx, wish, nft.price, now)
  if (wish.quoted !== undefined && wish.quoted !== payment.amount) throw new AppError('PRICE_CHANGED')
  const programme = await currentProgramme(tx, now)
  const publicId = deps.ids.publicId()
  const posted = await post(tx, {
    kind: 'nftPurchase',
    cause: { type: 'nft_purchase', id: publicId },
    at: now,
    ruleVersion: programme.version,
    transfers: [{ from: payment.from, to: payment.to, amount: payment.amount }],
  })
  await assertCovered(tx, deps, {
    kind: 'nft',
    price: nft.price,
    totalPercent: nft.total_percent,
    durationMonths: nft.duration_months,
    at: now,
  })
  const monthly = monthlyReward(nft.price, nft.total_percent, nft.duration_months)
  await tx
    .insertInto('nft_purchase')
    .values({
      public_id: publicId,
      member_id: wish.memberId,
      nft_id: nft.id,
      kind: nft.kind,
      name: nft.name,
      price: nft.price,
      paid_by: wish.payby,
      paid_asset: payment.asset,
      paid_amount: payment.amount,
      coin_price: payment.coinPrice,
      duration_months: nft.duration_months,
      total_percent: nft.total_percent,
      monthly_reward: monthly,
      programme_version: programme.version,
      purchased_at: now,
      transfer_id: posted.transfers[0]?.id ?? null,
    })
    .execute()
  await openSource(tx, {
    stream: 2,
    publicId,
    label: nft.name,
    memberId: wish.memberId,
    principal: nft.price,
    percent: nft.total_percent,
    amount: monthly,
    times: nft.duration_months,
    startsAt: now,
    version: programme.version,
  })
  await takeOne(tx, nft.kind)
  return { purchaseId: publicId }
}

async function priceIn(tx: Tx, wish: NftWish, price: Units, at: Date): Promise<Payment> {
  if (wish.payby === 'depositwallet') {
    return {
      asset: 'usd',
      amount: price,
      coinPrice: null,
      from: { owner: wish.memberId, kind: 'depositWallet' },
      to: { house: 'SYS-SALES', asset: 'USD' },
    }
  }
  const { coinPrice } = await currentSettings(tx, at)
  return {
    asset: 'coin',
    amount: coinPriceOf(price, coinPrice),
    coinPrice,
    from: { owner: wish.memberId, kind: wish.payby === 'nativewallet' ? 'nativeWallet' : 'icoWallet' },
    to: { house: 'SYS-COIN', asset: 'COIN' },
  }
}

/** A look without a lock, so that nobody works, and waits, for what is sold out. */
async function assertLeft(tx: Tx, kind: string): Promise<void> {
  const supply = await tx.selectFrom('nft_supply').select('kind').where('kind', '=', kind).whereRef('sold', '<', 'cap').executeTakeFirst()
  if (supply === undefined) throw new AppError('NFT_SOLD_OUT')
}

/**
 * Takes one unit of the kind (CO-22 to CO-25, invariant I9), in one guarded statement. It is the last step: everyone
 * who buys the kind waits for this row, so it is held for the shortest time and nothing is locked after it.
 */
async function takeOne(tx: Tx, kind: string): Promise<void> {
  const taken = await sql`update nft_supply set sold = sold + 1 where kind = ${kind} and sold < cap returning sold`.execute(tx)
  if (taken.rows.length === 0) throw new AppError('NFT_SOLD_OUT')
}
