import { sql } from 'kysely'
import type { Lease } from '../../jobs/lease.ts'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Number of snapshots kept with their leaves. */
const KEPT = 3

/** The hash algorithm, as the proof states it. */
export const ALGORITHM =
  'leaf = SHA-256 of the text; parent = SHA-256 of 64 bytes: left hash, then right hash; a last node without a neighbour goes up as it is'

/**
 * Builds a Merkle tree of all members' balances once per UTC day, so members can verify their inclusion. A leaf holds member id,
 * seven balances in units and a salt known to the member only.
 * @returns 1 when a tree was built
 */
export function takeSnapshot(lease: Lease, deps: Deps): Promise<number> {
  return lease.inTransaction(async (tx) => {
    const at = deps.clock.now()
    const day = utcDay(at)
    const newest = await tx.selectFrom('trust_snapshot').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst()
    if (newest !== undefined && newest.day >= day) return 0
    await sql`set local statement_timeout = 0`.execute(tx)
    const id = await insertSnapshot(tx, deps, day, at)
    await writeLeaves(tx, id)
    await buildLevels(tx, id)
    await forgetOld(tx, id)
    return 1
  })
}

async function insertSnapshot(tx: Tx, deps: Deps, day: string, at: Date): Promise<bigint> {
  const made = await sql<{ id: bigint }>`
    insert into trust_snapshot (public_id, day, at, root, members, levels, balanced, transfers, secret)
    select ${deps.ids.publicId()}, ${day}::date, ${at}, '', 0, 0,
      not exists (select 1 from ledger_account group by asset having sum(balance) <> 0), coalesce((select max(id) from ledger_transfer), 0), ${deps.ids.secret()}
    returning id`.execute(tx)
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('a snapshot without an id')
  return id
}

async function writeLeaves(tx: Tx, snapshot: bigint): Promise<void> {
  await sql`
    insert into trust_leaf (snapshot_id, member_id, position, leaf)
    select s.id, m.id, row_number() over (order by m.id) - 1,
      m.public_id || '|' || b.balances || '|' || encode(sha256(convert_to(s.secret || ':' || m.id, 'UTF8')), 'hex')
    from trust_snapshot s cross join member m
    join (select owner_id, string_agg(kind || '=' || balance, ',' order by id) as balances from ledger_account where owner_id is not null group by owner_id) b
      on b.owner_id = m.id
    where s.id = ${snapshot}`.execute(tx)
  await sql`
    insert into trust_node (snapshot_id, level, position, hash)
    select snapshot_id, 0, position, sha256(convert_to(leaf, 'UTF8')) from trust_leaf where snapshot_id = ${snapshot}`.execute(tx)
}

async function buildLevels(tx: Tx, snapshot: bigint): Promise<void> {
  for (let level = 0; ; level += 1) {
    const counted = await sql<{ nodes: bigint }>`
      select count(*) as nodes from trust_node where snapshot_id = ${snapshot} and level = ${level}`.execute(tx)
    if ((counted.rows[0]?.nodes ?? 0n) <= 1n) {
      await sql`
        update trust_snapshot s set levels = ${level}, members = (select count(*) from trust_leaf where snapshot_id = s.id),
          root = coalesce((select encode(hash, 'hex') from trust_node where snapshot_id = s.id and level = ${level} and position = 0), '')
        where s.id = ${snapshot}`.execute(tx)
      return
    }
    await sql`
      insert into trust_node (snapshot_id, level, position, hash)
      select l.snapshot_id, l.level + 1, l.position / 2, case when r.hash is null then l.hash else sha256(l.hash || r.hash) end
      from trust_node l left join trust_node r on r.snapshot_id = l.snapshot_id and r.level = l.level and r.position = l.position + 1
      where l.snapshot_id = ${snapshot} and l.level = ${level} and l.position % 2 = 0`.execute(tx)
  }
}

async function forgetOld(tx: Tx, snapshot: bigint): Promise<void> {
  for (const table of ['trust_leaf', 'trust_node'] as const) {
    await sql`delete from ${sql.table(table)} where snapshot_id in (
      select id from trust_snapshot where id <= ${snapshot} order by id desc offset ${KEPT} limit 10)`.execute(tx)
  }
}
