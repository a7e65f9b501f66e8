import type { NftKind } from '@tizara/contract'
import type { NftPayWallet } from '@tizara/contract/nfts'
import { coinPriceOf, monthlyReward, type Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import { type AccountRef, postEach } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk, unwrapSingle } from '../../platform/runtime/app-error.ts'
import { queryDeferred, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import type { NftTable } from '../../platform/db/tables.generated.ts'
import { assertCovered, openSources, type Programme, liabilityOf, saleTerms } from '../rewards/index.ts'
import { deferTradeSettings } from '../settings/index.ts'
import { suppliesLeft, takeSupply } from './supply.ts'

/** A member's purchase request. */
export interface BuyNftInput {
  memberId: bigint
  /** Public id of the catalogue item. */
  nftId: string
  /** Must equal the item's kind. */
  walletName: NftKind
  payby: NftPayWallet
  /** The price shown to the member, in units of the paying wallet. */
  quoted?: Units | undefined
}

interface Payment {
  asset: 'usd' | 'coin'
  amount: Units
  /** Price of one coin in USD units; null when paid in USD. */
  coinPrice: Units | null
  from: AccountRef
  to: AccountRef
}

type Nft = Selectable<NftTable>
interface Purchase extends BuyNftInput {
  nft: Nft
  payment: Payment
  publicId: string
  /** USD units per month, and the whole liability. */
  monthly: Units
  promise: Units
}

/**
 * Buys one NFT (API-48, MF-14). The price is USD from the deposit wallet, or coin at the sell price, rounded up, from a coin
 * wallet.
 * @returns the purchase's public id
 * @throws AppError PRICE_CHANGED, NFT_NOT_AVAILABLE, NFT_SOLD_OUT, INSUFFICIENT_BALANCE, NOT_COVERED
 */
export async function buyNft(tx: Tx, deps: Deps, input: BuyNftInput): Promise<string> {
  return unwrapSingle(await buyNfts(tx, deps, [input]))
}

/**
 * Handles a batch of purchases like `buyNft`, in order. A refused purchase has no effect.
 * @throws AppError NFT_SOLD_OUT or NOT_COVERED when supply or coverage is too small for the whole batch
 */
export async function buyNfts(tx: Tx, deps: Deps, inputs: readonly BuyNftInput[]): Promise<(string | AppError)[]> {
  const now = deps.clock.now()
  const [catalogue, supplies, settings] = [await activeNfts(tx, inputs, now), await suppliesLeft(tx), await deferTradeSettings(tx, now)]
  const terms = await saleTerms(tx, now, 'USD')
  const { programme, capacity } = terms
  const [nfts, left, { sellPrice }] = [catalogue(), supplies(), settings()]
  const wanted = inputs.map((input): Purchase | AppError => {
    const nft = nfts.get(input.nftId)
    if (nft === undefined || nft.kind !== input.walletName) return new AppError('NFT_NOT_AVAILABLE')
    if (!left.has(nft.kind)) return new AppError('NFT_SOLD_OUT')
    return purchaseOf(input, nft, { sellPrice, programme, publicId: deps.ids.publicId() })
  })
  const posted = await postEach(
    tx,
    mapOk(wanted, ({ publicId, payment: { from, to, amount } }) => ({
      kind: 'nftPurchase',
      cause: { type: 'nft_purchase', id: publicId },
      at: now,
      ruleVersion: programme.version,
      transfers: [{ from, to, amount }],
    })),
  )
  const bought = zipOk(wanted, posted, (purchase, { transfers }) => ({ ...purchase, transferId: transfers[0]?.id ?? null }))
  const purchases = okValues(bought)
  assertCovered(
    capacity,
    purchases.map((one) => one.promise),
  )
  await insertRows(
    tx,
    'nft_purchase',
    purchases.map((one) => ({ ...rowOf(one), programme_version: programme.version, purchased_at: now, transfer_id: one.transferId })),
  )
  await openSources(tx, terms, now, purchases.map(sourceOf))
  await takeSupply(
    tx,
    purchases.map(({ nft }) => nft.kind),
  )
  return mapOk(bought, ({ publicId }) => publicId)
}

/** Reads the items, and locks them until the purchases commit (functions.sql). */
async function activeNfts(tx: Tx, inputs: readonly BuyNftInput[], now: Date): Promise<() => Map<string, Nft>> {
  const ids = [...new Set(inputs.map((input) => input.nftId))]
  const found = await queryDeferred(tx, sql<Nft>`select * from nfts_for_sale(${ids}, ${now})`.compile(tx))
  return () =>
    new Map(
      found()
        .filter((nft) => nft.status === 'ACTIVE')
        .map((nft) => [nft.public_id, nft]),
    )
}

function purchaseOf(
  input: BuyNftInput,
  nft: Nft,
  terms: { sellPrice: Units; programme: Programme; publicId: string },
): Purchase | AppError {
  const payment = priceIn(input, nft.price, terms.sellPrice)
  if (input.quoted !== undefined && input.quoted !== payment.amount) return new AppError('PRICE_CHANGED')
  const { price, total_percent: totalPercent, duration_months: durationMonths } = nft
  const promise = liabilityOf({ kind: 'nft', price, totalPercent, durationMonths }, terms.programme)
  return { ...input, nft, payment, publicId: terms.publicId, monthly: monthlyReward(price, totalPercent, durationMonths), promise }
}

function priceIn({ memberId: owner, payby }: BuyNftInput, price: Units, sellPrice: Units): Payment {
  if (payby === 'depositwallet') {
    const way = { from: { owner, kind: 'depositWallet' }, to: { system: 'SYS-SALES', asset: 'USD' } } as const
    return { asset: 'usd', amount: price, coinPrice: null, ...way }
  }
  const kind = payby === 'nativewallet' ? 'nativeWallet' : 'icoWallet'
  const way = { from: { owner, kind }, to: { system: 'SYS-COIN', asset: 'COIN' } } as const
  return { asset: 'coin', amount: coinPriceOf(price, sellPrice), coinPrice: sellPrice, ...way }
}

const rowOf = ({ publicId, memberId, nft, payby, payment, monthly }: Purchase) => ({
  public_id: publicId,
  member_id: memberId,
  nft_id: nft.id,
  kind: nft.kind,
  name: nft.name,
  price: nft.price,
  paid_from: payby,
  paid_asset: payment.asset,
  paid_amount: payment.amount,
  coin_price: payment.coinPrice,
  duration_months: nft.duration_months,
  total_percent: nft.total_percent,
  monthly_reward: monthly,
})

const sourceOf = ({ publicId, memberId, nft, monthly }: Purchase) => ({
  stream: 2 as const,
  publicId,
  label: nft.name,
  memberId,
  principal: nft.price,
  percent: nft.total_percent,
  amount: monthly,
  steps: nft.duration_months,
})
