import { NFT_PLAN, NFT_PRICE, STAKE_PLAN } from './money-routes.ts'
import { ONE } from '@tizara/money'
import { WALLETS } from '../../apps/server/src/ledger/chart-of-accounts.ts'
import { openAccountsOf, postBatch, walletKinds } from '../../apps/server/src/ledger/index.ts'
import { createPorts } from '../../apps/server/src/main/ports.ts'
import { storyJobs } from '../../apps/server/src/main/jobs.ts'
import { runOnce } from '../../apps/server/src/jobs/run-worker.ts'
import { hashPassword } from '../../apps/server/src/modules/auth/index.ts'
import { setRewardPolicy } from '../../apps/server/src/modules/rewards/index.ts'
import { applySettings } from '../../apps/server/src/modules/settings/index.ts'
import { systemClock } from '../../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'
import { type Database, inTransaction } from '../../apps/server/src/platform/db/database.ts'
import type { Deps } from '../../apps/server/src/platform/runtime/deps.ts'
import { randomIds } from '../../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../../apps/server/src/platform/runtime/log.ts'

export const PASSWORD = 'violet-harbour-93'
export const emailOf = (member: number) => `member${member}@gmail.com`

/** Total initial balance per kind of wallet, over all senders; more than any round uses. The sum over all kinds is below the supply of coin. */
const FUNDS = { USD: 640_000_000n * ONE, COIN: 1_280_000_000n * ONE }
/**
 * Number of members who send in turn on one connection. With one member per connection, a round would exceed the daily number of payouts
 * per member.
 */
export const SENDERS_PER_CONNECTION = 8
/** Number of leaders in a chain above all senders, so that a sale has five levels and its full cost. */
export const LEADERS = 5

export const instanceDeps = (): Deps => ({
  config: readConfig({ NODE_ENV: 'test' }),
  clock: systemClock,
  ids: randomIds,
  log: createLog('silent'),
})

/** Creates members and products. Each sender has money in every wallet and five leaders in the upline. */
export async function fill(database: Database, members: number, senders: readonly number[]): Promise<void> {
  const at = systemClock.now()
  await database.pool.query(
    `insert into member (public_id, name, email, phone, password_hash, is_verified, is_special_rcm, referral_code, sponsor_id, created_at, updated_at)
     select 'member-' || n, 'Member ' || n, 'member' || n || '@gmail.com', '+12025550143', $2, true, true, 'CODE' || n,
       case when n = any ($4::int[]) then $5::int when n between 2 and $5::int then n - 1 end, $3, $3
     from generate_series(1, $1::int) n order by n`,
    [members, await hashPassword(PASSWORD), at, senders, LEADERS],
  )
  const owners = Array.from({ length: members }, (_, index) => BigInt(index + 1))
  for (let start = 0; start < members; start += 1_000) await openAccountsOf(database.db, owners.slice(start, start + 1_000))
  // The stake wallet gets its balance from stakes.
  for (const kind of walletKinds)
    if (kind !== 'stakeWallet') await fundAll(database, senders, kind, at, FUNDS[WALLETS[kind].asset] / BigInt(senders.length))
  const funds = {
    from: { system: 'SYS-OPERATOR', asset: 'USD' },
    to: { system: 'SYS-SALES', asset: 'USD' },
    amount: FUNDS.USD * 16n,
  } as const
  await postBatch(database.db, [{ kind: 'testFunds', cause: { type: 'test', id: '0' }, at, transfers: [funds] }])
  await createProducts(database, at)
  await database.pool.query('vacuum analyze')
}

/** Gives members money in one wallet each. */
export async function fundAll(
  database: Database,
  senders: readonly number[],
  kind: (typeof walletKinds)[number],
  at: Date,
  amount: bigint,
): Promise<void> {
  const { asset } = WALLETS[kind]
  await postBatch(
    database.db,
    senders.map((sender) => ({
      kind: 'testFunds',
      cause: { type: 'test', id: '0' },
      at,
      transfers: [
        {
          from: { system: asset === 'USD' ? ('SYS-DEPOSIT' as const) : ('SYS-COIN' as const), asset },
          to: { owner: BigInt(sender), kind },
          amount,
        },
      ],
    })),
  )
}

/** Adds a plan, an NFT of each kind and coverage for rewards, and sets limits for the benchmark. */
async function createProducts(database: Database, at: Date): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    await tx
      .insertInto('stake_plan')
      .values({
        public_id: STAKE_PLAN.planId,
        name: STAKE_PLAN.planName,
        duration_days: STAKE_PLAN.duration,
        minimum: ONE,
        apy: BigInt(STAKE_PLAN.apy) * ONE,
        is_omega: false,
        status: 'ACTIVE',
        created_at: at,
      })
      .execute()
    for (const [kind, id] of Object.entries(NFT_PLAN)) {
      const terms = { name: kind, price: NFT_PRICE, duration_months: 12, total_percent: 12n * ONE, status: 'ACTIVE', created_at: at }
      await tx
        .insertInto('nft')
        .values({ public_id: id, kind, ...terms })
        .execute()
    }
    await tx.updateTable('nft_supply').set({ cap: 2_000_000_000 }).execute()
    await applySettings(tx, instanceDeps(), {
      // The exchange limit is tiny, so that each exchange moves nearly the same amount.
      changes: { exchangeLimit: 40n, payoutDayCount: 1000, unconfirmedTransferDayUsd: 10n ** 17n, payoutDayUsd: 10n ** 17n },
      actorId: null,
      reason: 'bench',
    })
    const committed = { COIN: 10_000_000_000n * ONE, USD: 10_000_000_000n * ONE }
    await setRewardPolicy(tx, { committed, at, by: null, reason: 'bench' })
  })
}

/** Runs the worker's jobs before the next round. */
export async function catchUp(database: Database): Promise<void> {
  const own = instanceDeps()
  await runOnce(database.db, own, storyJobs(createPorts(own.config, 'http://127.0.0.1:9')))
  // Moves earlier payouts to another day, because a round would otherwise reach the limits of a day.
  await database.pool.query(
    `update payout_request set created_at = created_at - interval '25 hours' where created_at > now() - interval '25 hours'`,
  )
  // Removes the row versions before this update, which a real instance would not have.
  await database.pool.query('vacuum payout_request')
}
