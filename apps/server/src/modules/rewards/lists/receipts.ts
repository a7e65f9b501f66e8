import type { Receipt } from '@tizara/contract/wallets'
import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { walletId } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { amountLine } from '../../wallets/index.ts'
import { shareOf, STREAM_FACTS, type Stream } from '../programme/rewards.rules.ts'

export type ReceiptHead = Pick<Receipt, 'kind' | 'id' | 'title'>

const KEY = /^(\d{1,18})-(\d{1,6})(?:-([1-5]))?$/

/**
 * Returns the receipt for a daily or monthly reward from a member's own stake or NFT.
 * It shows the source, base, rate, programme version, rounding and ledger transfer. The row's id holds the source and the day's or month's
 * number.
 * @returns undefined when the member has no such row
 */
export async function ownReceipt(db: Db, memberId: bigint, stream: Stream, head: ReceiptHead): Promise<Receipt | undefined> {
  const [, source, ordinal, level] = KEY.exec(head.id) ?? []
  if (source === undefined || ordinal === undefined || level !== undefined) return undefined
  return factReceipt(db, memberId, stream, head, { source, ordinal, level: 0 })
}

/**
 * Returns a bounty's receipt. The row's id also holds the level.
 * @returns undefined when the member has no such row
 */
export async function bountyReceipt(db: Db, memberId: bigint, stream: Stream, head: ReceiptHead): Promise<Receipt | undefined> {
  const [, source, ordinal, level] = KEY.exec(head.id) ?? []
  if (source === undefined || ordinal === undefined || level === undefined) return undefined
  return factReceipt(db, memberId, stream, head, { source, ordinal, level: Number(level) })
}

interface FactRow {
  ownerEmail: string
  publicId: string
  label: string
  principal: Units
  total: Units
  times: number
  amount: Units
  dueAt: Date
  version: number
  percent: Units | null
  beneficiary: bigint | null
  runId: bigint
  transferId: bigint | null
  credited: Units | null
  paidAt: Date | null
}

/** Reads by two index lookups: the source gives owner and due time, and these give the fact. */
async function factReceipt(
  db: Db,
  memberId: bigint,
  stream: Stream,
  head: ReceiptHead,
  row: { source: string; ordinal: string; level: number },
): Promise<Receipt | undefined> {
  const facts = STREAM_FACTS[stream]
  const percents = sql.ref(['p.bounty_percents', 'p.stake_log_bounty_percents', 'p.nft_bounty_percents'][stream] ?? '')
  const found = await sql<FactRow>`
    with recursive source as (
      select id, public_id, member_id, label, principal, percent as total, times, reward_step(stream = 2, starts_at, ${row.ordinal}::int) as due_at
      from reward_source where id = ${row.source}::bigint and stream = ${stream}
    ), line as (
      select s.member_id, 0 as level from source s
      union all
      select t.sponsor_id, line.level + 1 from line join team_member t on t.member_id = line.member_id where t.sponsor_id is not null and line.level < ${row.level}::int
    )
    select m.email as "ownerEmail", s.public_id as "publicId", s.label, s.principal, s.total, s.times,
      f.amount, f.due_at as "dueAt", f.programme_version as version, case when ${row.level}::int > 0 then ${percents}[${row.level}::int] end as percent,
      (select member_id from line where level = ${row.level}::int) as beneficiary, f.run_id as "runId",
      l.id as "transferId", l.amount as credited, l.created_at as "paidAt"
    from source s join reward_fact f on f.member_id = s.member_id and f.stream = ${stream} and f.due_at = s.due_at and f.source_id = s.id
    join member m on m.id = f.member_id join reward_programme p on p.version = f.programme_version
    join reward_credit c on c.member_id = ${memberId} and c.stream = ${stream} and c.run_id = f.run_id and (${row.level}::int = 0 or c.eligible)
    left join lateral (
      select id, amount, created_at from ledger_transfer
      where credit_account = ${walletId(memberId, facts.wallet)} and cause_type = 'reward_run' and cause_id = f.run_id::text and kind = ${facts.transferKind} limit 1
    ) l on true`.execute(db)
  const fact = found.rows[0]
  if (fact === undefined || fact.beneficiary !== memberId) return undefined
  return writeFactReceipt(head, stream, row, fact)
}

function writeFactReceipt(head: ReceiptHead, stream: Stream, row: { level: number; ordinal: string }, fact: FactRow): Receipt {
  const facts = STREAM_FACTS[stream]
  const asset = facts.asset === 'COIN' ? 'coin' : 'usd'
  const amount = fact.percent === null ? fact.amount : shareOf(fact.amount, fact.percent)
  const period = stream === 2 ? 'month' : 'day'
  const own = `${formatUnits(fact.principal)} × ${formatUnits(fact.total)} % ÷ ${fact.times} ${period}s`
  return {
    ...head,
    status: fact.transferId === null ? 'owed' : 'paid',
    asset,
    amount,
    from: { label: 'Reward pool' },
    to: { label: stream === 2 ? 'NFT Wallet' : 'Native Wallet', wallet: facts.wallet },
    rule: fact.percent === null ? own : `Level ${row.level} of the upline: ${formatUnits(fact.percent)} % of the reward`,
    ruleVersion: String(fact.version),
    rate: fact.percent ?? fact.total,
    rateUnit: fact.percent === null ? 'percent over the whole duration' : 'percent',
    base: fact.percent === null ? fact.principal : fact.amount,
    baseAsset: asset,
    ...(row.level > 0 ? { level: row.level, sourceMember: fact.ownerEmail } : {}),
    sourceId: fact.publicId,
    sourceLabel: fact.label,
    rounding: 'down to 8 decimals',
    ...(fact.transferId === null ? {} : { transferId: String(fact.transferId) }),
    createdAt: fact.dueAt,
    ...(fact.paidAt === null ? {} : { settledAt: fact.paidAt }),
    lines: [
      { label: stream === 2 ? 'Month' : 'Day', value: `${row.ordinal} of ${fact.times}` },
      { label: 'Reward run', value: String(fact.runId) },
      ...(fact.credited === null || fact.credited === amount ? [] : [amountLine('Paid in one sum with other rewards', fact.credited)]),
    ],
  }
}
