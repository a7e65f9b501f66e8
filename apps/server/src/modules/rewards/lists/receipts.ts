import type { Receipt } from '@tizara/contract/wallets'
import { fillText } from '@tizara/contract/response-texts'
import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { walletId } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { amountLine } from '../../wallets/index.ts'
import { shareOf, STREAM_PROPERTIES, type Stream } from '../programme/rewards.rules.ts'

export type ReceiptHead = Pick<Receipt, 'kind' | 'id' | 'title'>

const KEY = /^(\d{1,18})-(\d{1,6})(?:-([1-5]))?$/

/**
 * Returns the receipt of a daily or monthly reward from a member's own stake or NFT: source, base, rate, programme version, rounding and
 * ledger transfer. The row's id contains the source and the number of the day or month.
 * @returns undefined when the member has no such row
 */
export async function ownReceipt(db: Db, memberId: bigint, stream: Stream, head: ReceiptHead): Promise<Receipt | undefined> {
  const [, source, ordinal, level] = KEY.exec(head.id) ?? []
  if (source === undefined || ordinal === undefined || level !== undefined) return undefined
  return accrualReceipt(db, memberId, stream, head, { source, ordinal, level: 0 })
}

/**
 * Returns a bounty's receipt. The row's id also holds the level.
 * @returns undefined when the member has no such row
 */
export async function bountyReceipt(db: Db, memberId: bigint, stream: Stream, head: ReceiptHead): Promise<Receipt | undefined> {
  const [, source, ordinal, level] = KEY.exec(head.id) ?? []
  if (source === undefined || ordinal === undefined || level === undefined) return undefined
  return accrualReceipt(db, memberId, stream, head, { source, ordinal, level: Number(level) })
}

interface AccrualRow {
  ownerEmail: string
  publicId: string
  label: string
  principal: Units
  total: Units
  steps: number
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

/** Reads by two index lookups: the source gives owner and due time, and these give the accrual. */
async function accrualReceipt(
  db: Db,
  memberId: bigint,
  stream: Stream,
  head: ReceiptHead,
  row: { source: string; ordinal: string; level: number },
): Promise<Receipt | undefined> {
  const properties = STREAM_PROPERTIES[stream]
  const percents = sql.ref(['p.bounty_percents', 'p.stake_log_bounty_percents', 'p.nft_bounty_percents'][stream] ?? '')
  const found = await sql<AccrualRow>`
    with recursive source as (
      select id, public_id, member_id, label, principal, percent as total, steps, reward_step(stream = 2, starts_at, ${row.ordinal}::int) as due_at
      from reward_source where id = ${row.source}::bigint and stream = ${stream}
    ), line as (
      select s.member_id, 0 as level from source s
      union all
      select t.sponsor_id, line.level + 1 from line join team_member t on t.member_id = line.member_id where t.sponsor_id is not null and line.level < ${row.level}::int
    )
    select m.email as "ownerEmail", s.public_id as "publicId", s.label, s.principal, s.total, s.steps,
      f.amount, f.due_at as "dueAt", f.programme_version as version, case when ${row.level}::int > 0 then ${percents}[${row.level}::int] end as percent,
      (select member_id from line where level = ${row.level}::int) as beneficiary, f.run_id as "runId",
      l.id as "transferId", l.amount as credited, l.created_at as "paidAt"
    from source s join reward_accrual f on f.member_id = s.member_id and f.stream = ${stream} and f.due_at = s.due_at and f.source_id = s.id
    join member m on m.id = f.member_id join reward_programme p on p.version = f.programme_version
    join reward_credit c on c.member_id = ${memberId} and c.stream = ${stream} and c.run_id = f.run_id and (${row.level}::int = 0 or c.eligible)
    left join lateral (
      select id, amount, created_at from ledger_transfer
      where credit_account = ${walletId(memberId, properties.wallet)} and cause_type = 'reward_run' and cause_id = f.run_id::text and kind = ${properties.transferKind} limit 1
    ) l on true`.execute(db)
  const accrual = found.rows[0]
  if (accrual === undefined || accrual.beneficiary !== memberId) return undefined
  return composeAccrualReceipt(head, stream, row, accrual)
}

function composeAccrualReceipt(head: ReceiptHead, stream: Stream, row: { level: number; ordinal: string }, accrual: AccrualRow): Receipt {
  const properties = STREAM_PROPERTIES[stream]
  const asset = properties.asset === 'COIN' ? 'coin' : 'usd'
  const amount = accrual.percent === null ? accrual.amount : shareOf(accrual.amount, accrual.percent)
  const share = { amount: formatUnits(accrual.principal), percent: formatUnits(accrual.total), steps: accrual.steps }
  const own = fillText(stream === 2 ? '{amount} × {percent} % ÷ {steps} months' : '{amount} × {percent} % ÷ {steps} days', share)
  return {
    ...head,
    status: accrual.transferId === null ? 'owed' : 'paid',
    asset,
    amount,
    from: { label: 'Reward pool' },
    to: { label: stream === 2 ? 'NFT Wallet' : 'Native Wallet', wallet: properties.wallet },
    rule:
      accrual.percent === null
        ? own
        : fillText('Level {level} of the upline: {percent} % of the reward', { level: row.level, percent: formatUnits(accrual.percent) }),
    ruleVersion: String(accrual.version),
    rate: accrual.percent ?? accrual.total,
    rateUnit: accrual.percent === null ? 'percent over the whole duration' : 'percent',
    base: accrual.percent === null ? accrual.principal : accrual.amount,
    baseAsset: asset,
    ...(row.level > 0 ? { level: row.level, sourceMember: accrual.ownerEmail } : {}),
    sourceId: accrual.publicId,
    sourceLabel: accrual.label,
    rounding: 'down to 8 decimals',
    ...(accrual.transferId === null ? {} : { transferId: String(accrual.transferId) }),
    createdAt: accrual.dueAt,
    ...(accrual.paidAt === null ? {} : { settledAt: accrual.paidAt }),
    lines: [
      { label: stream === 2 ? 'Month' : 'Day', value: fillText('{count} of {steps}', { count: row.ordinal, steps: accrual.steps }) },
      { label: 'Reward run', value: String(accrual.runId) },
      ...(accrual.credited === null || accrual.credited === amount
        ? []
        : [amountLine('Paid in one sum with other rewards', accrual.credited)]),
    ],
  }
}
