import type { NftKind } from '@tizara/contract'
import { activeNfts, buyNft, myNftWallet, type Nft, nftHistory, type NftPayWallet, nftPayWallets } from '@tizara/contract/nfts'
import { upcoming } from '@tizara/contract/staking'
import { walletAssets } from '@tizara/contract/wallets'
import { afterComma, t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import {
  leaves,
  MoneyDialog,
  rate,
  remains,
  tradePriceOf,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  useWalletUnit,
  walletNames,
} from '../wallets/index.ts'
import type { DescriptionListProps } from '../ui/description-list.tsx'
import { Field } from '../ui/field.tsx'
import { showMessage } from '../ui/message-store.ts'
import { formatAmount } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast-store.ts'
import { NftArt } from './nft-art.tsx'
import { messages } from './nfts.messages.ts'
import { useActiveNfts } from './nfts.queries.ts'
import { figuresOf, kindNames, payWalletOf } from './nfts.rules.ts'
import { T } from '../ui/t.tsx'

export interface BuyNftDialogProps extends DialogProps {
  nft?: Nft | undefined
  /** Without an NFT: offers this kind's NFTs (UI-DASH-18). */
  kind?: NftKind | undefined
}

interface NftValues {
  nftId: string
  payby: NftPayWallet | ''
}

function useNftForm(onClose: () => void, offered: Nft | undefined, offerOf: (id: string) => Nft | undefined) {
  const sellPrice = tradePriceOf(useGeneralSettings().data, 'sell').price
  return useMoneyForm<NftValues, typeof buyNft>({
    route: buyNft,
    initial: { nftId: offered?.id ?? '', payby: '' },
    reject: ({ nftId, payby }) => {
      if (payby !== '') return offerOf(nftId) === undefined ? {} : undefined
      void showMessage({ icon: 'warning', title: messages.missingWallet, text: messages.selectWallet })
      return { fields: { payby: t('Choose the wallet that pays') } }
    },
    body: ({ nftId, payby }) => {
      const chosen = offerOf(nftId)
      if (chosen === undefined || payby === '') throw new Error('A purchase needs an NFT and a wallet')
      return { payby, walletName: chosen.walletName, nftId: chosen.id }
    },
    quoted: ({ nftId, payby }) => {
      const chosen = offerOf(nftId)
      return chosen && payby !== '' ? costOf(chosen, payby, sellPrice) : undefined
    },
    onError: ({ message }) => void toast(message, { tone: 'danger' }),
    successText: () => messages.purchased,
    history: () => '/store-nft/nft-histor_y',
    refetches: [activeNfts, myNftWallet, nftHistory, upcoming],
    onClose,
  })
}

/** Returns the debit in units of the paying wallet's asset; undefined without a price. */
function costOf(nft: Nft, payby: NftPayWallet, sellPrice: Units | undefined): Units | undefined {
  const { price, coin } = figuresOf(nft, sellPrice)
  return walletAssets[payWalletOf[payby]] === 'usd' ? price : coin
}

/** Shows both prices, the reward, the debit and the remaining balance (UI-M-NFT-04 to UI-M-NFT-06). */
function usePreview(nft: Nft | undefined, payby: NftPayWallet | ''): DescriptionListProps['rows'] | undefined {
  const { data: settings } = useGeneralSettings()
  const trade = tradePriceOf(settings, 'sell')
  const { data: balances } = useWallets()
  const unitOf = useWalletUnit()
  if (nft === undefined) return undefined
  const unit = unitOf('nativeWallet')
  const { price, coin, monthly, total } = figuresOf(nft, trade.price)
  const source = payby === '' ? undefined : payWalletOf[payby]
  const inUsd = source !== undefined && walletAssets[source] === 'usd'
  const cost = (payby === '' ? undefined : costOf(nft, payby, trade.price)) ?? null
  return [
    { key: 'usd', label: t('Price in USD'), value: <Money value={price} unit="USD" /> },
    { key: 'coin', label: t('Price in {unit}', { unit }), value: coin === undefined ? '–' : <Money value={coin} unit={unit} /> },
    source !== undefined && !inUsd && rate(unit, trade),
    {
      key: 'monthly',
      label: t('Monthly reward'),
      value: <Money value={monthly} unit="USD" />,
      hint: t('{dailyRoi}% over {duration} months, to NFT Wallet', { dailyRoi: formatUnits(nft.dailyRoi), duration: nft.duration }),
    },
    { key: 'total', label: t('Total payments'), value: <Money value={total} unit="USD" />, hint: t('an estimate') },
    source !== undefined && { ...leaves(source, cost, unitOf(source)), strong: true },
    source !== undefined && remains(source, balances?.[source], cost, unitOf(source)),
  ]
}

/** The Purchase NFT modal (UI-M-NFT rows, MF-14). */
export function BuyNftDialog({ onClose, nft: initial, kind }: BuyNftDialogProps) {
  const { data: active } = useActiveNfts()
  const { data: balances } = useWallets()
  const unitOf = useWalletUnit()
  const offers = initial === undefined ? active?.filter((nft) => kind === undefined || nft.walletName === kind) : [initial]
  const offerOf = (id: string): Nft | undefined => offers?.find((one) => one.id === id) ?? offers?.[0]
  const form = useNftForm(onClose, initial, offerOf)
  const nft = offerOf(form.values.nftId)
  const preview = usePreview(nft, form.values.payby)
  const sellPrice = tradePriceOf(useGeneralSettings().data, 'sell').price
  return (
    <MoneyDialog
      title={t('Purchase NFT')}
      description={
        nft === undefined
          ? undefined
          : kindNames[nft.walletName].toLowerCase() === nft.name.toLowerCase()
            ? nft.name
            : nft.name + afterComma(kindNames[nft.walletName])
      }
      onClose={onClose}
      form={form}
      submit={t('Buy Now')}
      preview={preview}
      note={nft !== undefined && <NoRefundNote nft={nft} />}
    >
      {nft !== undefined && (
        <div className="overflow-hidden rounded-xl *:h-28 sm:*:h-32">
          <NftArt kind={nft.walletName} />
        </div>
      )}
      {offers !== undefined && offers.length === 0 && <p className="text-muted">{t('No NFT of this kind is on sale at the moment.')}</p>}
      {offers !== undefined && offers.length > 1 && (
        <Field label={t('NFT')} required>
          <Select
            name="nftId"
            value={nft?.id ?? ''}
            disabled={form.pending}
            onChange={(event) => form.set('nftId', event.target.value)}
            options={offers.map((one) => ({ value: one.id, label: one.name }))}
          />
        </Field>
      )}
      <Field group label={t('Wallet')} required error={form.errors.payby}>
        <RadioCards
          name="payby"
          value={form.values.payby}
          disabled={form.pending}
          onChange={(payby) => form.set('payby', payby)}
          options={nftPayWallets.map((value) => {
            const wallet = payWalletOf[value]
            const cost = nft && costOf(nft, value, sellPrice)
            const isShort = balances !== undefined && cost !== undefined && balances[wallet] < cost
            return {
              value,
              label: walletNames[wallet],
              hint: isShort ? <span className="text-danger">{t('Not enough for this NFT')}</span> : undefined,
              aside: balances && <Money value={balances[wallet]} unit={unitOf(wallet)} />,
            }
          })}
        />
      </Field>
    </MoneyDialog>
  )
}

/** States the price, the rewards, and that the price is not refunded (RW-06, MF-21). */
function NoRefundNote({ nft }: { nft: Nft }) {
  const { price, total } = figuresOf(nft, undefined)
  return (
    <>
      <p className="font-semi text-ink">
        <T
          text="You pay {price} USD. You are paid {total} USD over {duration} months. The price is not paid back."
          price={formatAmount(price)}
          total={formatAmount(total)}
          duration={nft.duration}
        />
      </p>
      <p className="mt-1">{t('Rewards come from a pool. If it runs short, they are paid as soon as it is funded.')}</p>
    </>
  )
}
