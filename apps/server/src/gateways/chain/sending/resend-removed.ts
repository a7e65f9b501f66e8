import { sql } from 'kysely'
import { recordIncident } from '../incidents.ts'
import type { Worker } from './outbox.ts'

/** Completed transaction that left the chain. */
export interface Removed {
  hash: string
  nonce: number
  block: number
}

/**
 * Reports completed transactions that a reorg deeper than finality removed, each once, as one incident, and sends them again
 * (docs/decisions/0034-reorg-checks-of-payouts.md). Without them, the chain mines no later transaction of the wallet.
 * @param lineOf text of a transaction in the incident
 * @param rawOf transaction to send; called only if sending is allowed
 * @param maySend false during an emergency pause
 * @returns the number of sent transactions
 * @throws NodeUnavailable, NodeError
 */
export async function resendRemoved<T extends Removed>(
  { lease, deps, node }: Worker,
  removed: readonly T[],
  {
    kind,
    lineOf,
    rawOf,
    maySend,
  }: { kind: 'PAYOUT_GONE' | 'SWEEP_GONE'; lineOf(one: T): string; rawOf(one: T): Promise<string>; maySend: boolean },
): Promise<number> {
  if (removed.length === 0) return 0
  const ordered = removed.toSorted((one, other) => one.nonce - other.nonce)
  deps.log.error({ kind, lost: ordered.map(({ hash }) => hash) }, 'final transactions disappeared from the chain')
  const lines = ordered.map(lineOf)
  await lease.inTransaction(async (tx) => {
    const { rows } = await sql<{ line: string }>`
      select line from unnest(${lines}::text[]) with ordinality l (line, place)
      where not exists (select from chain_incident where kind = ${kind} and transfers ? line) order by place`.execute(tx)
    if (rows.length === 0) return
    const from = Math.min(...ordered.map(({ block }) => block))
    await recordIncident(tx, { kind, at: deps.clock.now(), from, transfers: rows.map(({ line }) => line) })
  })
  if (!maySend) return 0
  const raws: string[] = []
  for (const one of ordered) raws.push(await rawOf(one))
  await node.send(raws)
  return raws.length
}
