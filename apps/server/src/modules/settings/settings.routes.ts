import { NFT_SUPPLY } from '@tizara/contract'
import * as wire from '@tizara/contract/settings'
import { answer, type Bind } from '../../http/bind-route.ts'
import { currentSettings } from './settings.queries.ts'

/** Binds the calls of this capability. */
export function settingsRoutes(bind: Bind): void {
  bind.read(wire.generalSettings, async ({ db, deps }) => {
    const settings = await currentSettings(db, deps.clock.now())
    return answer({
      coinPrice: settings.coinPrice,
      minCoin: settings.minCoin,
      maxCoin: settings.maxCoin,
      convertRate: settings.convertRate,
      platformFeePercent: settings.platformFeePercent,
      networkFeePercent: settings.networkFeePercent,
      bridgeFeePercent: settings.bridgeFeePercent,
      bridgeMinimum: settings.bridgeMinimum,
      nftSupply: { ...NFT_SUPPLY },
      tokenSymbol: deps.config.tokenSymbol,
      version: String(settings.version),
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
      brandName: config.brandName,
      tokenSymbol: config.tokenSymbol,
      allowedEmailDomains: allowedEmailDomains ?? config.allowedEmailDomains,
      sandbox: config.sandbox,
      invoiceBaseUrl: config.invoiceBaseUrl,
    })
  })
}
