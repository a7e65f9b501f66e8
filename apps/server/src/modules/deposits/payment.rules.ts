import type { Units } from '@tizara/money'
import type { ProviderPayment } from '../../gateways/payment-provider/index.ts'

/** What is known about a payment when the provider answers about it. */
export interface PaymentFacts {
  payment: ProviderPayment
  /** What was credited of it so far. */
  credited: Units
  /** Whether a person has decided about its order. */
  byHand: boolean
}

/** What hosted orders are paid with; tickers of USDT on the networks that the provider takes it on. */
const isUsdt = (currency: string) => /^usdt(bsc|trc20|erc20)?$/.test(currency)
const hasArrived = ({ status }: ProviderPayment) => status === 'partial' || status === 'settled'

/** What has arrived beyond what was credited: a partial payment grows, and an older answer may come after a newer one. */
export function creditDue({ payment, credited }: PaymentFacts): Units {
  return hasArrived(payment) && payment.actuallyPaid > credited ? payment.actuallyPaid - credited : 0n
}

/** Why a person has to look at a payment: everything that no rule credits or explains. Null when a rule does. */
export function reviewReason(facts: PaymentFacts): string | null {
  const { payment, credited, byHand } = facts
  if (payment.status === 'unknown') return payment.problem ?? 'its status is not known'
  if (hasArrived(payment)) {
    if (byHand && creditDue(facts) > 0n) return 'arrived after a person had decided'
    if (payment.actuallyPaid === 0n) return 'paid, and nothing arrived'
    if (!isUsdt(payment.payCurrency)) return `paid in ${payment.payCurrency}`
    return payment.actuallyPaid < credited ? 'less than was credited' : null
  }
  if (credited === 0n) return null
  // More may be on its way to a payment that was credited in part.
  if (payment.status === 'confirming' && payment.actuallyPaid >= credited) return null
  return `${payment.status} after it was credited`
}
