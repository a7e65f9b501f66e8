import { type Balances, walletKeys } from '@tizara/contract/wallets'
import { type Units, usdForCoin } from '@tizara/money'
import { sql } from 'kysely'
import { balancesOf, ownerFlows, walletId } from '../../ledger/index.ts'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { coinPriceDays } from '../settings/index.ts'
import { type HeldOutside, heldOutsideAt, justAfter, type OutsidePorts } from './outside.queries.ts'

/** Days over which the change is split into its parts. */
const CHANGE_DAYS = 30

/** A member's holdings at the end of a day. */
type WalletDay = Balances & HeldOutside & { day: string; coinPrice: Units }

/** USD that came in, left and was earned since the end of a day, each at the coin price of its day. */
interface Change {
  since: string
  paidIn: Units
  takenOut: Units
  earned: Units
}

/**
 * Returns the holdings at the end of each UTC day, oldest first, and the change over the last 30 days. The last row is now.
 * Costs two index lookups per wallet and day, and the transfers of 30 days.
 */
export async function walletHistory(
  db: Db,
  memberId: bigint,
  { now, days }: { now: Date; days: number },
  ports: OutsidePorts,
): Promise<{ days: WalletDay[]; change: Change | null }> {
  const prices = await coinPriceDays(db, now, days)
  const current = await balancesOf(db, memberId)
  const past = await pastBalances(
    db,
    memberId,
    prices.slice(0, -1).map((row) => row.day),
  )
  const closed = prices.slice(0, -1).flatMap(({ day, coinPrice }) => {
    const found = past.get(day)
    return found === undefined ? [] : [{ day, coinPrice, ...found }]
  })
  const outside = await heldOutsideAt(db, memberId, [...closed.map(({ mark }) => mark.at), justAfter(now)], ports)
  const rows = [...closed, { day: utcDay(now), coinPrice: prices.at(-1)?.coinPrice ?? 0n, balances: current }].map(
    ({ day, coinPrice, balances }, index) => ({
      day,
      coinPrice,
      ...balances,
      ...(outside[index] ?? { heldUsd: 0n, heldCoin: 0n, nfts: 0n }),
    }),
  )
  const base = closed.at(-CHANGE_DAYS) ?? closed[0]
  if (base === undefined) return { days: rows, change: null }
  const priceOf = new Map(prices.map(({ day, coinPrice }) => [day, coinPrice]))
  const inUsd = ({ day, asset, amount }: { day: string; asset: 'USD' | 'COIN'; amount: Units }) =>
    asset === 'USD' ? amount : usdForCoin(amount < 0n ? -amount : amount, priceOf.get(day) ?? base.coinPrice) * (amount < 0n ? -1n : 1n)
  return { days: rows, change: await changeSince(db, memberId, base, inUsd, ports) }
}

/**
 * Sums the flows by counterparty. Deposits and transfers from other members are incoming money, the reward pool pays earnings, and a
 * reversal counts as negative in the same part. A purchase or sale of coin only exchanges assets. A payout leaves at its approval; until
 * then the hold belongs to the member.
 */
async function changeSince(
  db: Db,
  memberId: bigint,
  { day, mark }: { day: string; mark: Mark },
  inUsd: (flow: { day: string; asset: 'USD' | 'COIN'; amount: Units }) => Units,
  ports: OutsidePorts,
): Promise<Change> {
  const change: Change = { since: day, paidIn: 0n, takenOut: 0n, earned: 0n }
  for (const flow of await ownerFlows(db, memberId, mark.lastTransferId)) {
    const usd = inUsd(flow)
    const signed = flow.direction === 'in' ? usd : -usd
    if (flow.counterparty === 'SYS-REWARD') change.earned += signed
    else if (['SYS-DEPOSIT', 'SYS-LOSS', 'SYS-IMPORT'].includes(flow.counterparty)) change.paidIn += signed
    else if (flow.counterparty === 'member' && flow.direction === 'in') change.paidIn += usd
    else if (flow.counterparty === 'member') change.takenOut += usd
  }
  for (const paid of await ports.paidOutSince(db, memberId, mark.at)) change.takenOut += inUsd(paid)
  return change
}

/** Last transfer of a day. */
interface Mark {
  lastTransferId: bigint
  at: Date
}

const empty = (): Balances => ({
  depositWallet: 0n,
  nativeWallet: 0n,
  icoWallet: 0n,
  newIcoWallet: 0n,
  stakeWallet: 0n,
  nftWallet: 0n,
  rcmWallet: 0n,
})

async function pastBalances(db: Db, memberId: bigint, days: string[]): Promise<Map<string, { balances: Balances; mark: Mark }>> {
  const accounts = walletKeys.map((key) => walletId(memberId, key))
  const { rows } = await sql<{ day: string; wallet: number; balance: bigint | null; lastTransferId: bigint; at: Date }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, w.ordinal::int as wallet, last.balance, mark.last_transfer_id as "lastTransferId",
      mark.marked_at as at
    from unnest(${days}::date[]) d (day)
    cross join lateral (select last_transfer_id, marked_at from wallet_day where day <= d.day order by day desc limit 1) mark
    cross join unnest(${accounts}::bigint[]) with ordinality w (account, ordinal)
    left join lateral (
      select side.balance from (
        (select id, debit_balance_after as balance from ledger_transfer
          where debit_account = w.account and id <= mark.last_transfer_id order by id desc limit 1)
        union all
        (select id, credit_balance_after from ledger_transfer
          where credit_account = w.account and id <= mark.last_transfer_id order by id desc limit 1)) side
      order by side.id desc limit 1) last on true`.execute(db)
  const found = new Map<string, { balances: Balances; mark: Mark }>()
  for (const { day, wallet, balance, ...mark } of rows) {
    const key = walletKeys[wallet - 1]
    if (key === undefined) continue
    const row = found.get(day) ?? { balances: empty(), mark }
    row.balances[key] = balance ?? 0n
    found.set(day, row)
  }
  return found
}
