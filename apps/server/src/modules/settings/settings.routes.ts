import { NFT_SUPPLY } from '@tizara/contract'
import * as wire from '@tizara/contract/settings'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { bothPricesUntil, plannedSettings, currentSettings, type Settings, tradeSettings } from './settings.queries.ts'

export function settingsRoutes(bind: Bind): void {
  bind.read(wire.generalSettings, async ({ db, deps }) => {
    const now = deps.clock.now()
    const settings = await tradeSettings(db, now)
    const { startsAt: _, ...figures } = shown(settings)
    const until = await bothPricesUntil(db, settings, now)
    return answer({
      ...figures,
      buyPrice: settings.buyPrice,
      sellPrice: settings.sellPrice,
      buyRate: settings.buyRate,
      ...(until === undefined ? {} : { bothPricesUntil: until }),
      nftSupply: { ...NFT_SUPPLY },
      tokenSymbol: deps.config.tokenSymbol,
      version: String(settings.version),
      coming: (await plannedSettings(db, now)).map(shown),
    })
  })

  bind.read(wire.exchangeSettings, async ({ db, deps }) => {
    const settings = await currentSettings(db, deps.clock.now())
    return answer([{ exchangeLimit: settings.exchangeLimit, cooldownHours: settings.exchangeCooldownHours }])
  })

  bind.read(wire.appConfig, async ({ db, deps }) => {
    const { config } = deps
    const { allowedEmailDomains } = await currentSettings(db, deps.clock.now())
    return answer({
      brandName: config.brand.name,
      tokenSymbol: config.tokenSymbol,
      allowedEmailDomains: allowedEmailDomains ?? config.allowedEmailDomains,
      sandbox: config.sandbox,
      invoiceBaseUrl: config.invoiceBaseUrl,
      usdOnChain: config.chain?.usd !== undefined,
    })
  })
}

/** Selects the settings that affect buying, selling and payouts. */
const shown = ({
  startsAt,
  coinPrice,
  minCoin,
  maxCoin,
  convertRate,
  platformFeePercent,
  networkFeePercent,
  bridgeFeePercent,
  bridgeMinimum,
}: Settings) => ({
  startsAt,
  coinPrice,
  minCoin,
  maxCoin,
  convertRate,
  platformFeePercent,
  networkFeePercent,
  bridgeFeePercent,
  bridgeMinimum,
})
