import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import { type Asset, currentPause, isRejected, lockFreeBudget, postBatch, rejectionError } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordEvents } from '../../notices/index.ts'
import { INSTANT_PROPERTIES, type InstantKind } from '../programme/rewards.rules.ts'
import { addPaidToMonth } from './earned.ts'
import { releasePendingLiabilities } from '../pool/liabilities.ts'
import { moveCounters } from './reward-counters.ts'

/** Rewards released per transaction. */
const BATCH = 500

/** Returns the moment through which pending rewards may be released, at most `now`. */
type ReleasableThrough = (tx: Tx, now: Date) => Promise<Date>

interface DueReward {
  id: bigint
  kind: InstantKind
  beneficiary_id: bigint
  amount: bigint
  status: 'held' | 'owed'
  programme_version: number
  in_counters: boolean
  releaseAt: Date
}

/**
 * Pays due pending rewards (MF-17, MF-18, MF-20, MF-22) in order of release while the pool has enough. The other due rewards become owed,
 * and are paid first after the pool gets money. A level reward also waits until a run has counted the stake's last day or the NFT's first
 * month, so that no payment comes before its cause. Rewards are released only up to the days that runs may pay, so a clock that jumped
 * ahead releases nothing. Rewards of blocked or unverified members wait.
 * @returns the number of rewards that were paid or became owed
 */
export async function releaseRewards(lease: Lease, deps: Deps, releasableThrough: ReleasableThrough): Promise<number> {
  if ((await lease.read(currentPause)) !== undefined) return 0
  const release = (asset: Asset) => lease.untilDone((tx) => releaseBatch(tx, asset, deps.clock.now(), releasableThrough))
  return (await release('COIN')) + (await release('USD'))
}

async function releaseBatch(tx: Tx, asset: Asset, now: Date, releasableThrough: ReleasableThrough): Promise<Batch> {
  const through = await releasableThrough(tx, now)
  const found = await sql<DueReward>`
    select i.id, i.kind, i.beneficiary_id, i.amount - i.reversed as amount, i.status, i.programme_version, i.in_counters, i.release_at as "releaseAt"
    from reward_instant i join member m on m.id = i.beneficiary_id
    where i.status in ('held', 'owed') and i.release_at <= ${through} and i.asset = ${asset} and m.is_verified and m.is_active
      and (i.status = 'owed' or i.is_liability)
      and (i.status = 'owed' or i.cause_type <> 'source' or exists (select from reward_source s
        where s.id = i.cause_id and s.processed >= case s.stream when 2 then 1 else s.steps end))
    order by i.release_at, i.id limit ${BATCH} for update of i`.execute(tx)
  if (found.rows.length === 0) return { done: 0, more: false }
  const pool = await lockFreeBudget(tx, asset)
  let running = 0n
  const covered = found.rows.filter((row) => (running += row.amount) <= pool)
  await pay(tx, covered, now)
  const short = found.rows.slice(covered.length)
  const newlyOwed = short.filter((row) => row.status === 'held')
  await mark(tx, newlyOwed, 'owed')
  await releasePendingLiabilities(
    tx,
    [...covered, ...newlyOwed].filter((row) => row.status === 'held'),
  )
  return { done: covered.length + newlyOwed.length, more: short.length === 0 && found.rows.length === BATCH }
}

async function pay(tx: Tx, rewards: readonly DueReward[], at: Date): Promise<void> {
  if (rewards.length === 0) return
  const results = await postBatch(
    tx,
    rewards.map((row) => {
      const properties = INSTANT_PROPERTIES[row.kind]
      return {
        kind: properties.transferKind,
        cause: { type: 'reward_instant', id: String(row.id) },
        at,
        ruleVersion: row.programme_version,
        transfers: [
          {
            from: { system: 'SYS-REWARD' as const, asset: properties.asset },
            to: { owner: row.beneficiary_id, kind: properties.wallet },
            amount: row.amount,
          },
        ],
      }
    }),
  )
  const transfers = results.map((result) => {
    if (isRejected(result)) throw rejectionError(result)
    return result.transfers[0]?.id ?? null
  })
  await sql`update reward_instant i set transfer_id = n.transfer_id, settled_at = ${at}
    from unnest(${rewards.map((row) => row.id)}::bigint[], ${transfers}::bigint[]) n (id, transfer_id) where i.id = n.id`.execute(tx)
  await addPaidToMonth(
    tx,
    at,
    rewards.map((row) => ({ memberId: row.beneficiary_id, kind: row.kind, amount: row.amount })),
  )
  await recordEvents(
    tx,
    at,
    rewards.map((row, index) => {
      const { asset, transferKind } = INSTANT_PROPERTIES[row.kind]
      const transfer = String(transfers[index])
      return {
        memberId: row.beneficiary_id,
        event: 'reward',
        cause: transfer,
        amount: row.amount,
        asset: asset === 'USD' ? 'usd' : 'coin',
        facts: { reward: transferKind, transfer },
      }
    }),
  )
  await mark(tx, rewards, 'paid')
}

async function mark(tx: Tx, rewards: readonly DueReward[], status: 'paid' | 'owed'): Promise<void> {
  if (rewards.length === 0) return
  const ids = rewards.map((row) => row.id)
  const changed = await sql<{ id: bigint; beneficiary_id: bigint; kind: string; amount: bigint; in_counters: boolean }>`
    update reward_instant set status = ${status} where id = any (${ids}::bigint[]) returning id, beneficiary_id, kind, amount, in_counters`.execute(
    tx,
  )
  const was = new Map(rewards.map((row) => [row.id, row.status]))
  await moveCounters(
    tx,
    changed.rows
      .filter((row) => row.in_counters)
      .map((row) => ({ memberId: row.beneficiary_id, kind: row.kind, from: was.get(row.id) ?? 'held', to: status, amount: row.amount })),
  )
}
