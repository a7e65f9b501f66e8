import { expect } from 'vitest'
import { auditChecks as depositChecks } from '../../src/modules/deposits/index.ts'
import { auditChecks as payoutChecks } from '../../src/modules/withdrawals/index.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../src/ledger/index.ts'
import { type Asset, OWNED, SWEPT_FROM, exactOf, type World } from './world.ts'

/** Transfer of a token, as the chain has it. */
interface Moved {
  asset: Asset
  from: string
  to: string
  amount: bigint
  hash: string
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Reads all transfers since the preparation from the chain, without the product's code. */
async function movedOn({ chain, tokens, begin }: World): Promise<Moved[]> {
  const filter = { address: Object.values(tokens), fromBlock: `0x${(begin + 1).toString(16)}`, toBlock: 'latest', topics: [TRANSFER] }
  const logs = await chain.call<{ address: string; topics: string[]; data: string; transactionHash: string }[]>('eth_getLogs', filter)
  return logs.map(({ address, topics: [, from = '', to = ''], data, transactionHash: hash }) => ({
    asset: address.toLowerCase() === tokens.COIN ? 'COIN' : 'USD',
    from: `0x${from.slice(-40)}`,
    to: `0x${to.slice(-40)}`,
    amount: BigInt(data),
    hash,
  }))
}

const sumOf = (transfers: readonly { amount: bigint }[]): bigint => transfers.reduce((sum, { amount }) => sum + amount, 0n)

/** Checks that the books show only payments of the chain, whenever the watcher has read the newest block. */
export async function judgeShown(world: World): Promise<void> {
  const { db, chain } = world
  const { hash: newest } = await chain.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
  const isRead = await db.selectFrom('chain_cursor').select('block').where('block_hash', '=', newest).executeTakeFirst()
  if (isRead === undefined) return
  const paid = (await movedOn(world)).map(({ hash, to }) => `${hash} to ${to}`)
  const shown = await db.selectFrom('chain_transfer').select(['tx_hash as hash', 'address as to']).where('state', '<>', 'GONE').execute()
  const unpaid = shown.filter(({ hash, to }) => {
    const index = paid.indexOf(`${hash} to ${to}`)
    // Removes the payment, because each may be shown once.
    return index === -1 || paid.splice(index, 1).length === 0
  })
  expect(unpaid, 'the books show only payments that the chain has, each once').toEqual([])
}

/**
 * Compares the books with the chain. Each unit that the chain moved is in the books once, with the member to whom the platform had shown
 * the address. The books contain nothing else.
 */
export async function judge(world: World): Promise<void> {
  const { db, members, shown, payouts, wallet } = world
  const moved = await movedOn(world)
  const ours = new Map(shown.map((one) => [one.address, one]))
  // Deposits.
  const credits = await db
    .selectFrom('invoice_transfer as t')
    .innerJoin('deposit as d', 'd.id', 't.deposit_id')
    .select(['t.tx_hash as hash', 'd.address as to', 't.asset', 't.amount', 'd.member_id as memberId'])
    .where('t.credited_at', 'is not', null)
    .where('t.is_live', '=', true)
    .execute()
  const arrived = moved.filter(({ to }) => ours.has(to))
  const lines = (list: readonly { hash: string; to: string | null; asset: string; amount: bigint; memberId: bigint | undefined }[]) =>
    list.map(({ hash, to, asset, amount, memberId }) => `${hash} ${to} ${asset} ${amount} to ${memberId}`).toSorted()
  expect(lines(credits.map((one) => ({ ...one, amount: exactOf(one.amount) }))), 'each payment is credited once to its member').toEqual(
    lines(arrived.map((one) => ({ ...one, memberId: ours.get(one.to)?.member.id }))),
  )
  // Payouts: each receiver got all of the payout or nothing, once, and the books say which.
  const paid = moved.filter(({ from }) => from === wallet.address)
  const receivers = new Set(payouts.map(({ to }) => to))
  expect(
    paid.filter(({ to }) => !receivers.has(to)),
    'the hot wallet pays only receivers of payouts',
  ).toEqual([])
  const sent = await db
    .selectFrom('payout_sending as s')
    .innerJoin('payout_request as p', 'p.id', 's.request_id')
    .select(['p.public_id as id', 's.state'])
    .execute()
  const stateOf = new Map(sent.map(({ id, state }) => [id, state]))
  const isPaid = (to: string) => paid.some((one) => one.to === to)
  for (const { id, to, received, asset } of payouts) {
    const to_it = paid.filter((one) => one.to === to).map((one) => `${one.asset} ${one.amount}`)
    expect([id, stateOf.get(id), to_it], 'a receiver gets a completed payout once, and any other payout never').toEqual(
      stateOf.get(id) === 'DONE' ? [id, 'DONE', [`${asset} ${received}`]] : [id, stateOf.get(id), []],
    )
    expect([undefined, 'DONE', 'CANCELLED', 'FAILED'], 'each payout ends').toContain(stateOf.get(id))
  }
  // Wallets of the members.
  for (const { id } of members) {
    const of = (asset: Asset) => sumOf(arrived.filter((one) => one.asset === asset && ours.get(one.to)?.member.id === id)) / 10n ** 10n
    const out = (asset: Asset) => sumOf(payouts.filter((one) => one.asset === asset && one.member.id === id && isPaid(one.to)))
    const { depositWallet, nativeWallet, icoWallet } = await balancesOf(db, id)
    expect({ depositWallet, coin: nativeWallet + icoWallet }, "a member's wallets change by payments and payouts of the chain").toEqual({
      depositWallet: OWNED + of('USD') - out('USD'),
      coin: OWNED + of('COIN') - out('COIN'),
    })
  }
  // Token sweeps: each is in the books once, and no balance above the minimum is left.
  const swept = moved.filter(({ from }) => ours.has(from))
  const moves = await db
    .selectFrom('chain_move as m')
    .innerJoin('signed_transaction as t', (join) => join.onRef('t.move_id', '=', 'm.id').on('t.block', 'is not', null))
    .select(['t.hash', 'm.amount', 'm.address'])
    .where('m.kind', '=', 'SWEEP')
    .where('m.state', '=', 'DONE')
    .execute()
  expect(
    moves.map(({ hash, address, amount }) => `${hash} ${address} ${amount}`).toSorted(),
    'each token sweep of the chain is in the books once',
  ).toEqual(swept.map(({ hash, from, amount }) => `${hash} ${from} ${amount}`).toSorted())
  expect(
    swept.filter(({ to }) => to !== wallet.address),
    'token sweeps pay only the hot wallet',
  ).toEqual([])
  for (const { address } of shown)
    for (const asset of ['COIN', 'USD'] as const) {
      const left =
        sumOf(arrived.filter((one) => one.to === address && one.asset === asset)) -
        sumOf(swept.filter((one) => one.from === address && one.asset === asset))
      expect([address, asset, left < exactOf(SWEPT_FROM)], 'no address keeps a balance that a token sweep must move').toEqual([
        address,
        asset,
        true,
      ])
    }
  // The product's own checks agree.
  await world.reconcile()
  expect(await db.selectFrom('chain_difference').selectAll().execute(), 'the hourly comparison finds no difference').toEqual([])
  const audits = await runAudit(db, [...ledgerChecks, ...depositChecks, ...payoutChecks])
  const broken = audits.filter((one) => one.broken > 0)
  expect(
    broken.map(({ check, examples }) => [check.title, examples]),
    `the audit holds${broken.map(({ check }) => `; broken: ${check.title}`).join('')}`,
  ).toEqual([])
}
