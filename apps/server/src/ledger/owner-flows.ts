import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { type AnySystemKind, accountOf, type Asset, walletId, walletKinds } from './chart-of-accounts.ts'

/** Sum that a member's wallets received from, or paid to, one kind of counterparty on a day. */
export interface OwnerFlow {
  /** UTC day, `YYYY-MM-DD`. */
  day: string
  asset: Asset
  /** Another member, or a system account. Movements between the member's own wallets are no flow. */
  counterparty: 'member' | AnySystemKind
  direction: 'in' | 'out'
  /** Units, above 0. */
  amount: Units
}

/**
 * Sums the flows of a member's seven wallets after a transfer. The function reads all later transfers, so the caller bounds the cost by the
 * choice of `afterId`.
 */
export async function ownerFlows(db: Db, ownerId: bigint, afterId: bigint): Promise<OwnerFlow[]> {
  const accounts = walletKinds.map((kind) => walletId(ownerId, kind))
  const { rows } = await sql<{ day: string; asset: Asset; other: bigint; direction: 'in' | 'out'; amount: bigint }>`
    select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, t.asset, t.direction,
      case when t.other > 0 then 0 else t.other / 100 * 100 end as other,
      sum(t.amount)::bigint as amount
    from unnest(${accounts}::bigint[]) w (account)
    cross join lateral (
      select created_at, asset, amount, debit_account as other, 'in' as direction
      from ledger_transfer where credit_account = w.account and id > ${afterId}
      union all
      select created_at, asset, amount, credit_account, 'out'
      from ledger_transfer where debit_account = w.account and id > ${afterId}) t
    where t.other < 0 or t.other / 16 <> ${ownerId}
    group by 1, 2, 3, 4`.execute(db)
  return rows.map(({ other, ...row }) => ({ ...row, counterparty: other === 0n ? 'member' : systemOf(other) }))
}

function systemOf(id: bigint): AnySystemKind {
  const account = accountOf(id)
  if (!('system' in account)) throw new Error(`account ${id} is not a system account`)
  return account.system
}
