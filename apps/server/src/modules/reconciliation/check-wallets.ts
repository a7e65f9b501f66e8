import { sql } from 'kysely'
import { GAS_LIMIT } from '../../gateways/chain/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { type Checkpoint, type CheckpointOf, NOTHING_SUMMED, summableUntil } from './checkpoint.ts'
import type { Balances } from './every-source.ts'

/** Chain, tokens and node for the hot wallets. */
export interface CheckedWallets {
  chainId: number
  tokens: readonly string[]
  /** Ceilings, by token, in its smallest unit. */
  ceilings?: ReadonlyMap<string, bigint> | undefined
  node: Pick<Balances, 'tokenOf' | 'nativeBalanceOf'>
}

/** Key of native coin, used in place of a token contract. Native coin pays the gas. */
const NATIVE = 'native'

interface Reserve {
  wallet: string
  token: string
  /** Balance in the token's smallest unit, like all amounts here. */
  balance: bigint
  /** Minimum booked outflow (in blocks) and maximum (signed). */
  min: bigint
  max: bigint
}

/** Identifies the saved sums for wallet outflows. */
export const checkpointOf = ({ chainId, tokens }: Pick<CheckedWallets, 'chainId' | 'tokens'>): CheckpointOf => ({
  chainId,
  part: 'WALLETS',
  settings: [...tokens].toSorted().join(' '),
})

/**
 * Reads the balances of each hot wallet in tokens and native coin, and the booked outflow. Covers all wallets that were ever used, because
 * a limit would omit one.
 * @param since sums over earlier payouts; adds up everything if omitted
 * @returns the reserves, and sums for the next round
 */
export async function readReserves(
  read: <T>(query: (db: Db) => Promise<T>) => Promise<T>,
  { chainId, tokens, node }: CheckedWallets,
  now: Date,
  since: Checkpoint = NOTHING_SUMMED,
): Promise<{ reserves: Reserve[]; checkpoint: Checkpoint }> {
  const comparePaid = () => read((db) => paidBy(db, { chainId, tokens }, now, since))
  const before = await comparePaid()
  const balances: bigint[] = []
  for (const { wallet, token } of before.paid)
    balances.push(await (token === NATIVE ? node.nativeBalanceOf(wallet) : node.tokenOf(token, wallet)))
  // Reads outflows again after the balance, because a payout signed meanwhile may have left.
  const after = await comparePaid()
  const reserves = before.paid.map(({ wallet, token, min }, index) => ({
    wallet,
    token,
    balance: balances[index] ?? 0n,
    min,
    max: after.paid.find((one) => one.wallet === wallet && one.token === token)?.max ?? 0n,
  }))
  return { reserves, checkpoint: before.checkpoint }
}

/** Minimum and maximum outflow of a wallet: settled payouts, and settled plus pending payouts. */
interface OutflowBounds {
  wallet: string
  token: string
  minRested: string
  maxRested: string
  minYoung: string
  maxYoung: string
}

async function paidBy(db: Db, { chainId, tokens }: Pick<CheckedWallets, 'chainId' | 'tokens'>, now: Date, since: Checkpoint) {
  const { rows } = await sql<OutflowBounds>`
    with wallet as (select address from hot_wallet where chain_id = ${chainId}),
    sending as (
      select request_id, wallet, token, state, exact_amount, ended_at < ${summableUntil(now)} as rested from payout_sending
      where chain_id = ${chainId} and ended_at >= ${since.until} and wallet in (select address from wallet)
      union all
      select request_id, wallet, token, state, exact_amount, false from payout_sending
      where chain_id = ${chainId} and state in ('SIGNED', 'MINED') and wallet in (select address from wallet)),
    paid as (
      select wallet, token, rested, case when state in ('MINED', 'DONE') then exact_amount end as min,
        case when state in ('SIGNED', 'MINED', 'DONE') then exact_amount end as max from sending
      union all
      select s.wallet, ${NATIVE}, s.rested, p.gas_paid, coalesce(p.gas_paid, p.max) from sending s join lateral (
        select max(gas_paid) as gas_paid, max(gas_price) * ${String(GAS_LIMIT)}::numeric as max
        from signed_transaction p where p.request_id = s.request_id) p on true
      union all
      select wallet, ${NATIVE}, ended_at < ${summableUntil(now)}, gas_paid, gas_paid from hot_wallet_empty
      where chain_id = ${chainId} and ended_at >= ${since.until})
    select w.address as wallet, t.token,
      coalesce(sum(p.min) filter (where p.rested), 0)::text as "minRested", coalesce(sum(p.max) filter (where p.rested), 0)::text as "maxRested",
      coalesce(sum(p.min) filter (where not p.rested), 0)::text as "minYoung", coalesce(sum(p.max) filter (where not p.rested), 0)::text as "maxYoung"
    from wallet w cross join unnest(${[...tokens, NATIVE]}::text[]) as t (token)
    left join paid p on p.wallet = w.address and p.token = t.token
    group by 1, 2 order by 1, 2`.execute(db)
  const sums = new Map<string, bigint>(since.sums)
  const add = (name: string, rested: string) => {
    const sum = (sums.get(name) ?? 0n) + BigInt(rested)
    sums.set(name, sum)
    return sum
  }
  const paid = rows.map(({ wallet, token, minRested, maxRested, minYoung, maxYoung }) => ({
    wallet,
    token,
    min: add(`${wallet} ${token} min`, minRested) + BigInt(minYoung),
    max: add(`${wallet} ${token} max`, maxRested) + BigInt(maxYoung),
  }))
  return { paid, checkpoint: { until: summableUntil(now), untilBlock: -1n, sums } }
}

/**
 * Compares each wallet with the previous round. The sum of balance and payouts can only grow, so a smaller sum shows that money left
 * without a payout: an incident for staff. Also records the time since when a balance is above its ceiling.
 * @returns the number of wallets with missing money
 */
export async function compareReserves(
  tx: Tx,
  { chainId, ceilings }: Pick<CheckedWallets, 'chainId' | 'ceilings'>,
  reserves: readonly Reserve[],
  now: Date,
): Promise<number> {
  let lacking = 0
  for (const { wallet, token, balance, min, max } of reserves) {
    const known = await tx
      .selectFrom('chain_reserve')
      .selectAll()
      .where('chain_id', '=', BigInt(chainId))
      .where('wallet', '=', wallet)
      .where('token', '=', token)
      .forUpdate()
      .executeTakeFirst()
    const stood = known === undefined ? undefined : BigInt(known.balance) + BigInt(known.paid)
    const lacks = stood !== undefined && balance + max < stood
    if (lacks) {
      lacking += 1
      const missing = { wallet, token, lacks: String(stood - balance - max) }
      await tx
        .insertInto('chain_incident')
        .values({ kind: 'WALLET_SPENT', noted_at: now, from_block: 0n, transfers: JSON.stringify([missing]) })
        .execute()
    }
    // Counts the possible outflow of a pending payout once, and not in each round again.
    const paid = stood === undefined || lacks || stood - balance < min ? min : stood - balance
    const ceiling = ceilings?.get(token)
    const aboveSince = ceiling === undefined || balance <= ceiling ? null : (known?.above_since ?? now)
    const limit = { ceiling: ceiling === undefined ? null : String(ceiling), above_since: aboveSince }
    const seen = { balance: String(balance), paid: String(paid), seen_at: now, ...limit }
    await tx
      .insertInto('chain_reserve')
      .values({ chain_id: BigInt(chainId), wallet, token, ...seen })
      .onConflict((conflict) => conflict.columns(['chain_id', 'wallet', 'token']).doUpdateSet(seen))
      .execute()
  }
  return lacking
}
