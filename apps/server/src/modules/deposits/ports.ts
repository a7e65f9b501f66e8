import type { ChainGateway } from '../../gateways/chain/index.ts'
import type { PaymentProvider } from '../../gateways/payment-provider/index.ts'

/** External services used by deposits. */
export interface DepositPorts {
  provider: PaymentProvider
  /** Chain for in-app invoices. Null disables in-app invoices. */
  chain: ChainGateway | null
  /** Sandbox wallet, on a development chain only. */
  sandboxWallet?: SandboxWallet | undefined
  /** Public URL for the provider's notices, such as `https://…/api/v1/pay/notice`. */
  noticeUrl: string
}

/** Sandbox wallet that pays invoices on the development chain. */
export interface SandboxWallet {
  /**
   * Sends token transfers. The next block includes them.
   * @param payment `amounts` in units of 10^-8, one transaction each
   */
  pay(payment: { to: string; token: 'coin' | 'usd'; amounts: readonly bigint[] }): Promise<void>
}
