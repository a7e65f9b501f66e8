import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import * as v from 'valibot'
import { type WalletKind, walletKinds } from '../../ledger/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Totals, totalsSchema } from './files.rules.ts'
import { PromisedRewards } from './promised-rewards.rules.ts'

/** Control sums with all wallets. */
export type ImportTotals = Totals & { balances: Record<WalletKind, Units> }

/** One control sum of the old platform beside that of the files or of the imported rows, as text. */
interface ComparedTotal {
  /** Key in `totals.json`, such as `balances.depositWallet`. */
  key: string
  expected: string
  found: string
}

/** Writes control sums as in `totals.json`. */
export function writeTotals({ balances, promisedCoin, promisedUsd, ...counts }: Totals): string {
  const text = (sums: Partial<Record<string, Units>>) =>
    Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, formatUnits(sum ?? 0n)]))
  return JSON.stringify({ ...counts, balances: text(balances), promisedCoin: text(promisedCoin), promisedUsd: text(promisedUsd) })
}

/** Reads control sums of {@link writeTotals}. */
export const parseTotals = (text: string): Totals => v.parse(v.pipe(v.string(), v.parseJson(), totalsSchema), text)

/** Lists all control sums beside those found. Months with rewards on one side only are 0 on the other. */
export function compareTotals(expected: Totals, found: Totals): ComparedTotal[] {
  const counts = (['members', 'referrals', 'specialMembers', 'ranked', 'stakes', 'nfts', 'history'] as const).map((key) => ({
    key,
    expected: String(expected[key]),
    found: String(found[key]),
  }))
  const amount = (key: string, one: Units = 0n, other: Units = 0n) => ({ key, expected: formatUnits(one), found: formatUnits(other) })
  const wallets = walletKinds.map((wallet) => amount(`balances.${wallet}`, expected.balances[wallet], found.balances[wallet]))
  const months = (['promisedCoin', 'promisedUsd'] as const).flatMap((key) =>
    [...new Set([...Object.keys(expected[key]), ...Object.keys(found[key])])]
      .toSorted()
      .map((month) => amount(`${key}.${month}`, expected[key][month], found[key][month])),
  )
  return [...counts, ...wallets, ...months]
}

/**
 * Adds up what the import has written, from the product's own tables and not from the stored rows of the files. The totals contain members
 * with sponsors and ranks, balances, and stakes and NFTs with the rewards that they have yet to pay. Call it before the stored members are
 * deleted.
 */
export async function writtenTotals(tx: Tx, batchId: bigint): Promise<Totals> {
  const members = await sql<Pick<Totals, 'members' | 'referrals' | 'specialMembers' | 'ranked' | 'history'>>`
    select count(*)::int as members, count(m.sponsor_id)::int as referrals, count(*) filter (where m.is_special_rcm)::int as "specialMembers",
      count(m.rank)::int as ranked, (select count(*)::int from import_history where batch_id = ${batchId}) as history
    from import_member i join member m on m.id = i.member_id where i.batch_id = ${batchId}`.execute(tx)
  const balances = await sql<{ kind: WalletKind; sum: Units }>`
    select a.kind, sum(a.balance)::bigint as sum from import_member i join ledger_account a on a.owner_id = i.member_id
    where i.batch_id = ${batchId} group by 1`.execute(tx)
  const stakes = await sql<{ startsAt: Date; steps: number; paid: number; reward: Units; count: number }>`
    select date_trunc('day', s.starts_at at time zone 'UTC') at time zone 'UTC' as "startsAt", s.steps, s.processed as paid,
      sum(s.amount)::bigint as reward, count(*)::int as count
    from import_member i join reward_source s on s.member_id = i.member_id
    where i.batch_id = ${batchId} and s.stream <> 2 group by 1, 2, 3`.execute(tx)
  const nfts = await sql<{ month: string; sum: Units }>`
    select to_char(reward_step(true, s.starts_at, n) at time zone 'UTC', 'YYYY-MM') as month, sum(s.amount)::bigint as sum
    from import_member i join reward_source s on s.member_id = i.member_id cross join lateral generate_series(s.processed + 1, s.steps) n
    where i.batch_id = ${batchId} and s.stream = 2 group by 1`.execute(tx)
  const bought = await sql<{ count: number }>`
    select count(*)::int as count from import_member i join nft_purchase p on p.member_id = i.member_id where i.batch_id = ${batchId}`.execute(
    tx,
  )
  const promised = new PromisedRewards()
  for (const { startsAt, steps, paid, reward } of stakes.rows) promised.add({ stream: 0, startsAt, steps, paid, reward })
  const [counts = { members: 0, referrals: 0, specialMembers: 0, ranked: 0, history: 0 }] = members.rows
  return {
    ...counts,
    balances: Object.fromEntries(balances.rows.map(({ kind, sum }) => [kind, sum])),
    stakes: stakes.rows.reduce((total, { count }) => total + count, 0),
    nfts: bought.rows[0]?.count ?? 0,
    promisedCoin: promised.byMonth(),
    promisedUsd: Object.fromEntries(nfts.rows.filter(({ sum }) => sum > 0n).map(({ month, sum }) => [month, sum])),
  }
}
