import type { TimelineKind } from '@tizara/contract/staff-member-pages'
import { countPostings, type StatementLine, statement, walletId } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Member } from '../../members/index.ts'
import { roundedAmount } from '../access/rounded-amount.ts'
import { walletName } from '../ledger/ledger-lines.ts'
import { isReward, movingKinds, rewardKinds, wordsOf } from '../access/transfer-kinds.ts'
import type { TimelineRow, TimelinePage } from './timeline.types.ts'

/** Ledger entries read per timeline row. A posting has at most three in a member's wallets; the row of a reward run may need a few more. */
const ENTRIES_PER_ROW = 3

/** Lists a member's movements and rewards. The ledger entries of one posting, or of one run, form one row. */
export async function movements(db: Db, member: Member, { before, limit, kinds }: TimelinePage): Promise<TimelineRow[]> {
  const maxLines = limit * ENTRIES_PER_ROW
  const lines = await statement(db, member.id, {
    limit: maxLines,
    ...transferKinds(kinds),
    ...(before === undefined ? {} : { before: { transferId: before, wallet: 'depositWallet' } }),
  })
  const groups: StatementLine[][] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && belongTogether(last[0], line)) last.push(line)
    else groups.push([line])
  }
  // Drops the last group, because it may continue on the next page.
  if (lines.length === maxLines && groups.length > 1) groups.pop()
  return groups.slice(0, limit).flatMap((group) => asRow(member, group))
}

/** Returns the kinds of transfers of a timeline with money, rewards or both. */
const transferKinds = (kinds: ReadonlySet<TimelineKind>) =>
  kinds.has('money') && kinds.has('reward') ? {} : { kinds: kinds.has('money') ? movingKinds : rewardKinds }

/** Counts the rows of {@link movements}, from at most a number of ledger entries. */
export const countMovements = async (db: Db, memberId: bigint, kinds: ReadonlySet<TimelineKind>, max: number): Promise<number> =>
  kinds.has('money') || kinds.has('reward') ? await countPostings(db, memberId, transferKinds(kinds), max * ENTRIES_PER_ROW) : 0

function belongTogether(one: StatementLine, other: StatementLine): boolean {
  if (one.postingId === other.postingId) return true
  return one.cause.type === 'reward_run' && other.cause.type === 'reward_run' && one.cause.id === other.cause.id
}

/** Returns true if the amount came from the same member's other wallet. */
const isInternal = (group: readonly StatementLine[], main: StatementLine): boolean =>
  main.amount > 0n && group.some((line) => line.asset === main.asset && line.amount < 0n)

function asRow(member: Member, group: readonly StatementLine[]): TimelineRow[] {
  // Shows the incoming entry of the row, or the outgoing entry if there is no incoming one.
  const main = group.find((line) => line.amount > 0n) ?? group[0]
  const last = group.at(-1)
  if (main === undefined || last === undefined) return []
  const same = group.filter((line) => line.asset === main.asset && line.amount > 0n)
  const reward = isReward(main.kind)
  const others = reward ? group.filter((line) => line.asset !== main.asset) : group.filter((line) => line !== main)
  const detail = [
    ...(main.cause.type === 'reward_run' ? [`run ${main.cause.id}`] : []),
    ...(reward && main.ruleVersion !== null ? [`programme version ${main.ruleVersion}`] : []),
    ...(reward ? [] : [walletName(main.wallet)]),
    ...others.map((line) => `${walletName(line.wallet)} ${line.amount > 0n ? '+' : ''}${roundedAmount(line.amount)}`),
  ]
  return [
    {
      position: last.transferId,
      at: main.at,
      kind: reward ? 'reward' : 'money',
      text: reward && same.length > 1 ? `Rewards, ${same.length} kinds` : wordsOf(main.kind),
      detail: detail.join(', '),
      amount: reward ? same.reduce((sum, line) => sum + line.amount, 0n) : main.amount,
      asset: main.asset === 'USD' ? 'usd' : 'coin',
      ...(isInternal(group, main) ? { isInternal: true } : {}),
      href: `/staff/ledger/${walletId(member.id, main.wallet)}/${main.transferId}`,
    },
  ]
}
