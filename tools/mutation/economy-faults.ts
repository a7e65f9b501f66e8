import type { PlantedFault } from './planted-fault.ts'

const REWARDS = 'apps/server/src/modules/rewards'

/** Faults of the economy that `drawn-worlds.postgres.test.ts` must find (docs/testing.md). */
export const economyFaults: readonly PlantedFault[] = [
  {
    name: 'sent money stays new money of its sender',
    file: 'apps/server/src/ledger/functions.sql',
    before: 'news[d] := news[d] - carried;',
    after: 'news[d] := least(news[d], balances[d] - amount);',
  },
  {
    name: 'every purchase earns a referral reward, without new money',
    file: 'apps/server/src/modules/coin/buy-token.ts',
    before: 'newMoney: transfers[0]?.newMoney ?? 0n,',
    after: 'newMoney: purchase.charged,',
  },
  {
    name: 'the USD of a sale is all new money',
    file: `${REWARDS}/instant/new-money.ts`,
    before: 'smaller(sale.usd, takePart(reversed.get(sale.memberId), sale.coin))',
    after: 'sale.usd',
  },
  {
    name: 'a returned bridge restores the rewards twice',
    file: `${REWARDS}/functions.sql`,
    before: "set base_returned = i.base_returned - h.coin, status = 'held'",
    after: "set base_returned = greatest(i.base_returned - 2 * h.coin, 0), status = 'held'",
  },
  {
    name: 'long plans have no maximum for level rewards',
    file: `${REWARDS}/functions.sql`,
    before: 'else least(s.steps, p.full_level_share_days) end as days, case',
    after: 'else s.steps end as days, case',
  },
  {
    name: 'a chain of accounts of one person collects rank bonuses',
    file: `${REWARDS}/functions.sql`,
    before:
      'select line.id, s.counted from line join team_rank_stake s on s.member_id = line.id where s.running >= lowest and s.counted >= lowest',
    after: 'select line.id, s.running as counted from line join team_rank_stake s on s.member_id = line.id where s.running >= lowest',
  },
  {
    name: "an NFT paid in coin is reversed at today's price",
    file: 'apps/server/src/modules/nfts/reverse-nft.ts',
    before: 'amount: purchase.paid_amount,',
    after: `amount: isUsd ? purchase.paid_amount : (purchase.price * 100_000_000n) /
          (await tx.selectFrom('setting').select('coin_price').orderBy('version', 'desc').limit(1).executeTakeFirstOrThrow()).coin_price,`,
  },
  {
    name: 'concurrent sales do not confirm the coverage',
    file: `${REWARDS}/pool/assert-covered.ts`,
    before: 'if ((await lockCoverage(tx, read)) < 0n) throw',
    after: 'if ((await lockCoverage(tx, read)) < -(2n ** 63n)) throw',
  },
  {
    name: 'each call of a batch uses the whole coverage',
    file: `${REWARDS}/pool/assert-covered.ts`,
    before: 'if (promises.length > 0 && sumOf(promises) > capacity)',
    after: 'if (promises.some((one) => sumOf([one]) > capacity))',
  },
  {
    name: 'an RCM credit takes promised coin',
    file: `${REWARDS}/pool/staff-money.ts`,
    before: "await confirmCoverage(tx, { asset: 'COIN' })",
    after: '',
  },
  {
    name: 'price changes without notice do not add up',
    file: 'apps/server/src/modules/staff/proposals/shared/price-change-notice.ts',
    before: 'const total = moves.reduce((sum, one) => sum + one, move(path.at(-1)?.[name] ?? next, next))',
    after: 'const total = moves.slice(moves.length).reduce((sum, one) => sum + one, move(path.at(-1)?.[name] ?? next, next))',
  },
  {
    name: 'a clock that jumps pays all days',
    file: `${REWARDS}/runs/run-days.ts`,
    before: 'if (daysBetween(since, today) <= CATCH_UP_DAYS) return null\n  const allowed',
    after: 'if (daysBetween(since, today) <= 1000 * CATCH_UP_DAYS) return null\n  const allowed',
  },
]
