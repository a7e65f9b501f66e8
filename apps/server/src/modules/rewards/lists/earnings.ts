import type { QueryOf } from '@tizara/contract'
import { EARNING_TEAM, type earningPeople, type earningRows } from '@tizara/contract/rewards-earnings'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { readMomentCursor, writeMomentCursor } from '../../../platform/db/moment-cursor.ts'
import { memberById } from '../../members/index.ts'
import { downlineCount } from '../../team/index.ts'
import { earnedInYear } from '../instant/earned.ts'
import { LEVELS } from '../programme/rewards.rules.ts'
import { INSTANT_HISTORIES } from './list-instant.ts'
import { CREDIT_IS_PAID } from './list-own.ts'

const PAGE = 25
/** Maximum number of rewards per person and month that a page reads. */
const PERSON_REWARDS = 2000

/** An amount in one unit. */
interface AssetSum {
  asset: 'usd' | 'coin'
  amount: Units
}

/**
 * Reads a member's earnings of a UTC year by month and kind, and the amount that waits for the pool.
 * The cost does not depend on the history: docs/decisions/0044-earnings-by-month.md.
 */
export async function readEarnings(db: Db, memberId: bigint, now: Date, year = now.getUTCFullYear()) {
  const [months, owed, member] = await Promise.all([earnedInYear(db, memberId, year), owedTo(db, memberId), memberById(db, memberId)])
  return { year, firstYear: (member?.created_at ?? now).getUTCFullYear(), months, owed }
}

/** Sums earned rewards that the pool has not paid yet: of the few open payments, and of due instant rewards. */
async function owedTo(db: Db, memberId: bigint): Promise<AssetSum[]> {
  const { rows } = await sql<AssetSum>`
    select asset, sum(amount)::bigint as amount from (
      select case p.stream when 2 then 'usd' else 'coin' end as asset, c.amount from reward_payment p
      join reward_credit c on c.member_id = ${memberId} and c.stream = p.stream and c.run_id = p.run_id
      where p.paid < p.total and not ${CREDIT_IS_PAID}
      union all
      select lower(asset), amount - reversed from reward_instant where beneficiary_id = ${memberId} and status = 'owed'
    ) owed group by asset having sum(amount) > 0 order by asset`.execute(db)
  return rows
}

/** Returns the UTC range of a month such as `2026-01`. */
function rangeOf(month: string): { since: Date; until: Date } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { since: new Date(Date.UTC(year, number - 1, 1)), until: new Date(Date.UTC(year, number, 1)) }
}

/** Lists the instant rewards of a kind that were paid in a month, newest first, by index. */
export async function listEarningRows(db: Db, memberId: bigint, { month, kind, before }: QueryOf<typeof earningRows>) {
  const { since, until } = rangeOf(month)
  const { at, id } = before === undefined ? { at: until, id: 0n } : readMomentCursor(before)
  const found = await sql<{ id: bigint; paidAt: Date; amount: Units; asset: 'usd' | 'coin'; from: string | null }>`
    select i.id, i.settled_at as "paidAt", i.amount - i.reversed as amount, lower(i.asset) as asset, m.email as "from"
    from reward_instant i left join member m on m.id = i.source_member_id
    where i.beneficiary_id = ${memberId} and i.kind = ${kind} and i.settled_at >= ${since} and i.settled_at < ${until}
      and (i.settled_at, i.id) < (${at}::timestamptz, ${id}::bigint)
    order by i.settled_at desc, i.id desc limit ${PAGE + 1}`.execute(db)
  const page = found.rows.slice(0, PAGE)
  const last = found.rows.length > PAGE ? page.at(-1) : undefined
  return {
    rows: page.map((row) => ({ ...row, id: String(row.id), receipt: { kind: INSTANT_HISTORIES[kind], id: String(row.id) } })),
    ...(last === undefined ? {} : { next: writeMomentCursor({ at: last.paidAt, id: last.id }) }),
  }
}

/** A person below the member. */
interface Person {
  id: bigint
  publicId: string
  name: string
  email: string
  level: number
}

/**
 * Lists the people in a member's levels with the rewards from each in a month, nearest level first. Instant rewards count when they are
 * paid. A bounty counts if the run paid the member bounties.
 */
export async function listEarningPeople(db: Db, memberId: bigint, { month, after }: QueryOf<typeof earningPeople>) {
  const direct = (await downlineCount(db, memberId)) > EARNING_TEAM
  const found = await peopleBelow(db, memberId, direct, after)
  const page = found.slice(0, PAGE)
  const sums = await sumsOfPeople(db, memberId, month, page)
  const last = found.length > PAGE ? page.at(-1) : undefined
  return {
    rows: page.map(({ id, publicId, ...person }) => ({ id: publicId, ...person, sums: sums(id) })),
    ...(last === undefined ? {} : { next: `${last.level}-${last.id}` }),
    direct,
  }
}

async function peopleBelow(db: Db, memberId: bigint, direct: boolean, after: string | undefined): Promise<Person[]> {
  const [level = '0', id = '0'] = after?.split('-') ?? []
  const isAfter = sql`(down.level > ${Number(level)} or down.level = ${Number(level)} and down.id > ${BigInt(id)}::bigint)`
  const columns = sql`m.id, m.public_id as "publicId", m.name, m.email, down.level`
  const { rows } = direct
    ? await sql<Person>`
      select ${columns} from (select member_id as id, 1 as level from team_member where sponsor_id = ${memberId}) down
      join member m on m.id = down.id where m.is_verified and ${isAfter} order by down.id limit ${PAGE + 1}`.execute(db)
    : await sql<Person>`
      with recursive down as (
        select member_id as id, 1 as level from team_member where sponsor_id = ${memberId}
        union all
        select t.member_id, down.level + 1 from down join team_member t on t.sponsor_id = down.id where down.level < ${LEVELS}
      )
      select ${columns} from down join member m on m.id = down.id
      where m.is_verified and ${isAfter} order by down.level, down.id limit ${PAGE + 1}`.execute(db)
  return rows
}

/** Sums the member's rewards from each person in a month; null for a person with too many rewards. */
async function sumsOfPeople(db: Db, memberId: bigint, month: string, people: readonly Person[]) {
  const { since, until } = rangeOf(month)
  const { rows } = await sql<{ id: bigint; accruals: number; coin: Units; usd: Units }>`
    with person as (
      select * from unnest(${people.map(({ id }) => id)}::bigint[], ${people.map(({ level }) => level)}::int[]) p (id, level)
    ), bounty as (
      select person.id, count(f.stream)::int as accruals,
        coalesce(sum(f.share) filter (where f.stream < 2), 0)::bigint as coin, coalesce(sum(f.share) filter (where f.stream = 2), 0)::bigint as usd
      from person left join lateral (
        select f.stream, case when c.eligible then reward_share(f.amount, (case f.stream when 0 then p.bounty_percents
          when 1 then p.stake_log_bounty_percents else p.nft_bounty_percents end)[person.level]) else 0 end as share
        from (select * from reward_accrual where member_id = person.id and stream in (0, 1, 2) and due_at >= ${since} and due_at < ${until}
          limit ${PERSON_REWARDS + 1}) f
        join reward_programme p on p.version = f.programme_version
        left join reward_credit c on c.member_id = ${memberId} and c.stream = f.stream and c.run_id = f.run_id
      ) f on true group by person.id
    ), instant as (
      select source_member_id as id, coalesce(sum(amount - reversed) filter (where asset = 'COIN'), 0)::bigint as coin,
        coalesce(sum(amount - reversed) filter (where asset = 'USD'), 0)::bigint as usd
      from reward_instant where beneficiary_id = ${memberId} and kind in ('referral', 'level', 'nft-level')
        and settled_at >= ${since} and settled_at < ${until} and source_member_id in (select id from person) group by 1
    )
    select b.id, b.accruals, b.coin + coalesce(i.coin, 0) as coin, b.usd + coalesce(i.usd, 0) as usd
    from bounty b left join instant i on i.id = b.id`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (id: bigint): AssetSum[] | null => {
    const { accruals, coin, usd } = byId.get(id) ?? { accruals: 0, coin: 0n, usd: 0n }
    if (accruals > PERSON_REWARDS) return null
    const sums: AssetSum[] = [
      { asset: 'coin', amount: coin },
      { asset: 'usd', amount: usd },
    ]
    return sums.filter(({ amount }) => amount > 0n)
  }
}
