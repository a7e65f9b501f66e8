import type { Units } from '@tizara/money'

/** Formats an amount for a sentence, rounded half up to two decimals: `1,200.00`. Exact amounts appear in separate fields. */
export function roundedAmount(amount: Units): string {
  const size = amount < 0n ? -amount : amount
  const hundredths = (size + 500_000n) / 1_000_000n
  const whole = String(hundredths / 100n).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0n ? '−' : ''}${whole}.${String(hundredths % 100n).padStart(2, '0')}`
}
