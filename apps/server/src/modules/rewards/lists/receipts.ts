import type { Receipt, ReceiptKind } from '@tizara/contract/wallets'
import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/database.ts'
import { amountLine } from '../../wallets/index.ts'
import { instantReceipt, TITLES } from './instant-receipt.ts'
import { INSTANT_RECEIPTS } from './list-instant.ts'
import { type InstantKind, shareOf, STREAM_FACTS, type Stream } from '../programme/rewards.rules.ts'

const OWN: Partial<Record<ReceiptKind, Stream>> = { 'daily-reward': 0, 'stake-log-reward': 1, 'nft-reward': 2 }
const BOUNTY: Partial<Record<ReceiptKind, Stream>> = { 'profit-bounty': 0, 'stake-log-bounty': 1, 'nft-profit-bounty': 2 }
const INSTANT = new Map<ReceiptKind, InstantKind>(
  (['referral', 'level', 'nft-level', 'rank'] as const).map((kind) => [INSTANT_RECEIPTS[kind], kind]),
)

/**
 * The receipt of a reward row of a member: what it rests on, the base, the rate, the version of the programme, the
 * rounding and the ledger transfer.
 * @returns undefined when the member has no such row
 */
export async function rewardReceipt(db: Db, memberId: bigint, kind: ReceiptKind, id: string): Promise<Receipt | undefined> {
  const instant = INSTANT.get(kind)
  if (instant !== undefined) return instantReceipt(db, memberId, instant, kind, id)
  const [source, ordinal, level] = id.split('-')
  if (!/^\d{1,18}$/.test(source ?? '') || !/^\d{1,6}$/.test(ordinal ?? '')) return undefined
  const own = OWN[kind]
  if (own !== undefined && level === undefined) return factReceipt(db, memberId, own, kind, { id, source, ordinal, level: 0 })
  const bounty = BOUNTY[kind]
  if (bounty === undefined || !/^[1-5]$/.test(level ?? '')) return undefined
  return factReceipt(db, memberId, bounty, kind, { id, source, ordinal, level: Number(level) })
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

/** Two lookups by index: the source gives owner and moment, and those give the fact. */
async function factReceipt(
  db: Db,
  memberId: bigint,
  stream: Stream,
  kind: ReceiptKind,
  row: { id: string; source: string | undefined; ordinal: string | undefined; level: number },
): Promise<Receipt | undefined> {
  const facts = STREAM_FACTS[stream]
  const wallet = facts.wallet === 'nativeWallet' ? 2n : 6n
  const source =
    stream === 2
      ? sql`select id, public_id, member_id, name as label, price as principal, total_percent as total, duration_months as times,
          reward_month(purchased_at, ${row.ordinal}::int) as due_at from nft_purchase where id = ${row.source}::bigint`
      : sql`select id, public_id, member_id, plan_name as label, amount as principal, apy as total, duration_days as times,
          started_at + ${row.ordinal}::int * interval '24 hours' as due_at from stake where id = ${row.source}::bigint and is_omega = ${stream === 1}`
  const percents = sql.ref(['p.bounty_percents', 'p.stake_log_bounty_percents', 'p.nft_bounty_percents'][stream] ?? '')
  const found = await sql<FactRow>`
    with recursive source as (${source}),
    line as (
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
      where credit_account = ${memberId * 16n + wallet} and cause_type = 'reward_run' and cause_id = f.run_id::text and kind = ${facts.transferKind} limit 1
    ) l on true`.execute(db)
  const fact = found.rows[0]
  if (fact === undefined || fact.beneficiary !== memberId) return undefined
  return writeFactReceipt(kind, stream, row, fact)
}

function writeFactReceipt(
  kind: ReceiptKind,
  stream: Stream,
  row: { id: string; level: number; ordinal: string | undefined },
  fact: FactRow,
): Receipt {
  const facts = STREAM_FACTS[stream]
  const asset = facts.asset === 'COIN' ? 'coin' : 'usd'
  const amount = fact.percent === null ? fact.amount : shareOf(fact.amount, fact.percent)
  const period = stream === 2 ? 'month' : 'day'
  const own = `${formatUnits(fact.principal)} × ${formatUnits(fact.total)} % ÷ ${fact.times} ${period}s`
  return {
    kind,
    id: row.id,
    title: TITLES[kind] ?? 'Reward',
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

const rewardReceiptKinds = [
  ...Object.values(INSTANT_RECEIPTS),
  'daily-reward',
  'stake-log-reward',
  'nft-reward',
  'profit-bounty',
  'stake-log-bounty',
  'nft-profit-bounty',
] as const

/** The finders of reward receipts by kind, for `GET /receipts/:kind/:id`. */
export const rewardReceipts = Object.fromEntries(
  rewardReceiptKinds.map((kind) => [kind, (db: Db, memberId: bigint, id: string) => rewardReceipt(db, memberId, kind, id)]),
)
