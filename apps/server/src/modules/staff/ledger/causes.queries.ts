import { formatUnits } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import type { Receipt } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { maskedAddressSql } from '../access/masked-address.ts'

type Cause = Receipt['cause']

/** Text for a row that caused transfers. `next` refers to its own cause. */
export interface FoundCause {
  text: string
  detail?: string | undefined
  at?: Date | undefined
  memberId?: bigint | undefined
  href?: string | undefined
  next?: { type: string; id: string } | undefined
}

interface FactRow {
  type: string
  id: string
  what: string
  detail: string | null
  at: Date
  member_id: bigint | null
  amount: bigint | null
  rate: bigint | null
  next_type: string | null
  next_id: string | null
}

type Rows = RawBuilder<FactRow>
const NO_NEXT = sql`null::text as next_type, null::text as next_id`
const NO_FIGURES = sql`null::bigint as member_id, null::bigint as amount, null::bigint as rate`

/** Queries for each cause type's rows, by the ids in the transfers. */
const FACTS: Readonly<Record<string, (ids: readonly string[]) => Rows>> = {
  coin_purchase: (ids) => sql`
    select 'coin_purchase' as type, public_id as id, 'Coin purchase' as what, null::text as detail, created_at as at, member_id,
      charged as amount, coin_price as rate, ${NO_NEXT} from coin_purchase where public_id = any(${ids}::text[])`,
  stake: (ids) => sql`
    select 'stake' as type, public_id as id, 'Stake' as what, 'in ' || plan_name as detail, started_at as at, member_id, amount,
      null::bigint as rate, ${NO_NEXT} from stake where public_id = any(${ids}::text[])`,
  nft_purchase: (ids) => sql`
    select 'nft_purchase' as type, public_id as id, 'NFT' as what, name as detail, purchased_at as at, member_id, paid_amount as amount,
      null::bigint as rate, ${NO_NEXT} from nft_purchase where public_id = any(${ids}::text[])`,
  deposit: (ids) => sql`
    select 'deposit' as type, public_id as id, 'Deposit' as what, description || ', ' || method as detail, coalesce(decided_at, created_at) as at,
      member_id, amount, null::bigint as rate, ${NO_NEXT} from deposit where public_id = any(${ids}::text[])`,
  payout_request: (ids) => sql`
    select 'payout_request' as type, public_id as id, case kind when 'withdrawal' then 'Withdrawal' when 'bridge' then 'Bridge' else 'Transfer' end as what,
      lower(status) || ', to ' || ${maskedAddressSql(sql`address`)} as detail, created_at as at, member_id, amount, null::bigint as rate, ${NO_NEXT}
    from payout_request where public_id = any(${ids}::text[])`,
  network_cost: (ids) => sql`
    select 'network_cost' as type, hash as id, 'Network cost' as what,
      wei || ' wei for ' || case source when 'PAYOUT' then 'a payout' when 'MOVE' then 'a transfer of the platform' else 'a transaction without a payout' end || ', ' || hash as detail,
      booked_at as at, null::bigint as member_id, usd as amount, price as rate, ${NO_NEXT}
    from network_cost where hash = any(${ids}::text[])`,
  payment_return: (ids) => sql`
    select 'payment_return' as type, public_id as id, 'Returned payment' as what, 'to ' || ${maskedAddressSql(sql`address`)} as detail,
      created_at as at, member_id, amount, null::bigint as rate, 'deposit' as next_type, deposit as next_id
    from payment_return where public_id = any(${ids}::text[])`,
  proceeds_payout: (ids) => sql`
    select 'proceeds_payout' as type, public_id as id, 'Proceeds of sales' as what, 'to ' || ${maskedAddressSql(sql`address`)} as detail,
      created_at as at, null::bigint as member_id, amount, null::bigint as rate, ${NO_NEXT}
    from proceeds_payout where public_id = any(${ids}::text[])`,
  reward_instant: (ids) => sql`
    select 'reward_instant' as type, id::text, 'Reward, ' || kind as what,
      'programme ' || programme_version || case when level > 0 then ', level ' || level else '' end || coalesce(', for ' || rank, '') as detail,
      created_at as at, beneficiary_id as member_id, base as amount, percent as rate,
      case when cause_type in ('coin_purchase', 'source') then cause_type end as next_type, cause_public_id as next_id
    from reward_instant where id = any(${ids.map(digits)}::bigint[])`,
  reward_run: (ids) => sql`
    select 'reward_run' as type, id::text, 'Reward run' as what, 'of ' || day || case when by_hand then ', by hand' else '' end as detail,
      started_at as at, ${NO_FIGURES}, ${NO_NEXT} from reward_run where id = any(${ids.map(digits)}::bigint[])`,
  reversal: (ids) => sql`
    select 'reversal' as type, proposal_id as id, 'Reversal' as what, 'of transfer ' || reverses || ', by two of staff' as detail,
      created_at as at, ${NO_FIGURES}, ${NO_NEXT} from ledger_reversal where proposal_id = any(${ids}::text[])`,
}

/** Tables for each cause type. A reward source is a stake or an NFT purchase. */
const TABLES: Readonly<Record<string, readonly string[]>> = { source: ['stake', 'nft_purchase'] }
const tablesOf = (type: string): readonly string[] => TABLES[type] ?? [type]

/** Console path for each cause type. A member's rows appear on the member's page. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  deposit: (id) => `/staff/deposits/${id}`,
  payout_request: (id) => `/staff/payouts/${id}`,
  reward_run: () => '/staff/rewards',
  rcm_credit: (id) => `/staff/audit?q=${id}`,
  reward_pool: (id) => `/staff/audit?q=${id}`,
  reversal: (id) => `/staff/changes/${id}`,
}

const WORDS: Readonly<Record<string, string>> = {
  rcm_credit: 'Credit by staff',
  reward_pool: 'Funding of the reward pool by staff',
  wallet_exchange: 'Exchange by the member',
  member: 'Requested by the member',
  setting: 'Requested by the member, at the configured rates',
  supply: 'The supply, issued once',
  reversal: 'Reversal by two staff members',
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

/** Describes the causes of transfers in one statement. A deleted row, or a type without rows, has a general text. */
export async function findCauses(db: Db, causes: readonly Cause[]): Promise<FoundCause[]> {
  const byTable = Map.groupBy(
    causes.flatMap(({ type, id }) => tablesOf(type).map((table) => ({ table, id }))),
    ({ table }) => table,
  )
  const parts = [...byTable].flatMap(([table, rows]) => FACTS[table]?.(rows.map(({ id }) => id)) ?? [])
  const { rows } = parts.length === 0 ? { rows: [] } : await sql<FactRow>`${sql.join(parts, sql` union all `)}`.execute(db)
  return causes.map(({ type, id }) =>
    asCause(
      { type, id },
      rows.find((row) => row.id === id && tablesOf(type).includes(row.type)),
    ),
  )
}

function asCause({ type, id }: Cause, row: FactRow | undefined): FoundCause {
  const href = PAGES[type]?.(id)
  if (row === undefined) return { text: WORDS[type] ?? type.replaceAll('_', ' '), href }
  const { next_type, next_id } = row
  return {
    text: row.what,
    detail: factDetail(row),
    at: row.at,
    memberId: row.member_id ?? undefined,
    href,
    next: next_type === null || next_id === null ? undefined : { type: next_type, id: next_id },
  }
}
