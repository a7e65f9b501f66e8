import type { ChainGateway } from '../../gateways/chain/index.ts'
import type { PaymentProvider } from '../../gateways/payment-provider/index.ts'

/** The outside world as deposits see it. */
export interface DepositPorts {
  provider: PaymentProvider
  /** The chain of in-app invoices; null switches them off. */
  chain: ChainGateway | null
  /** Pays invoices with play money; only on a play chain. */
  playMoney?: PlayMoney | undefined
  /** Where the provider's notices reach us, such as `https://…/api/v1/pay/notice`. */
  noticeUrl: string
}

/** Whoever has play money, and sends it over the chain like anybody else. */
export interface PlayMoney {
  /** @param payment amounts in units, each in a transaction of its own */
  pay(payment: { to: string; token: 'coin' | 'usd'; amounts: readonly bigint[] }): Promise<void>
}
