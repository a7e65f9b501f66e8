import { sql } from 'kysely'
import { type ChainSettings, type TokenAsset, tokensOf } from '../../gateways/chain/index.ts'
import type { Lease } from '../../jobs/lease.ts'
import type { Job } from '../../jobs/job.ts'
import { isRecent } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { addressesAfter, BATCH, type AddressCheck, compareAddresses, type Difference, recordDifferences } from './check-addresses.ts'
import { compareNativeCoin, nativeSubject } from './check-native-coin.ts'
import { BOOKS, type Books, checkpointOf as sumsOfBooks, compareBooks } from './check-books.ts'
import { type CheckedWallets, checkpointOf as sumsOfWallets, compareReserves, readReserves } from './check-wallets.ts'
import { compareReceipts } from './check-receipts.ts'
import { everySource } from './every-source.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'

const EVERY_MS = 3_600_000
/** Minimum batches of an hourly round, if there are so many addresses. */
const MIN_BATCHES = 25
/** Rounds within which each address is compared: those of a day. */
const ROUNDS = 24

/** Returns the batches of an hourly round, so that a day's rounds compare each address. */
export const batchesOf = (addresses: number): number => Math.max(MIN_BATCHES, Math.ceil(addresses / BATCH / ROUNDS))

export interface ReconciliationSettings {
  chainId: number
  /** Incoming tokens, and outgoing ones. */
  tokens: readonly { asset: TokenAsset; token: string; decimals: number }[]
  /** See `Books`. */
  hasDemoPayments?: boolean
  paidTokens: readonly string[]
  /** Ceilings of the hot wallet, by token, in its smallest unit. */
  ceilings?: ReadonlyMap<string, bigint> | undefined
  /** See `Checked`. */
  sweeps?: boolean
  rpcUrl: string
  secondRpcUrl?: string | undefined
}

/** Selects the tokens compared with the chain each hour: incoming and outgoing. */
export const reconciliationSettings = (
  { chainId, rpcUrl, secondRpcUrl, ...coins }: ChainSettings,
  paid: Iterable<string> = [],
  hasDemoPayments = false,
): ReconciliationSettings => ({
  chainId,
  hasDemoPayments,
  tokens: (['COIN', 'USD'] as const).flatMap((asset) => {
    const token = tokensOf(coins)[asset]
    return token === undefined ? [] : [{ asset, token: token.address, decimals: token.decimals }]
  }),
  rpcUrl,
  secondRpcUrl,
  paidTokens: [...paid],
})

/**
 * Builds the hourly job that compares chain and books: invoice addresses with credits, external ledger accounts with transfers, and
 * hot wallets with payouts. It changes no money; the doctor shows differences to staff.
 * @param now runs at once instead of after an hour
 * @param full adds up everything, and not only new rows
 */
export function reconcileJob(settings: ReconciliationSettings, { now = false, full = false } = {}): Job {
  const node = everySource([settings.rpcUrl, settings.secondRpcUrl])
  const { chainId, tokens, paidTokens, ceilings, hasDemoPayments = false, sweeps = false } = settings
  return {
    name: 'reconcile-chain',
    everySeconds: 30,
    group: 'reconcile',
    async run(lease, deps) {
      const last = await lease.read((db) =>
        db.selectFrom('chain_check').selectAll().where('chain_id', '=', BigInt(chainId)).executeTakeFirst(),
      )
      if (!now && last !== undefined && isRecent(last.checked_at, deps.clock.now(), EVERY_MS)) return 0
      const wallets = await reconcileWallets(lease, deps, { chainId, tokens: paidTokens, ceilings, node }, full)
      await reconcileBooks(lease, deps, { chainId, tokens, hasDemoPayments }, full)
      const addresses = await reconcileAddresses(
        lease,
        deps,
        tokens.map((token) => ({ chainId, ...token, node, sweeps })),
      )
      await reconcileReceipts(lease, deps, { chainId, nodes: node.nodes, after: last?.after_transfer ?? 0n })
      return wallets + addresses
    },
  }
}

type JobAccess = Pick<Lease, 'read' | 'inTransaction'>

/** @throws NodeUnavailable, NodeError */
async function reconcileWallets(lease: JobAccess, deps: Deps, wallets: CheckedWallets, full: boolean): Promise<number> {
  const [at, of] = [deps.clock.now(), sumsOfWallets(wallets)]
  const since = full ? undefined : await lease.read((db) => readCheckpoint(db, deps.config, of, at))
  const { reserves, checkpoint } = await readReserves((query) => lease.read(query), wallets, at, since)
  await lease.inTransaction(async (tx) => {
    await compareReserves(tx, wallets, reserves, deps.clock.now())
    await writeCheckpoint(tx, deps.config, of, checkpoint)
  })
  return reserves.length
}

async function reconcileBooks(lease: JobAccess, deps: Deps, books: Books, full: boolean): Promise<void> {
  const [at, of] = [deps.clock.now(), sumsOfBooks(books)]
  const since = full ? undefined : await lease.read((db) => readCheckpoint(db, deps.config, of, at))
  let compared = await lease.read((db) => compareBooks(db, books, at, since))
  // Confirms a difference from saved sums with a full comparison before reporting it.
  if (since !== undefined && compared.differences.length > 0) compared = await lease.read((db) => compareBooks(db, books, at))
  await lease.inTransaction(async (tx) => {
    await recordDifferences(tx, BOOKS, compared.differences, at)
    // Saves no checkpoint with demo data, because the saved sums would not contain the demo's past rows.
    if (!books.hasDemoPayments) await writeCheckpoint(tx, deps.config, of, compared.checkpoint)
  })
}

/** @throws NodeUnavailable, NodeError */
async function reconcileReceipts(lease: JobAccess, deps: Deps, checked: Parameters<typeof compareReceipts>[1]): Promise<void> {
  const now = deps.clock.now()
  const { subjects, found, last } = await compareReceipts((query) => lease.read(query), checked, now)
  if (subjects.length === 0) return
  await lease.inTransaction(async (tx) => {
    await recordDifferences(tx, subjects, found, now)
    await tx.updateTable('chain_check').set({ after_transfer: last }).where('chain_id', '=', BigInt(checked.chainId)).execute()
  })
}

/**
 * Compares the next addresses: the hourly part of all. A crash repeats at most one batch.
 * @returns the number of compared addresses
 * @throws NodeUnavailable, NodeError
 */
async function reconcileAddresses(lease: JobAccess, deps: Deps, checked: readonly AddressCheck[]): Promise<number> {
  const chainId = checked[0]?.chainId ?? 0
  const { count } = await lease.read((db) =>
    db
      .selectFrom('chain_address')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow(),
  )
  let compared = 0
  for (let batch = 0; batch < batchesOf(Number(count)); batch += 1) {
    const now = deps.clock.now()
    const index = await lease.read(lastKeyIndex)
    let known: Awaited<ReturnType<typeof addressesAfter>> = []
    const [found, subjects] = [[] as Difference[], [] as string[]]
    for (const token of checked) {
      known = await lease.read((db) => addressesAfter(db, token, index, now))
      found.push(...(await compareAddresses(token, known)))
      subjects.push(...known.map(({ address }) => `${address} ${token.asset}`))
    }
    const [token] = checked
    const addresses = known.map(({ address }) => address)
    if (token !== undefined) found.push(...(await compareNativeCoin((query) => lease.read(query), token, addresses)))
    subjects.push(...addresses.map(nativeSubject))
    // Restarts with the first address after the last.
    const next = known.length < BATCH ? -1 : (known.at(-1)?.keyIndex ?? -1)
    await lease.inTransaction(async (tx) => {
      await recordDifferences(tx, subjects, found, now)
      await sql`
        insert into chain_check (chain_id, after_key_index, checked_at) values (${chainId}, ${next}::bigint, ${now})
        on conflict (chain_id) do update set after_key_index = excluded.after_key_index, checked_at = excluded.checked_at`.execute(tx)
    })
    compared += known.length
    if (next === -1) break
  }
  return compared

  async function lastKeyIndex(db: Parameters<Parameters<typeof lease.read>[0]>[0]): Promise<number> {
    const row = await db.selectFrom('chain_check').select('after_key_index').where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
    return Number(row?.after_key_index ?? -1)
  }
}
