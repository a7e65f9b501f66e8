import { allRoutes } from '@tizara/contract/all-routes'
import { sql } from 'kysely'
import type { Marks } from '../http/live.ts'
import type { Db } from '../platform/database.ts'

/** Reads of which a member's page is told, by what their answers are made of. Names of routes. */
const MONEY = [
  'userWallet',
  'walletHistory',
  'homeCount',
  'transactionHistory',
  'weeklyRewards',
  'stackBonusHistory',
  'royBonusHistory',
  'profitBountyHistory',
  'stakeLogRewardHistory',
  'stakeLogBountyHistory',
  'nftLevelBonus',
  'nftMonthlyRoiHistory',
  'nftProfitBountyHistory',
  'myRankedBonus',
  'myStakes',
  'myStakeLogs',
  'myNftWallet',
  'upcoming',
] as const
const LISTS: Readonly<Record<string, readonly string[]>> = {
  coin: ['buyTokenHistory'],
  exchange: ['exchangeHistory'],
  withdrawal: ['withdrawalHistory', 'getReceipt'],
  bridge: ['bridgeHistory', 'getReceipt'],
  stake: ['myStakes', 'getReceipt'],
  'stake-log': ['myStakeLogs', 'getReceipt'],
  nft: ['nftHistory', 'getReceipt'],
  deposit: ['depositRequests', 'myDeposits', 'getReceipt'],
  ticket: ['tickets'],
}
const TICKETS = ['tickets', 'getTicket'] as const
const PERSON = ['profile'] as const
const EVERYBODY = ['popup', 'generalSettings'] as const

/** Every name that a page may be told. */
export const liveReads: ReadonlySet<string> = new Set([...MONEY, ...Object.values(LISTS).flat(), ...TICKETS, ...PERSON, ...EVERYBODY])

const known = new Set(allRoutes.map((route) => route.name))
for (const name of liveReads) if (!known.has(name)) throw new Error(`there is no call ${name}`)

/**
 * What the reads of members stand at, from figures that are kept anyway: the version of each account, the tally of each
 * list, the newest message of their tickets. A few rows a member, by their keys.
 */
export async function liveMarks(db: Db, memberIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Marks>> {
  const everybody = await sql<{ mark: string }>`
    select coalesce((select max(id) from announcement), 0) || '/' || coalesce((select max(version) from setting), 0) as mark`.execute(db)
  const found = await sql<{ id: bigint; money: string; tickets: string | null; person: string; lists: Record<string, string> | null }>`
    select m.id, m.updated_at::text as person,
      (select coalesce(sum(a.version), 0)::text from ledger_account a where a.id between m.id * 16 and m.id * 16 + 15) as money,
      (select (max(t.last_message_at), count(t.closed_at))::text from ticket t where t.member_id = m.id) as tickets,
      (select jsonb_object_agg(l.list, l.mark) from (
        select k.list, string_agg(k.bucket || ' ' || k.rows || ' ' || k.amount, ',' order by k.bucket) as mark
        from member_tally k where k.member_id = m.id group by k.list) l) as lists
    from member m where m.id = any(${memberIds}::bigint[])`.execute(db)
  return new Map(
    found.rows.map((row) => {
      const marks = new Map<string, string>()
      const put = (names: readonly string[], mark: string) => {
        for (const name of names) marks.set(name, `${marks.get(name) ?? ''};${mark}`)
      }
      put(MONEY, row.money)
      put(TICKETS, row.tickets ?? '')
      put(PERSON, row.person)
      put(EVERYBODY, everybody.rows[0]?.mark ?? '')
      for (const [list, names] of Object.entries(LISTS)) put(names, `${list} ${row.lists?.[list] ?? ''}`)
      return [row.id, marks]
    }),
  )
}
