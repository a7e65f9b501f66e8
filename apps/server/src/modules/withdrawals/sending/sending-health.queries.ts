import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Automatic payout state. */
export interface SendingHealth {
  /** Hot wallets, the last opened or used first, with their next nonces. */
  wallets: { chainId: number; address: string; nextNonce: number }[]
  /** Payouts that are not final. */
  open: number
  /** Signing time of the oldest unmined payout. */
  oldestSignedAt: Date | null
  /** Problems of stuck payouts with the number of payouts, most frequent first. */
  problems: { problem: string; count: number }[]
  /** Unsigned payouts, by token, in its smallest unit. */
  waiting: { token: string; amount: bigint }[]
}

/** Returns the hot wallets, the last opened or used first. */
export async function hotWallets(db: Db): Promise<SendingHealth['wallets']> {
  const { rows } = await sql<SendingHealth['wallets'][number]>`
    select w.chain_id::int as "chainId", w.address, w.next_nonce::int as "nextNonce" from hot_wallet w
    order by greatest(w.opened_at, (
      select max(s.signed_at) from payout_sending s where s.chain_id = w.chain_id and s.wallet = w.address)) desc nulls last
    limit 20`.execute(db)
  return rows
}

/** Returns the state recorded by the sender, with at most ten different problems. */
export async function sendingHealth(db: Db): Promise<SendingHealth> {
  const sums = await sql<{ open: number; oldest: Date | null }>`
    select count(*)::int as open, min(signed_at) filter (where state = 'SIGNED') as oldest
    from payout_sending where state in ('QUEUED', 'SIGNED', 'MINED')`.execute(db)
  const problems = await sql<{ problem: string; count: number }>`
    select problem, count(*)::int as count from payout_sending
    where state in ('QUEUED', 'SIGNED', 'MINED') and problem is not null group by problem order by 2 desc, 1 limit 10`.execute(db)
  const waiting = await sql<{ token: string; amount: string }>`
    select token, sum(exact_amount)::text as amount from payout_sending where state = 'QUEUED' and kind not in ('COLD', 'PROCEEDS') group by token order by token`.execute(
    db,
  )
  return {
    wallets: await hotWallets(db),
    open: sums.rows[0]?.open ?? 0,
    oldestSignedAt: sums.rows[0]?.oldest ?? null,
    problems: problems.rows,
    waiting: waiting.rows.map(({ token, amount }) => ({ token, amount: BigInt(amount) })),
  }
}
