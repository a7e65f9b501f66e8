import { type ChainSettings, createEvmChain, createSandboxChain, openSigner } from '../gateways/chain/index.ts'
import { createMailer, type Mailer } from '../gateways/mailer/index.ts'
import { createPaymentProvider } from '../gateways/payment-provider/index.ts'
import type { DepositPorts } from '../modules/deposits/index.ts'
import type { SendingPorts } from '../modules/withdrawals/index.ts'
import type { Config } from '../platform/config.ts'

/** The outside world of a running product. */
export interface Ports {
  deposits: DepositPorts
  /** The real chain that the worker reads, where one is configured. */
  chain?: ChainSettings | undefined
  /** How the worker sends payouts; absent where they are sent by hand, or this process has no key. */
  sending?: SendingPorts | undefined
  mailer: Mailer
}

/** Connects the gateways. */
export function createPorts(config: Config, providerUrl: string, noticeBase: string = config.publicUrl): Ports {
  return {
    deposits: {
      provider: createPaymentProvider({
        url: providerUrl,
        apiKey: config.paymentProviderKey,
        noticeSecrets: [config.paymentProviderSecret, config.paymentProviderSecretPrevious].filter((secret) => secret !== undefined),
        ...(config.paymentInvoiceHosts === undefined ? {} : { invoiceHosts: config.paymentInvoiceHosts }),
      }),
      chain: chainFor(config),
      noticeUrl: `${noticeBase}/api/v1/pay/notice`,
    },
    chain: config.chain,
    sending: sendingFor(config),
    mailer: createMailer(config),
  }
}

/** The real chain where one is configured, else the play chain of a sandbox. */
function chainFor({ chain, sandbox }: Config): DepositPorts['chain'] {
  if (chain !== undefined) return createEvmChain(chain)
  return sandbox ? createSandboxChain() : null
}

const GWEI = 1_000_000_000n
/** Three minutes: a chain that makes a block a second has left a transaction lying by then. */
const STUCK_SECONDS = 180

/** Everything that sending payouts needs, where a key is configured. The key is opened at the first run, not here. */
function sendingFor({ chain, payouts, payoutSigner }: Config): SendingPorts | undefined {
  if (chain === undefined || payouts === undefined || payoutSigner === undefined) return undefined
  const { coin, usd, hourCoin, hourUsd, gasGweiMost, inFlight } = payouts
  return {
    rpcUrl: chain.rpcUrl,
    witnessUrl: chain.witnessUrl,
    signer: () => openSigner(payoutSigner),
    rules: {
      chainId: chain.chainId,
      gasPriceMost: BigInt(gasGweiMost) * GWEI,
      inFlight,
      hourLimits: new Map([
        [coin.token, BigInt(hourCoin) * 10n ** BigInt(coin.decimals)],
        [usd.token, BigInt(hourUsd) * 10n ** BigInt(usd.decimals)],
      ]),
      stuckSeconds: STUCK_SECONDS,
    },
  }
}
