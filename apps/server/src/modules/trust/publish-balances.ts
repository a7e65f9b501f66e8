import { randomBytes } from 'node:crypto'
import { LEAVES_PER_MEMBER, proofAssets, type ProofTree, type Sums } from '@tizara/contract/balance-proof/sum-tree'
import { verifySignatures } from '@tizara/contract/balance-proof/verify-signature'
import { digestOf, NO_DIGEST, type ProofStatement, type TreeRoot, writeStatement } from '@tizara/contract/balance-proof/proof-statement'
import { sql } from 'kysely'
import type { Lease } from '../../jobs/lease.ts'
import type { Tx } from '../../platform/db/database.ts'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { type BuiltTree, buildTree, CHUNK_BYTES, drawPositions, type TreeInput } from './build-tree.ts'
import type { Liabilities } from './liabilities.ts'
import { type DayFigures, memberColumns, readDay } from './read-members.ts'
import type { ReserveSource } from './reserve-source.ts'

/** Number of trees that are stored with their leaves, newest first. Statements are never deleted. */
const STORED_TREES = 3
/** Rows per insert. */
const INSERT_ROWS = 2_000
/** Interval of lease renewals while the trees are built, in ms. A lease lasts 60 seconds. */
const RENEW_MS = 15_000

/** Content of a statement without its number and the previous digest. */
type Content = Omit<ProofStatement, 'number' | 'previous'>

/**
 * Publishes the trees of all balances and liabilities once per UTC day, and signs each statement with the key of the hot wallet.
 * @returns 1 when a day was published or signed
 * @throws Error when the members' amounts do not add up to the liabilities of the ledger. The day is then not published
 */
export async function publishBalances(lease: Lease, deps: Deps, source: ReserveSource): Promise<number> {
  return (await publishDay(lease, deps, source)) + (await signNewest(lease, source))
}

async function publishDay(lease: Lease, deps: Deps, source: ReserveSource): Promise<number> {
  const at = deps.clock.now()
  const day = utcDay(at)
  const isPublished = await lease.read(async (db) => {
    const newest = await db.selectFrom('trust_statement').select('day').orderBy('number', 'desc').limit(1).executeTakeFirst()
    return newest !== undefined && newest.day >= day
  })
  if (isPublished) return 0
  const reserves = await source.read(lease, at)
  const figures = await lease.read(readDay)
  if (figures === undefined) return 0
  const unassigned = remainderOf(figures)
  const treeId = await beginTree(lease, at, figures.newestMember)
  const count = figures.members.publicIds.length
  const positions = { owed: drawPositions(count), promised: drawPositions(count) }
  await writeMembers(lease, treeId, figures, positions)
  const build = async (tree: ProofTree): Promise<TreeRoot> => {
    const built = await buildTree(inputOf(figures, { tree, day, unassigned, positions: positions[tree] }), renewal(lease))
    await writeNodes(lease, treeId, tree, built)
    return { leaves: built.leaves, root: built.root.hash, usd: built.root.usd, coin: built.root.coin }
  }
  const content: Content = {
    // Signatures of reserve addresses contain BRAND_NAME.
    platform: deps.config.reserveAddresses.length > 0 ? deps.config.brandName : deps.config.brand.name,
    day,
    at: at.toISOString(),
    members: count,
    // Builds the trees one after the other, because each needs up to 300 MB for a million members.
    owed: await build('owed'),
    promised: await build('promised'),
    unassigned,
    reserves,
  }
  assertTotals(content, figures.liabilities)
  await lease.inTransaction((tx) => publish(tx, treeId, content, figures))
  return 1
}

function inputOf(
  { members }: DayFigures,
  { tree, day, unassigned, positions }: { tree: ProofTree; day: string; unassigned: Sums; positions: Int32Array },
): TreeInput {
  const { publicIds, seeds } = members
  const shared = { tree, day, publicIds, seeds, positions, platformSalt: randomBytes(16).toString('hex') }
  return tree === 'owed'
    ? { ...shared, usd: members.owedUsd, coin: members.owedCoin, platform: { usd: 0n, coin: 0n } }
    : { ...shared, usd: members.promisedUsd, coin: members.promisedCoin, platform: unassigned }
}

/** Returns the liabilities that belong to no member yet. */
function remainderOf({ members, liabilities }: DayFigures): Sums {
  const sum = (column: BigInt64Array) => column.reduce((total, one) => total + one, 0n)
  const promised = (asset: string) => liabilities.find((one) => one.asset === asset)?.promised ?? 0n
  const rest = { usd: promised('usd') - sum(members.promisedUsd), coin: promised('coin') - sum(members.promisedCoin) }
  for (const asset of proofAssets)
    if (rest[asset] < 0n) throw new Error(`the liabilities of members exceed the ledger's by ${-rest[asset]} units of ${asset}`)
  return rest
}

/** Compares the roots of the trees with the totals of the ledger. Both must be equal to the unit. */
function assertTotals(content: Content, liabilities: readonly Liabilities[]): void {
  for (const { asset, owed, promised } of liabilities)
    for (const [tree, figure] of [
      ['owed', owed],
      ['promised', promised],
    ] as const)
      if (content[tree][asset] !== figure)
        throw new Error(`the tree of ${tree} ${asset} adds up to ${content[tree][asset]} units, the ledger to ${figure}`)
}

function renewal(lease: Lease): () => Promise<void> {
  let renewedAt = performance.now()
  return async () => {
    if (performance.now() - renewedAt < RENEW_MS) return
    await lease.inTransaction(() => Promise.resolve())
    renewedAt = performance.now()
  }
}

/** Starts a tree, and deletes trees that an earlier run did not complete. */
function beginTree(lease: Lease, at: Date, newestMember: bigint): Promise<bigint> {
  return lease.inTransaction(async (tx) => {
    await deleteTrees(tx, sql`id not in (select tree_id from trust_statement)`)
    const { id } = await tx
      .insertInto('trust_tree')
      .values({ begun_at: at, newest_member: newestMember })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

async function deleteTrees(tx: Tx, which: ReturnType<typeof sql>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  for (const table of ['trust_leaf', 'trust_node'] as const)
    await sql`delete from ${sql.table(table)} where tree_id in (select id from trust_tree where ${which})`.execute(tx)
  await sql`delete from trust_tree where ${which}`.execute(tx)
}

type Positions = Record<ProofTree, Int32Array>

async function writeMembers(lease: Lease, treeId: bigint, { members }: DayFigures, positions: Positions): Promise<void> {
  const count = members.ids.length
  for (let from = 0; from < count; from += INSERT_ROWS) {
    const to = Math.min(from + INSERT_ROWS, count)
    const columns = memberColumns.map((name) => sql`${[...members[name].subarray(from, to)]}::bigint[]`)
    const positionsOf = (tree: ProofTree) =>
      sql`(${[...positions[tree].subarray(from * LEAVES_PER_MEMBER, to * LEAVES_PER_MEMBER)]}::int[])`
    await lease.inTransaction((tx) =>
      sql`insert into trust_leaf (tree_id, member_id, owed_usd, owed_coin, promised_usd, promised_coin, wallet_usd, wallet_coin, wallet_version,
          seed, owed_positions, promised_positions)
        select ${treeId}::bigint, m.id, m.owed_usd, m.owed_coin, m.promised_usd, m.promised_coin, m.wallet_usd, m.wallet_coin, m.wallet_version,
          substring(${members.seeds.subarray(from * 32, to * 32)}::bytea from m.row::int * 32 - 31 for 32),
          ${positionsOf('owed')}[m.row * 4 - 3 : m.row * 4], ${positionsOf('promised')}[m.row * 4 - 3 : m.row * 4]
        from unnest(${[...members.ids.subarray(from, to)]}::bigint[], ${sql.join(columns)}) with ordinality
          m (id, owed_usd, owed_coin, promised_usd, promised_coin, wallet_usd, wallet_coin, wallet_version, row)`.execute(tx),
    )
  }
}

async function writeNodes(lease: Lease, treeId: bigint, tree: ProofTree, { levels }: BuiltTree): Promise<void> {
  for (const { level, nodes } of levels)
    for (let from = 0; from < nodes.length; from += INSERT_ROWS * CHUNK_BYTES) {
      const part = nodes.subarray(from, from + INSERT_ROWS * CHUNK_BYTES)
      await lease.inTransaction((tx) =>
        sql`insert into trust_node (tree_id, tree, level, chunk, nodes)
          select ${treeId}::bigint, ${tree}, ${level}::int, ${from / CHUNK_BYTES}::int + row, substring(${part}::bytea from row * ${CHUNK_BYTES}::int + 1 for ${CHUNK_BYTES}::int)
          from generate_series(0, ${Math.ceil(part.length / CHUNK_BYTES) - 1}::int) row`.execute(tx),
      )
    }
}

/** Appends the statement to the history and to the audit log, and deletes old trees. */
async function publish(tx: Tx, treeId: bigint, content: Content, { balanced, transfers }: DayFigures): Promise<void> {
  const before = await tx.selectFrom('trust_statement').select(['number', 'digest']).orderBy('number', 'desc').limit(1).executeTakeFirst()
  const number = (before?.number ?? 0) + 1
  const text = writeStatement({ ...content, number, previous: before?.digest ?? NO_DIGEST })
  // One invalid row would make verifiers reject the complete history.
  verifySignatures({ text, signer: null, signature: null })
  const digest = await digestOf(text)
  const { day } = content
  const at = new Date(content.at)
  await tx.insertInto('trust_statement').values({ number, day, at, tree_id: treeId, text, digest, balanced, transfers }).execute()
  await deleteTrees(tx, sql`id in (select tree_id from trust_statement where number <= ${number - STORED_TREES})`)
  await recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'trust.publish',
    subject: { type: 'proof', id: String(number) },
    outcome: 'ok',
    detail: { digest, text },
  })
}

/**
 * Signs the newest statement if it has no signature. A statement that was not signed on its day stays unsigned.
 * @throws ProofError for a signature that verifiers reject
 */
async function signNewest(lease: Lease, source: ReserveSource): Promise<number> {
  if (source.sign === undefined) return 0
  const newest = await lease.read((db) =>
    db
      .selectFrom('trust_statement as s')
      .leftJoin('trust_signature as g', 'g.number', 's.number')
      .select(['s.number', 's.text', 'g.signature'])
      .orderBy('s.number', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  if (newest === undefined || newest.signature !== null) return 0
  const { signer, signature } = await source.sign(newest.text)
  // After a change of the key, the statement contains the address of the old key and stays unsigned.
  verifySignatures({ text: newest.text, signer, signature })
  await lease.inTransaction((tx) => tx.insertInto('trust_signature').values({ number: newest.number, signer, signature }).execute())
  return 1
}
