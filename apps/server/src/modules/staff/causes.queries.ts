import { formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** A row that caused transfers, in words; what it rests on itself comes as `next`. */
export interface FoundCause {
  text: string
  detail?: string | undefined
  at?: Date | undefined
  memberId?: bigint | undefined
  href?: string | undefined
  next?: { type: string; id: string } | undefined
}

interface FactRow {
  what: string
  detail: string | null
  at: Date
  member_id: bigint | null
  amount: bigint | null
  rate: bigint | null
  next_type: string | null
  next_id: string | null
}

/** One query per type of cause: the fact by the id that the transfer names. */
const FACTS: Readonly<Record<string, (id: string) => ReturnType<typeof sql<FactRow>>>> = {
  coin_purchase: (id) => sql<FactRow>`
    select 'Coin purchase' as what, null as detail, created_at as at, member_id, charged as amount, coin_price as rate, null as next_type, null as next_id
    from coin_purchase where public_id = ${id}`,
  stake: (id) => sql<FactRow>`
    select 'Stake' as what, 'in ' || plan_name as detail, started_at as at, member_id, amount, null as rate, null as next_type, null as next_id
    from stake where public_id = ${id}`,
  nft_purchase: (id) => sql<FactRow>`
    select 'NFT' as what, name as detail, purchased_at as at, member_id, paid_amount as amount, null as rate, null as next_type, null as next_id
    from nft_purchase where public_id = ${id}`,
  deposit: (id) => sql<FactRow>`
    select 'Deposit' as what, description || ', ' || way as detail, coalesce(decided_at, created_at) as at, member_id, amount, null as rate, null as next_type, null as next_id
    from deposit where public_id = ${id}`,
  payout_request: (id) => sql<FactRow>`
    select case kind when 'withdrawal' then 'Withdrawal' else 'Bridge' end as what, lower(status) || ', to ' || address as detail, created_at as at, member_id, amount,
      null as rate, null as next_type, null as next_id
    from payout_request where public_id = ${id}`,
  reward_instant: (id) => sql<FactRow>`
    select 'Reward, ' || kind as what,
      'programme ' || programme_version || case when level > 0 then ', level ' || level else '' end || coalesce(', for ' || rank, '') as detail,
      created_at as at, beneficiary_id as member_id, base as amount, percent as rate,
      case when cause_type = 'coin_purchase' then 'coin_purchase' when cause_type = 'source' then 'source' end as next_type, cause_public_id as next_id
    from reward_instant where id = ${digits(id)}`,
  reward_run: (id) => sql<FactRow>`
    select 'Reward run' as what, 'of ' || day || case when by_hand then ', by hand' else '' end as detail, started_at as at, null::bigint as member_id, null::bigint as amount,
      null::bigint as rate, null as next_type, null as next_id
    from reward_run where id = ${digits(id)}`,
}

/** Where staff see the rows of a type; a member's own rows stand with the member. */
const PLACES: Readonly<Record<string, (id: string) => string>> = {
  deposit: (id) => `/staff/deposits/${id}`,
  payout_request: (id) => `/staff/payouts/${id}`,
  reward_run: () => '/staff/rewards',
  rcm_credit: (id) => `/staff/audit?q=${id}`,
  reward_pool: (id) => `/staff/audit?q=${id}`,
}

const WORDS: Readonly<Record<string, string>> = {
  rcm_credit: 'Credit by staff',
  reward_pool: 'Funding of the reward pool by staff',
  wallet_exchange: 'Exchange by the member',
  member: 'Asked for by the member',
  setting: 'Asked for by the member, at the rates of the settings',
  supply: 'The supply, issued once',
  reversal: 'Reversal by two of staff',
}

const digits = (id: string): bigint => (/^\d{1,18}$/.test(id) ? BigInt(id) : -1n)

function factDetail({ detail, amount, rate, what }: FactRow): string | undefined {
  const parts = [
    amount === null ? undefined : formatUnits(amount),
    rate === null ? undefined : what.startsWith('Reward') ? `${formatUnits(rate)} %` : `at ${formatUnits(rate)}`,
    detail ?? undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** What a transfer's cause is; a row that is gone, or a type without rows, still has its words. */
export async function findCause(db: Db, type: string, id: string): Promise<FoundCause> {
  const place = PLACES[type]?.(id)
  const known = type === 'source' ? await findSource(db, id) : { type, row: (await FACTS[type]?.(id).execute(db))?.rows[0] }
  const { row } = known
  if (row === undefined) return { text: WORDS[type] ?? type.replaceAll('_', ' '), href: place }
  const { next_type, next_id } = row
  return {
    text: row.what,
    detail: factDetail(row),
    at: row.at,
    memberId: row.member_id ?? undefined,
    href: place,
    next: next_type === null || next_id === null ? undefined : { type: next_type, id: next_id },
  }
}

/** A source of rewards is a stake or an NFT. */
async function findSource(db: Db, id: string) {
  for (const type of ['stake', 'nft_purchase'] as const) {
    const row = (await FACTS[type]?.(id).execute(db))?.rows[0]
    if (row !== undefined) return { type, row }
  }
  return { type: 'source', row: undefined }
}
