import type { Receipt } from '@tizara/contract/wallets'
import { fillText } from '@tizara/contract/response-texts'
import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { amountLine, momentLine } from '../../wallets/index.ts'
import type { ReceiptHead } from './receipts.ts'
import { reducedReferralReason } from '../programme/referral.rules.ts'
import { INSTANT_PROPERTIES, type InstantKind } from '../programme/rewards.rules.ts'

interface InstantReceiptRow {
  amount: Units
  reversed: Units
  level: number
  base: Units
  percent: Units | null
  version: number
  status: string
  rank: string | null
  createdAt: Date
  releaseAt: Date
  settledAt: Date | null
  transferId: bigint | null
  sourceEmail: string | null
  /** The purchase's public id; null for a rank. */
  sourceId: string | null
  /** Plan or NFT name; null for coin and ranks. */
  sourceLabel: string | null
  /** Coin units bought, for a referral reward; null for other kinds. */
  bought: Units | null
  /** Part of the base that was returned within the hold. */
  baseBack: Units
  /** The stake's days, for a level reward (null for other kinds), and the days from which the share is full. */
  stakeDays: number | null
  fullDays: number
  /** Staff's reason for the cancellation. */
  cancelReason: string | null
  /** Reason why a coin purchase has no reward. */
  unearned: string | null
  /** Team stake required for the rank's bonus. */
  threshold: Units | null
}

/**
 * Returns an instant reward's receipt.
 * @returns undefined when the member has no such row
 */
export async function instantReceipt(db: Db, memberId: bigint, instant: InstantKind, head: ReceiptHead): Promise<Receipt | undefined> {
  if (!/^\d{1,18}$/.test(head.id)) return undefined
  const found = await sql<InstantReceiptRow>`
    select i.amount, i.reversed, i.level::int as level, i.base, i.percent, i.programme_version as version, i.status, i.rank, i.created_at as "createdAt",
      i.release_at as "releaseAt", i.settled_at as "settledAt", i.transfer_id as "transferId", m.email as "sourceEmail",
      i.cause_public_id as "sourceId", s.label as "sourceLabel",
      case when i.kind = 'referral' and i.status <> 'unearned' then i.cause_amount end as bought, i.base_returned as "baseBack", i.cancel_reason as "cancelReason",
      i.unearned_reason as unearned,
      case when i.kind = 'level' then s.steps end as "stakeDays",
      (select full_level_share_days from reward_programme where version = i.programme_version) as "fullDays",
      (select (r ->> 'teamStake')::bigint from reward_programme p cross join jsonb_array_elements(p.ranks) r
        where i.kind = 'rank' and p.version = i.programme_version and r ->> 'rank' = i.rank) as threshold
    from reward_instant i left join member m on m.id = i.source_member_id
    left join reward_source s on i.cause_type = 'source' and s.id = i.cause_id
    where i.id = ${head.id}::bigint and i.beneficiary_id = ${memberId} and i.kind = ${instant}`.execute(db)
  const row = found.rows[0]
  if (row === undefined) return undefined
  const properties = INSTANT_PROPERTIES[instant]
  const asset = properties.asset === 'COIN' ? 'coin' : 'usd'
  return {
    ...head,
    status: row.status,
    asset,
    amount: row.amount,
    from: { label: 'Reward pool' },
    to: { label: properties.wallet === 'nftWallet' ? 'NFT Wallet' : 'Native Wallet', wallet: properties.wallet },
    rule: ruleOf(row, instant),
    ruleVersion: String(row.version),
    ...(row.percent === null ? {} : { rate: row.percent, rateUnit: 'percent' }),
    base: row.base,
    baseAsset: asset,
    ...(row.level > 0 ? { level: row.level } : {}),
    ...(row.sourceEmail === null ? {} : { sourceMember: row.sourceEmail }),
    ...(row.sourceId === null ? {} : { sourceId: row.sourceId }),
    ...(row.sourceLabel === null ? {} : { sourceLabel: row.sourceLabel }),
    ...(row.percent === null ? {} : { rounding: 'down to 8 decimals' }),
    ...(row.transferId === null ? {} : { transferId: String(row.transferId) }),
    createdAt: row.createdAt,
    ...(row.settledAt === null ? {} : { settledAt: row.settledAt }),
    lines: [
      ...unearnedLines(row),
      ...newMoneyLines(row),
      ...heldLines(row, instant),
      ...(row.cancelReason === null ? [] : [{ label: 'Reason', value: row.cancelReason }]),
      ...(row.reversed > 0n ? [amountLine(whyTakenBack(row), row.reversed), amountLine('Left', row.amount - row.reversed)] : []),
    ],
  }
}

/** Returns the rule of a reward. A shorter stake has a reduced share (RW-02). */
function ruleOf(row: InstantReceiptRow, instant: InstantKind): string {
  if (row.percent === null)
    return fillText('Rank {rank}: {amount} coin once, filled by stakes of the team that mature while it stakes {threshold} coin or more', {
      rank: row.rank ?? '',
      amount: formatUnits(row.amount),
      threshold: formatUnits(row.threshold ?? row.base),
    })
  const share = { level: row.level, percent: formatUnits(row.percent) }
  const { stakeDays, fullDays } = row
  if (stakeDays !== null && stakeDays < fullDays)
    return fillText('Level {level} of the upline: {percent} % of the stake × {days} ÷ {fullDays} days', {
      ...share,
      days: stakeDays,
      fullDays,
    })
  if (instant === 'level') return fillText('Level {level} of the upline: {percent} % of the stake', share)
  if (instant === 'nft-level') return fillText('Level {level} of the upline: {percent} % of the NFT price', share)
  return fillText('Level {level} of the upline: {percent} % of the coin bought with new money', share)
}

/** Explains a purchase without a reward. The purchase's amount is not shown. */
function unearnedLines({ bought, base, unearned }: InstantReceiptRow): Receipt['lines'] {
  const why = unearned === null ? null : reducedReferralReason(bought, base, unearned)
  return why === null ? [] : [{ label: 'No reward', value: why }]
}

/** Explains a reward on a part of a coin purchase only, because other money than new money paid for the rest (RW-01). */
function newMoneyLines({ bought, base, baseBack }: InstantReceiptRow): Receipt['lines'] {
  return [
    ...(bought === null || bought === base
      ? []
      : [
          amountLine('Coin bought', bought),
          amountLine('Of it bought with money that was not deposited, or that earned a reward before', bought - base),
        ]),
    ...(baseBack === 0n ? [] : [amountLine('Sold or sent away before the hold ended', baseBack)]),
  ]
}

function whyTakenBack({ baseBack, cancelReason }: InstantReceiptRow): string {
  if (cancelReason !== null) return 'Cancelled by the operator before it was due'
  return baseBack > 0n ? 'Reversed with the returned coin' : 'Reversed with its purchase'
}

/** Explains when a reward is paid, by its kind. */
function whenPaid({ createdAt, releaseAt }: InstantReceiptRow, instant: InstantKind): Receipt['lines'][number] | undefined {
  if (instant === 'level') return { label: 'Paid', value: 'when the stake matures' }
  if (instant === 'nft-level') return { label: 'Paid', value: 'with the first monthly reward of the NFT' }
  if (instant === 'rank') return { label: 'Paid', value: 'when maturing stakes of the team have filled the bonus' }
  const days = Math.round((releaseAt.getTime() - createdAt.getTime()) / DAY_MS)
  if (days <= 0) return undefined
  return { label: 'Held for', value: fillText('{days} days, because its purchase can be reversed until then', { days }) }
}

/** Returns the receipt lines about the payment: when, and why not yet. */
function heldLines(row: InstantReceiptRow, instant: InstantKind): Receipt['lines'] {
  const { status, releaseAt } = row
  if (status === 'unearned') return []
  const why = whenPaid(row, instant)
  if (why === undefined) return []
  if (status !== 'held') return [why]
  return [why, momentLine('Held until', releaseAt)]
}
