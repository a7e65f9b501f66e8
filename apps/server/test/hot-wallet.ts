import { ONE, parseUnits } from '@tizara/money'
import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import { CHAIN, COIN, USD } from './sent-payouts.ts'
import { post } from '../src/ledger/index.ts'
import { queueColdMove } from '../src/modules/withdrawals/index.ts'
import { inTransaction } from '../src/platform/db/database.ts'

/** Cold address of the test settings. */
export const COLD = `0x${'cd'.repeat(20)}`
/** Proceeds address of the test settings. */
export const OPERATOR = `0x${'0b'.repeat(20)}`
const WALLET = `0x${'aa'.repeat(20)}`
const exact = (amount: string) => String((parseUnits(amount) ?? 0n) * 10n ** 10n)

/**
 * Gives a test app automatic payouts, a hot wallet with 5,000 USD and 5,000 coin, ceilings of 1,000, and a cold address. Ends earlier
 * cold moves, because an asset has one open move.
 */
export async function openHotWallet({ db, deps, clock }: TestApp): Promise<void> {
  const token = (address = '') => ({ token: address, decimals: 18, ceiling: 1_000 })
  Object.assign(deps.config, {
    chain: { ...deps.config.chain, chainId: CHAIN },
    payouts: { coin: token(COIN), usd: token(USD), maxGasGwei: 20, inFlight: 16, hourUsd: 20_000, hourCoin: 500_000 },
    reserveAddresses: [{ address: COLD, signature: '0x' }],
    proceedsAddresses: [{ address: OPERATOR, signature: '0x' }],
  })
  const now = clock.now()
  await sql`update payout_sending set state = 'CANCELLED', cancel_asked_at = ${now}, ended_at = ${now}
    where kind = 'COLD' and ended_at is null`.execute(db)
  await sql`insert into hot_wallet (chain_id, address, next_nonce) values (${CHAIN}, ${WALLET}, 0) on conflict do nothing`.execute(db)
  for (const one of [COIN, USD])
    await sql`
      insert into chain_reserve (chain_id, wallet, token, balance, paid, seen_at, ceiling, above_since)
      values (${CHAIN}, ${WALLET}, ${one}, ${exact('5000')}::numeric, 0, ${now}, ${exact('1000')}::numeric, ${now})
      on conflict do nothing`.execute(db)
}

/** Puts USD of two months ago into the sales fund, so that it is older than the hold period. */
export async function fundSales({ db, clock }: TestApp, amount: string): Promise<void> {
  await post(db, {
    kind: 'fundSales',
    cause: { type: 'sales_fund', id: `test ${amount} ${clock.now().getTime()}` },
    at: new Date(clock.now().getTime() - 60 * 86_400_000),
    transfers: [
      { from: { system: 'SYS-OPERATOR', asset: 'USD' }, to: { system: 'SYS-SALES', asset: 'USD' }, amount: parseUnits(amount) ?? 0n },
    ],
  })
}

/** Ends automatic payouts, so that other tests of the app send nothing. */
export function withoutHotWallet<Instance extends { at: TestApp }>(instance: Instance): Instance {
  Object.assign(instance.at.deps.config, { chain: undefined, payouts: undefined, reserveAddresses: [], proceedsAddresses: [] })
  return instance
}

/** Returns the staff calls about the hot wallet, each on an open one. */
export const hotWalletCalls = (app: () => TestApp, reason: string) => ({
  staffHotWallet: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/hot-wallet' }) },
  proposeColdMove: {
    right: 'money' as const,
    prepare: async () => {
      await openHotWallet(app())
      return { path: '/staff/hot-wallet/moves', body: { asset: 'usd', amount: 1, address: COLD, reason } }
    },
  },
  proposeProceeds: {
    right: 'money' as const,
    prepare: async () => {
      await openHotWallet(app())
      await fundSales(app(), '10')
      return { path: '/staff/reward-pool/proceeds', body: { amount: 1, address: OPERATOR, reason } }
    },
  },
  cancelHotWalletPayout: {
    right: 'money' as const,
    prepare: async () => {
      const { db, deps } = app()
      await openHotWallet(app())
      const id = await inTransaction(db, (tx) => queueColdMove(tx, deps, { asset: 'USD', amount: ONE, address: COLD }))
      return { path: `/staff/hot-wallet/moves/${id}/cancel`, body: { reason } }
    },
  },
})
