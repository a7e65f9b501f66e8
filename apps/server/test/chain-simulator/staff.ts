import {
  adoptMove,
  answerIncident,
  chainIncidents,
  tokenSweepDelays,
  unclaimedAddresses,
  chainNode,
} from '../../src/gateways/chain/index.ts'
import { approveDeposit, claimAddress, depositQueue } from '../../src/modules/deposits/index.ts'
import {
  adoptPaid,
  answerSending,
  approvePayout,
  cancelSending,
  requestBridge,
  requestWithdrawal,
} from '../../src/modules/withdrawals/index.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { AppError } from '../../src/platform/runtime/app-error.ts'
import { byOne, confirmPayoutAddress } from '../members.ts'
import type { Asset, RequestedPayout, World } from './world.ts'
import type { TestMember } from '../members.ts'
import type { Units } from '@tizara/money'

/** Requests a payout and approves it. Returns undefined if the platform refuses the request. */
export async function requestPayout(
  world: World,
  { member, asset, amount, to }: { member: TestMember; asset: Asset; amount: Units; to: string },
): Promise<RequestedPayout | undefined> {
  const { db, act: deps, staff } = world
  const isInBook = await db.selectFrom('payout_address').select('id').where('address', '=', to).executeTakeFirst()
  if (isInBook === undefined) await confirmPayoutAddress(db, member.id, to)
  try {
    const { id } = await inTransaction(db, (tx) =>
      asset === 'COIN'
        ? requestBridge(tx, deps, { memberId: member.id, amount, address: to, network: 0 })
        : requestWithdrawal(tx, deps, { memberId: member.id, amount, address: to }),
    )
    await inTransaction(db, (tx) => approvePayout(tx, deps, { payoutId: id, staffId: staff[0]?.id ?? 0n, reason: 'checked', ...byOne }))
    const { exact_amount: received } = await db
      .selectFrom('payout_sending as s')
      .innerJoin('payout_request as p', 'p.id', 's.request_id')
      .select('exact_amount')
      .where('p.public_id', '=', id)
      .executeTakeFirstOrThrow()
    return { id, member, asset, amount, to, received: BigInt(received) }
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Asks to cancel a payout that this database has and that has not ended. */
export async function cancel({ db, act: deps }: World, { id, asset }: RequestedPayout): Promise<void> {
  const kind = asset === 'COIN' ? 'bridge' : 'withdrawal'
  await inTransaction(db, (tx) => cancelSending(tx, deps, { id, kind })).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
}

/** Does what two people do after an alert: answers incidents, decides held payments and unclear payouts, adopts transactions. */
export async function staffRound(world: World, errors: readonly string[]): Promise<void> {
  const isForeign = (name: string) => errors.some((error) => error.includes(name))
  const delays = world.wasRestored ? await tokenSweepDelays(world.db, world.deps.clock.now()) : []
  if (isForeign('ForeignNonce') || delays.length > 0) await adoptAll(world)
  await answerIncidents(world)
  await approveHeld(world)
  await answerPayouts(world)
}

async function answerIncidents(world: World): Promise<void> {
  const { db, act: deps } = world
  for (const { id, kind, transfers } of await chainIncidents(db)) {
    // No reorg removes a final block here, so only a restored database has something for two people.
    if (!world.wasRestored) throw new Error(`an incident without a cause: ${kind} ${transfers.join(', ')}`)
    for (const address of kind === 'UNCLAIMED' ? await unclaimedAddresses(db, String(id)) : []) {
      const owner = world.shown.find((one) => one.address === address)
      if (owner === undefined) throw new Error(`the platform never showed ${address}`)
      await inTransaction(db, (tx) => claimAddress(tx, deps, { memberId: owner.member.id, address })).catch((error: unknown) => {
        // The payment is not final yet.
        if (!(error instanceof AppError)) throw error
      })
    }
    if (kind !== 'UNCLAIMED' || (await unclaimedAddresses(db, String(id))).length === 0)
      await inTransaction(db, (tx) => answerIncident(tx, String(id), deps.clock.now()))
  }
}

async function approveHeld({ db, act: deps, staff }: World): Promise<void> {
  const { data } = await depositQueue(db, {
    pageRange: { page: 1, limit: 100, offset: 0, since: undefined, before: undefined },
    status: 'PENDING',
  })
  for (const { id, credit } of data)
    for (const { id: staffId } of staff) {
      const decision = { depositId: id, staffId, reason: 'seen', amount: credit, needsTwo: () => Promise.resolve(true) }
      await inTransaction(db, (tx) => approveDeposit(tx, deps, decision))
    }
}

async function answerPayouts({ db, act: deps, payouts }: World): Promise<void> {
  for (const { id } of payouts)
    await inTransaction(db, (tx) => answerSending(tx, deps, { payoutId: id, answer: 'GIVE_BACK' })).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
}

interface ListedTransaction {
  hash: string
  from: string
  nonce: string
  input: string
}

/** Lists the transactions since the preparation in the order of the chain, then the pending ones by nonce, as an explorer shows them. */
async function listTransactions({ chain, begin }: World, head: number): Promise<ListedTransaction[]> {
  const listed: ListedTransaction[] = []
  for (let block = begin + 1; block <= head; block += 1) {
    const number = `0x${block.toString(16)}`
    const { transactions } = await chain.call<{ transactions: ListedTransaction[] }>('eth_getBlockByNumber', number, true)
    listed.push(...transactions)
  }
  const { pending } = await chain.call<{ pending: Record<string, Record<string, ListedTransaction>> }>('txpool_content')
  const byNonce = Object.values(pending).flatMap((of) => Object.values(of).toSorted((a, b) => Number(a.nonce) - Number(b.nonce)))
  return [...listed, ...byNonce]
}

/** Adopts all transactions of our wallets that a restore has lost, pending ones included, as the runbook says. */
async function adoptAll(world: World): Promise<void> {
  const { chain, db, act: deps, settings, wallet } = world
  const node = chainNode(chain.url)
  const work = <T>(of: Parameters<typeof inTransaction<T>>[1]) => inTransaction(db, of)
  const ours = new Set([wallet.address, world.keys.addressAt('gas'), ...world.shown.map(({ address }) => address)])
  const listed = await listTransactions(world, await world.head())
  for (const { hash, from, input } of listed.filter((one) => ours.has(one.from))) {
    const adopt = async () =>
      from === wallet.address
        ? void (await adoptPaid(work, deps, { node, chainId: chain.chainId, hash }))
        : void (await adoptMove(work, deps, { node, chainId: chain.chainId, hash, xpub: settings.xpub, targets: [wallet.address] }))
    await adopt().catch(async (error: unknown) => {
      if (!(error instanceof Error) || error.constructor.name !== 'NotAdopted') throw error
      if (!error.message.includes('no queued payout matches')) return
      // The restore lost the request as well: the member asks for it again.
      const payout = world.payouts.find(({ to }) => input.includes(to.slice(2)))
      if (payout === undefined) throw new Error(`the hot wallet paid someone who requested nothing: ${hash}`)
      const again = await requestPayout(world, payout)
      if (again !== undefined) Object.assign(payout, again)
      await adopt().catch(() => undefined)
    })
  }
}
