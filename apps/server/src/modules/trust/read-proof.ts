import { proofTrees } from '@tizara/contract/balance-proof/sum-tree'
import { readStatement } from '@tizara/contract/balance-proof/proof-statement'
import { type BalanceProof, PROOF_FORMAT } from '@tizara/contract/balance-proof/verify-proof'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { chunksOnPath, readPath, splitSums } from './build-tree.ts'

/**
 * Returns a member's proof for the newest published day: four leaves in each tree, and their paths.
 * @throws AppError NOT_FOUND when the newest trees do not include the member
 */
export async function readProof(db: Db, memberId: bigint): Promise<BalanceProof> {
  const ownLeaves = await sql<{
    tree_id: bigint
    text: string
    public_id: string
    seed: Buffer
    owed_usd: bigint
    owed_coin: bigint
    promised_usd: bigint
    promised_coin: bigint
    owed_positions: number[]
    promised_positions: number[]
  }>`select s.tree_id, s.text, m.public_id, l.seed, l.owed_usd, l.owed_coin, l.promised_usd, l.promised_coin, l.owed_positions, l.promised_positions
    from (select tree_id, text from trust_statement order by number desc limit 1) s
    join trust_leaf l on l.tree_id = s.tree_id and l.member_id = ${memberId} join member m on m.id = l.member_id`.execute(db)
  const [row] = ownLeaves.rows
  if (row === undefined) throw new AppError('NOT_FOUND')
  const statement = readStatement(row.text)
  const sums = {
    owed: { usd: row.owed_usd, coin: row.owed_coin, positions: row.owed_positions },
    promised: { usd: row.promised_usd, coin: row.promised_coin, positions: row.promised_positions },
  }
  const wanted = proofTrees.flatMap((tree) =>
    sums[tree].positions.flatMap((position) => chunksOnPath(position, statement[tree].leaves).map((chunk) => ({ tree, ...chunk }))),
  )
  // Paths meet below the root.
  const unique = [...new Map(wanted.map((one) => [`${one.tree} ${one.level} ${one.chunk}`, one])).values()]
  const stored = await readChunks(db, row.tree_id, unique)
  const leavesOf = (tree: (typeof proofTrees)[number]) =>
    splitSums(row.seed, tree, sums[tree]).map(({ usd, coin, salt }, part) => {
      const position = sums[tree].positions[part] ?? 0
      const path = readPath(position, statement[tree].leaves, (level, chunk) => chunkOf(stored, `${tree} ${level} ${chunk}`))
      return { position, usd: String(usd), coin: String(coin), salt, path }
    })
  return { format: PROOF_FORMAT, member: row.public_id, statement: row.text, owed: leavesOf('owed'), promised: leavesOf('promised') }
}

/** Reads stored rows by key, one at a time, because a join would read the whole tree while its statistics are old. */
async function readChunks(db: Db, treeId: bigint, wanted: readonly { tree: string; level: number; chunk: number }[]) {
  const { rows } = await sql<{ tree: string; level: number; chunk: number; nodes: Buffer }>`
    select w.tree, w.level, w.chunk, n.nodes
    from unnest(${wanted.map(({ tree }) => tree)}::text[], ${wanted.map(({ level }) => level)}::int[], ${wanted.map(({ chunk }) => chunk)}::int[])
      w (tree, level, chunk)
    cross join lateral (
      select nodes from trust_node k where k.tree_id = ${treeId} and k.tree = w.tree and k.level = w.level and k.chunk = w.chunk limit 1) n`.execute(
    db,
  )
  return new Map(rows.map((row) => [`${row.tree} ${row.level} ${row.chunk}`, Buffer.from(row.nodes)]))
}

function chunkOf(stored: ReadonlyMap<string, Buffer>, key: string): Buffer {
  const nodes = stored.get(key)
  if (nodes === undefined) throw new AppError('NOT_FOUND')
  return nodes
}
