import { type Balances, walletKeys } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { balancesOf, walletId } from '../../ledger/index.ts'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { coinPriceDays } from '../settings/index.ts'

/** A member's balances at the end of a day. */
export type WalletDay = Balances & { day: string; coinPrice: Units }

/** Returns the seven balances at the end of each UTC day, oldest first; the last row is now. Costs two index lookups per wallet and day. */
export async function balanceDays(db: Db, memberId: bigint, now: Date, days: number): Promise<WalletDay[]> {
  const prices = await coinPriceDays(db, now, days)
  const current = await balancesOf(db, memberId)
  const past = await pastBalances(
    db,
    memberId,
    prices.slice(0, -1).map((row) => row.day),
  )
  const rows = prices.slice(0, -1).flatMap(({ day, coinPrice }) => {
    const balances = past.get(day)
    return balances === undefined ? [] : [{ day, coinPrice, ...balances }]
  })
  return [...rows, { day: utcDay(now), coinPrice: prices.at(-1)?.coinPrice ?? 0n, ...current }]
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

async function pastBalances(db: Db, memberId: bigint, days: string[]): Promise<Map<string, Balances>> {
  const accounts = walletKeys.map((key) => walletId(memberId, key))
  const { rows } = await sql<{ day: string; wallet: number; balance: bigint | null }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, w.place::int as wallet, last.balance
    from unnest(${days}::date[]) d (day)
    cross join lateral (select last_transfer_id from wallet_day where day <= d.day order by day desc limit 1) mark
    cross join unnest(${accounts}::bigint[]) with ordinality w (account, place)
    left join lateral (
      select side.balance from (
        (select id, debit_balance_after as balance from ledger_transfer
          where debit_account = w.account and id <= mark.last_transfer_id order by id desc limit 1)
        union all
        (select id, credit_balance_after from ledger_transfer
          where credit_account = w.account and id <= mark.last_transfer_id order by id desc limit 1)) side
      order by side.id desc limit 1) last on true`.execute(db)
  const found = new Map<string, Balances>()
  for (const row of rows) {
    const key = walletKeys[row.wallet - 1]
    if (key === undefined) continue
    const balances = found.get(row.day) ?? empty()
    balances[key] = row.balance ?? 0n
    found.set(row.day, balances)
  }
  return found
}
