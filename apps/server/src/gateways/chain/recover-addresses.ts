import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Watch } from './chain-watch.types.ts'
import { keyIndexOf } from './deposit-address.ts'

/** Maximum hours per run. */
const HOURS = 10
/** Number of addresses that are derived before other events are processed. One address takes about 3 ms. */
const ADDRESSES_PER_TURN = 20

interface Recovery {
  id: bigint
  next: number
  last: number
}

/**
 * Derives addresses from the hours that this database may have lost, and stores them without an invoice. An hour ends after a full
 * gap of unused addresses. The watcher then reports payments to them for a decision by two people.
 * @returns true if the recovery is complete; the watcher reads no block before
 * @throws NodeUnavailable, NodeError
 */
export async function recoverAddresses(watch: Watch): Promise<boolean> {
  for (let done = 0; ; done += 1) {
    const open = await watch.lease.read(openRecovery)
    if (open === undefined) return true
    if (done === HOURS) return false
    await recoverHour(watch, open)
  }
}

async function openRecovery(db: Db): Promise<Recovery | undefined> {
  const { rows } = await sql<Recovery>`
    select id, next_generation as next, last_generation as last from chain_address_recovery where ended_at is null order by id limit 1`.execute(
    db,
  )
  return rows[0]
}

async function recoverHour(watch: Watch, { id, next: generation, last }: Recovery): Promise<void> {
  const { lease, deps, node, tokens, addressAt, addressGap } = watch
  const contracts = tokens.map(({ address }) => address)
  const derived: { address: string; keyIndex: number }[] = []
  let index = (await lease.read((db) => lastKnownIndex(db, generation))) + 1
  for (let end = index + addressGap; index < end;) {
    const some: typeof derived = []
    for (; index < end && some.length < ADDRESSES_PER_TURN; index += 1) {
      const keyIndex = keyIndexOf(generation, index)
      some.push({ address: addressAt(keyIndex), keyIndex })
    }
    const used = await node.used(
      contracts,
      some.map(({ address }) => address),
    )
    const lastUsed = used.lastIndexOf(true)
    if (lastUsed >= 0) end = index - some.length + lastUsed + 1 + addressGap
    derived.push(...some)
    await setImmediate()
  }
  await lease.inTransaction(async (tx) => {
    await sql`
      insert into chain_address (address, key_index)
      select * from unnest(${derived.map(({ address }) => address)}::text[], ${derived.map(({ keyIndex }) => keyIndex)}::bigint[])
      on conflict do nothing`.execute(tx)
    await sql`
      update chain_address_recovery set next_generation = ${generation + 1}, ended_at = ${generation >= last ? deps.clock.now() : null}
      where id = ${id} and next_generation = ${generation}`.execute(tx)
  })
}

/** Returns the last index of an hour assigned to an invoice, or -1. */
async function lastKnownIndex(db: Db, generation: number): Promise<number> {
  const [from, to] = [keyIndexOf(generation, 0), keyIndexOf(generation + 1, 0)]
  const { rows } = await sql<{ index: number | null }>`
    select (max(key_index) - ${from}::bigint)::int as index from chain_address
    where key_index >= ${from}::bigint and key_index < ${to}::bigint and invoice_id is not null`.execute(db)
  return rows[0]?.index ?? -1
}
