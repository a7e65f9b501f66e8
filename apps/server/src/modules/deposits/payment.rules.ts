import type { Units } from '@tizara/money'
import type { ProviderPayment } from '../../gateways/payment-provider/index.ts'

/** What is known about a payment when the provider answers about it. */
export interface PaymentFacts {
  payment: ProviderPayment
  /** What was credited of it so far. */
  credited: Units
  /** Whether a person has decided about its order. */
  byHand: boolean
  /** What the order asked for, and what other payments of it brought. */
  asked: Units
  besides: Units
  /** What one person decides about alone. */
  alone: Units
}

/** Why two people have to stand behind all that came: the provider's word alone is not enough. */
export const FAR_MORE = 'far more came than was asked for'
/** An order may bring so many times what it asked for, unless that is more than one person decides about. */
const TIMES = 10n

/** What hosted orders are paid with; tickers of USDT on the networks that the provider takes it on. */
const isUsdt = (currency: string) => /^usdt(bsc|trc20|erc20)?$/.test(currency)
const hasArrived = ({ status }: ProviderPayment) => status === 'partial' || status === 'settled'

/** What has arrived beyond what was credited: a partial payment grows, and an older answer may come after a newer one. */
export function creditDue({ payment, credited }: Pick<PaymentFacts, 'payment' | 'credited'>): Units {
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
    if (payment.actuallyPaid < credited) return 'less than was credited'
    return creditDue(facts) > 0n && isFarMore(facts) ? FAR_MORE : null
  }
  if (credited === 0n) return null
  // More may be on its way to a payment that was credited in part.
  if (payment.status === 'confirming' && payment.actuallyPaid >= credited) return null
  return `${payment.status} after it was credited`
}

function isFarMore({ payment, asked, besides, alone }: PaymentFacts): boolean {
  const arrived = besides + payment.actuallyPaid
  return arrived > TIMES * asked || arrived - asked > alone
}
