import { type ChainSettings, createEvmChain, createSandboxChain } from '../gateways/chain/index.ts'
import { createMailer, type Mailer } from '../gateways/mailer/index.ts'
import { createPaymentProvider } from '../gateways/payment-provider/index.ts'
import type { DepositPorts } from '../modules/deposits/index.ts'
import type { Config } from '../platform/config.ts'

/** The outside world of a running product. */
export interface Ports {
  deposits: DepositPorts
  /** The real chain that the worker reads, where one is configured. */
  chain?: ChainSettings | undefined
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
    mailer: createMailer(config),
  }
}

/** The real chain where one is configured, else the play chain of a sandbox. */
function chainFor({ chain, sandbox }: Config): DepositPorts['chain'] {
  if (chain !== undefined) return createEvmChain(chain)
  return sandbox ? createSandboxChain() : null
}
