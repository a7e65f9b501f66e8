import type { Units } from '@tizara/money'
import type { ProviderPayment } from '../../../gateways/payment-provider/index.ts'

/** Values known when the provider responds about a payment. */
export interface PaymentFacts {
  payment: ProviderPayment
  /** Amount credited so far. */
  credited: Units
  /** True if staff have decided about the order. */
  byHand: boolean
  /** Requested amount, and the total of the order's other payments. */
  asked: Units
  besides: Units
  /** Solo decision limit. */
  alone: Units
}

/**
 * Review reason for payments far above the request. The provider's report alone is not enough; two people must approve.
 */
export const FAR_OVERPAID = 'paid far more than invoiced'
/** Maximum received money per requested money, unless a solo decision covers the sum. */
const TIMES = 10n

/** Returns true for USDT tickers on the provider's networks. */
const isUsdt = (currency: string) => /^usdt(bsc|trc20|erc20)?$/.test(currency)
const hasArrived = ({ status }: ProviderPayment) => status === 'partial' || status === 'settled'

/** Returns arrived money not yet credited. A partial payment grows, and older answers may arrive late. */
export function creditDue({ payment, credited }: Pick<PaymentFacts, 'payment' | 'credited'>): Units {
  return hasArrived(payment) && payment.actuallyPaid > credited ? payment.actuallyPaid - credited : 0n
}

/** Returns why a payment needs a review, or null if a rule credits or explains it. */
export function reviewReason(facts: PaymentFacts): string | null {
  const { payment, credited, byHand } = facts
  if (payment.status === 'unknown') return payment.problem ?? 'unknown status'
  if (hasArrived(payment)) {
    if (byHand && creditDue(facts) > 0n) return 'arrived after the decision'
    if (payment.actuallyPaid === 0n) return 'paid, but nothing arrived'
    if (!isUsdt(payment.payCurrency)) return `paid in ${payment.payCurrency}`
    if (payment.actuallyPaid < credited) return 'less than was credited'
    return creditDue(facts) > 0n && isFarOverpaid(facts) ? FAR_OVERPAID : null
  }
  if (credited === 0n) return null
  // A partly credited payment may still grow.
  if (payment.status === 'confirming' && payment.actuallyPaid >= credited) return null
  return `${payment.status} after the credit`
}

function isFarOverpaid({ payment, asked, besides, alone }: PaymentFacts): boolean {
  const arrived = besides + payment.actuallyPaid
  return arrived > TIMES * asked || arrived - asked > alone
}
