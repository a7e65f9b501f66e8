/** Equivalent mutant with the reason; never sampled. A test fails if the code no longer contains the mutant's line. */
interface Equivalent {
  file: string
  before: string
  after: string
  why: string
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'packages/money/src/units.ts',
    before: 'if (shift <= 0) return null',
    after: 'if (shift < 0) return null',
    why: 'a number is written with an exponent from 10^21 on and below 10^-6: the exponent is never 0',
  },
  {
    file: 'apps/server/src/ledger/post-bulk.ts',
    before: 'await sql`analyze ledger_bulk`.execute(tx)',
    after: ';',
    why: 'the planner reads it: it makes the next statement fast and changes no row',
  },
  {
    file: 'apps/server/src/modules/deposits/provider/payment.rules.ts',
    before: 'return hasArrived(payment) && payment.actuallyPaid > credited ? payment.actuallyPaid - credited : 0n',
    after: 'return hasArrived(payment) && payment.actuallyPaid >= credited ? payment.actuallyPaid - credited : 0n',
    why: 'for equal values the difference is 0 as well',
  },
  {
    file: 'apps/server/src/http/calls/money-group.ts',
    before: "if (left <= 0) return failed(new AppError('BUSY'))",
    after: "if (left <= 1) return failed(new AppError('BUSY'))",
    why: 'the last of 8,000 milliseconds: no call can do anything in it',
  },
  {
    file: 'apps/server/src/gateways/chain/sending/replace-unmined.ts',
    before:
      'const replacementPrice = (last: bigint, market: bigint): bigint => (market > minReplacementFee(last) ? market : minReplacementFee(last))',
    after:
      'const replacementPrice = (last: bigint, market: bigint): bigint => (market >= minReplacementFee(last) ? market : minReplacementFee(last))',
    why: 'for equal values both results are the same',
  },
  {
    file: 'apps/server/src/gateways/chain/token-amount.ts',
    before: 'decimals >= UNIT_DECIMALS ? exact / 10n ** BigInt(decimals - UNIT_DECIMALS) : exact * 10n ** BigInt(UNIT_DECIMALS - decimals)',
    after: 'decimals > UNIT_DECIMALS ? exact / 10n ** BigInt(decimals - UNIT_DECIMALS) : exact * 10n ** BigInt(UNIT_DECIMALS - decimals)',
    why: 'a token with as many decimals as a unit is divided, or multiplied, by one',
  },
  {
    file: 'apps/server/src/modules/withdrawals/costs/network-costs.queries.ts',
    before: "from network_cost where source in ('PAYOUT', 'MOVE', 'EMPTY') and ended_at > ${from}`.execute(db)",
    after: 'from network_cost where true and ended_at > ${from}`.execute(db)',
    why: 'there is no other source, as the table checks: it is there for the index, which begins with it',
  },
]
