import type { ChainGateway, SandboxChain } from '../../gateways/chain/index.ts'
import type { PaymentProvider } from '../../gateways/payment-provider/index.ts'

/** The outside world as deposits see it. */
export interface DepositPorts {
  provider: PaymentProvider
  /** The chain of in-app invoices; null switches them off. A {@link SandboxChain} adds paying with play money. */
  chain: ChainGateway | SandboxChain | null
  /** Where the provider's notices reach us, such as `https://…/api/v1/pay/notice`. */
  noticeUrl: string
}
