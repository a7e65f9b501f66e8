import { sql } from 'kysely'
import { GAS_LIMIT, type WalletNode } from '../../gateways/chain/index.ts'
import type { Db, Tx } from '../../platform/database.ts'

/** Where hot wallets are asked for, and by which tokens. */
export interface CheckedWallets {
  chainId: number
  tokens: readonly string[]
  node: Pick<WalletNode, 'tokenOf' | 'coinOf'>
}

/** The chain's own coin, where a token's contract would stand: it leaves a wallet as what the network takes. */
const NATIVE = 'native'

interface Reserve {
  wallet: string
  token: string
  /** In the token's smallest unit, as all here. */
  balance: bigint
  /** What the books say has left it: at least (it is in blocks), and at most (it is signed). */
  least: bigint
  most: bigint
}

/** What each hot wallet holds of each token and of the chain's own coin, and what the books say has left it. At most twenty wallets, the youngest. */
export async function readReserves(
  read: <T>(look: (db: Db) => Promise<T>) => Promise<T>,
  { chainId, tokens, node }: CheckedWallets,
): Promise<Reserve[]> {
  const before = await read((db) => paidBy(db, chainId, tokens))
  const balances: bigint[] = []
  for (const { wallet, token } of before) balances.push(await (token === NATIVE ? node.coinOf(wallet) : node.tokenOf(token, wallet)))
  // Read again behind the balance: what was signed meanwhile may have left.
  const after = await read((db) => paidBy(db, chainId, tokens))
  return before.map(({ wallet, token, least }, place) => ({
    wallet,
    token,
    balance: balances[place] ?? 0n,
    least: BigInt(least),
    most: BigInt(after.find((one) => one.wallet === wallet && one.token === token)?.most ?? '0'),
  }))
}

async function paidBy(db: Db, chainId: number, tokens: readonly string[]) {
  const rows = await sql<{ wallet: string; token: string; least: string; most: string }>`
    select w.address as wallet, t.token, coalesce(s.least, 0)::text as least, coalesce(s.most, 0)::text as most
    from (select address from hot_wallet where chain_id = ${chainId} order by address limit 20) w
    cross join unnest(${[...tokens, NATIVE]}::text[]) as t (token)
    left join lateral (
      select sum(exact_amount) filter (where state in ('MINED', 'DONE')) as least,
        sum(exact_amount) filter (where state in ('SIGNED', 'MINED', 'DONE')) as most
      from payout_sending s where s.chain_id = ${chainId} and s.wallet = w.address and s.token = t.token
      having t.token <> ${NATIVE}
      union all
      select sum(p.gas_paid), sum(coalesce(p.gas_paid, p.most)) from payout_sending s join lateral (
        select max(gas_paid) as gas_paid, max(gas_price) * ${String(GAS_LIMIT)}::numeric as most
        from payout_transaction p where p.request_id = s.request_id) p on true
      where s.chain_id = ${chainId} and s.wallet = w.address
      having t.token = ${NATIVE}) s on true
    order by 1, 2`.execute(db)
  return rows.rows
}

/**
 * Compares wallets with the time before: what one holds and what left it by payouts can only grow, as somebody fills it. Where
 * it shrank, money left without a payout; that is an incident, for people to look at.
 * @returns how many wallets lack something
 */
export async function compareReserves(tx: Tx, chainId: number, reserves: readonly Reserve[], now: Date): Promise<number> {
  let lacking = 0
  for (const { wallet, token, balance, least, most } of reserves) {
    const known = await tx
      .selectFrom('chain_reserve')
      .selectAll()
      .where('chain_id', '=', BigInt(chainId))
      .where('wallet', '=', wallet)
      .where('token', '=', token)
      .forUpdate()
      .executeTakeFirst()
    const stood = known === undefined ? undefined : BigInt(known.balance) + BigInt(known.paid)
    const lacks = stood !== undefined && balance + most < stood
    if (lacks) {
      lacking += 1
      const missing = { wallet, token, lacks: String(stood - balance - most) }
      await tx
        .insertInto('chain_incident')
        .values({ kind: 'WALLET_SPENT', noted_at: now, from_block: 0n, transfers: JSON.stringify([missing]) })
        .execute()
    }
    // What a payout on its way may take is lent once, and not each hour anew.
    const paid = stood === undefined || lacks || stood - balance < least ? least : stood - balance
    const seen = { balance: String(balance), paid: String(paid), seen_at: now }
    await tx
      .insertInto('chain_reserve')
      .values({ chain_id: BigInt(chainId), wallet, token, ...seen })
      .onConflict((conflict) => conflict.columns(['chain_id', 'wallet', 'token']).doUpdateSet(seen))
      .execute()
  }
  return lacking
}
