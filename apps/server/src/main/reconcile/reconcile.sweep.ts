import { sql } from 'kysely'
import { type TokenAsset, walletNode } from '../../gateways/chain/index.ts'
import type { Lease } from '../../jobs/lease.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import { isRecent } from '../../platform/clock.ts'
import type { Deps } from '../../platform/deps.ts'
import { addressesAfter, BATCH, type Checked, compareAddresses, type Difference, noteDifferences } from './check-addresses.ts'
import { BOOKS, type Books, compareBooks } from './check-books.ts'
import { type CheckedWallets, compareReserves, readReserves } from './check-wallets.ts'

const EVERY_MS = 3_600_000
/** Batches of an hour: a house with more addresses is gone through in several hours. */
const BATCHES = 25

export interface Reconciled {
  chainId: number
  /** The tokens that come in, and those that go out. */
  tokens: readonly { asset: TokenAsset; token: string; decimals: number }[]
  /** As of `Books`. */
  told?: boolean
  paidTokens: readonly string[]
  rpcUrl: string
}

/**
 * Compares, each hour, the chain with the books: what stands at the addresses of invoices with what was seen and credited, the
 * ledger's accounts of money from and to outside with what came and went, and what left the hot wallet with its payouts. It changes no money; what differs is named to staff by the doctor.
 * @param now whether it looks at once, and not after an hour
 */
export function reconcileSweep(settings: Reconciled, { now = false } = {}): Sweep {
  const node = walletNode(settings.rpcUrl)
  const { chainId, tokens, paidTokens, told = false } = settings
  return {
    name: 'reconcile-chain',
    everySeconds: 30,
    async run(lease, deps) {
      const last = await lease.read((db) =>
        db.selectFrom('chain_check').selectAll().where('chain_id', '=', BigInt(chainId)).executeTakeFirst(),
      )
      if (!now && last !== undefined && isRecent(last.checked_at, deps.clock.now(), EVERY_MS)) return 0
      const addresses = tokens.map((token) => ({ chainId, ...token, node }))
      return reconcile(lease, deps, addresses, { chainId, tokens: paidTokens, node }, { chainId, tokens, told })
    },
  }
}

/**
 * One round of an hour. An end anywhere repeats a batch.
 * @returns how many addresses and wallets were compared
 * @throws NodeAway, NodeRefused
 */
async function reconcile(
  lease: Pick<Lease, 'read' | 'inTransaction'>,
  deps: Deps,
  checked: readonly Checked[],
  wallets: CheckedWallets,
  books: Books,
): Promise<number> {
  const reserves = await readReserves((look) => lease.read(look), wallets)
  await lease.inTransaction((tx) => compareReserves(tx, wallets.chainId, reserves, deps.clock.now()))
  const at = deps.clock.now()
  const differing = await lease.read((db) => compareBooks(db, books, at))
  await lease.inTransaction((tx) => noteDifferences(tx, BOOKS, differing, at))
  let compared = reserves.length
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const now = deps.clock.now()
    const place = await lease.read(placeOf)
    let known: Awaited<ReturnType<typeof addressesAfter>> = []
    const [found, subjects] = [[] as Difference[], [] as string[]]
    for (const token of checked) {
      known = await lease.read((db) => addressesAfter(db, token, place, now))
      found.push(...(await compareAddresses(token, known)))
      subjects.push(...known.map(({ address }) => `${address} ${token.asset}`))
    }
    // At the end it begins again with the first.
    const next = known.length < BATCH ? -1 : (known.at(-1)?.place ?? -1)
    await lease.inTransaction(async (tx) => {
      await noteDifferences(tx, subjects, found, now)
      await sql`
        insert into chain_check (chain_id, after_place, checked_at) values (${wallets.chainId}, ${next}, ${now})
        on conflict (chain_id) do update set after_place = excluded.after_place, checked_at = excluded.checked_at`.execute(tx)
    })
    compared += known.length
    if (next === -1) break
  }
  return compared

  async function placeOf(db: Parameters<Parameters<typeof lease.read>[0]>[0]): Promise<number> {
    const row = await db.selectFrom('chain_check').select('after_place').where('chain_id', '=', BigInt(wallets.chainId)).executeTakeFirst()
    return row?.after_place ?? -1
  }
}
