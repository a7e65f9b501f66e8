import { randomBytes } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { parseUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { TestChain } from '../../../test/chain/anvil.ts'
import { testApp, type TestApp } from './app.ts'
import { byOne, createTestMember, fund, type TestMember, confirmPayoutAddress } from './members.ts'
import { keySigner, type MinedTransaction, type PayoutSigner, type Sent, type WalletNode } from '../src/gateways/chain/index.ts'
import { runJob } from '../src/jobs/job.ts'
import { leaseOn } from '../src/jobs/lease.ts'
import { approvePayout, requestBridge, requestWithdrawal, sendingJobs, withdrawalRoutes } from '../src/modules/withdrawals/index.ts'
import type { Sender, SendingRules } from '../src/modules/withdrawals/sending/sender.ts'
import { type Db, inTransaction, type Tx } from '../src/platform/db/database.ts'

export const CHAIN = 31_337
export const [COIN, USD] = [`0x${'c0'.repeat(20)}`, `0x${'d0'.repeat(20)}`]
/** Converts an amount to the test tokens' smallest units, with 18 decimals. */
export const exact = (amount: string): bigint => units(amount) * 10n ** 10n
const units = (amount: string): Units => parseUnits(amount) ?? 0n
/** Returns a unique receiver. */
export const someone = (): string => `0x${randomBytes(20).toString('hex')}`

/** Fake node's state, changed by a test. */
export interface FakeNodeState {
  chainId: number
  head: number
  /** Finalized block, or null if the node knows none. */
  finalized: number | null
  gasPrice: bigint
  coins: bigint
  tokens: Map<string, bigint>
  /** Returns a wallet's transaction count at a block, or at the head. */
  nonceOf: (address: string, block?: number) => number
  /** Transactions of a wallet in the pool of the node. */
  pending: number
  mined: Map<string, MinedTransaction>
  blockHash: (block: number) => string | null
  transactions: Map<string, Awaited<ReturnType<WalletNode['transaction']>>>
  /** Decides a sent transaction's result. */
  outcome: (raw: string) => Sent
  /** Names of the calls, and the sent transactions. */
  asked: string[]
  sent: string[]
}

/** Creates a fake node that answers from the test's state, without a chain. */
export function fakeNode(): { node: WalletNode; nodeState: FakeNodeState } {
  const nodeState: FakeNodeState = {
    chainId: CHAIN,
    head: 100,
    finalized: null,
    gasPrice: 1_000n,
    coins: 10n ** 20n,
    tokens: new Map([COIN, USD].map((token) => [token, exact('1000000')])),
    nonceOf: () => 0,
    pending: 0,
    mined: new Map(),
    blockHash: (block) => `0xb${block}`,
    transactions: new Map(),
    outcome: () => 'taken',
    asked: [],
    sent: [],
  }
  const tell = <T>(call: string, answer: T): Promise<T> => {
    nodeState.asked.push(call)
    return Promise.resolve(answer)
  }
  const node: WalletNode = {
    chainId: () => tell('chainId', nodeState.chainId),
    head: () => tell('head', { number: nodeState.head }),
    finalized: () => tell('finalized', nodeState.finalized === null ? null : { number: nodeState.finalized }),
    blockHashes: (numbers) => tell('blockHashes', numbers.map(nodeState.blockHash)),
    nonceOf: (address, block) => tell('nonceOf', nodeState.nonceOf(address, block)),
    pendingNonceOf: (address) => tell('pendingNonceOf', nodeState.nonceOf(address) + nodeState.pending),
    gasPrice: () => tell('gasPrice', nodeState.gasPrice),
    nativeBalanceOf: () => tell('nativeBalanceOf', nodeState.coins),
    nativeBalancesOf: (addresses) =>
      tell(
        'nativeBalancesOf',
        addresses.map(() => nodeState.coins),
      ),
    tokenOf: (token) => tell('tokenOf', nodeState.tokens.get(token) ?? 0n),
    tokensOf: (token, addresses) =>
      tell(
        'tokensOf',
        addresses.map(() => nodeState.tokens.get(token) ?? 0n),
      ),
    send: (raws) => {
      nodeState.sent.push(...raws)
      return tell('send', raws.map(nodeState.outcome))
    },
    transaction: (hash) => tell('transaction', nodeState.transactions.get(hash) ?? null),
    receipts: (hashes) =>
      tell(
        'receipts',
        hashes.map((hash) => nodeState.mined.get(hash) ?? null),
      ),
  }
  return { node, nodeState }
}

/** Returns the environment of an app that sends payouts in two tokens on a chain. */
export const payoutEnvironment = ({ chainId, url }: Pick<TestChain, 'chainId' | 'url'>, { coin, usd }: { coin: string; usd: string }) => ({
  PAYOUTS: 'automatic',
  CHAIN_ID: String(chainId),
  CHAIN_RPC_URL: url,
  CHAIN_TOKEN: coin,
  CHAIN_USD_TOKEN: usd,
  CHAIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'").publicExtendedKey,
})

/** Returns the signer of a new hot wallet on a test chain, with one native coin for gas and some tokens in the smallest unit. */
export async function fundedWallet(chain: TestChain, balances: readonly { token: string; amount: bigint }[]): Promise<PayoutSigner> {
  const wallet = keySigner(randomBytes(32))
  await chain.call('anvil_setBalance', wallet.address, '0xde0b6b3a7640000')
  for (const { token, amount } of balances) await chain.send(wallet.address, amount, token)
  await chain.mine()
  return wallet
}

/** Runs the job that sends payouts once, from a hot wallet on a test chain. */
export function runSending(
  { db, deps }: TestApp,
  { chainId, url }: Pick<TestChain, 'chainId' | 'url'>,
  signer: PayoutSigner,
  rules: Pick<SendingRules, 'hourLimits'> & Partial<SendingRules>,
) {
  const [job] = sendingJobs({
    rpcUrl: url,
    signer: () => Promise.resolve(signer),
    rules: { chainId, maxGasPrice: 100_000_000_000n, inFlight: 50, stuckSeconds: 180, ...rules },
  })
  if (job === undefined) throw new Error('no job')
  return runJob(db, deps, job, 'worker')
}

/** Approved payout in the queue. */
export interface SentPayout {
  id: string
  requestId: bigint
  member: TestMember
  token: string
  to: string
  amount: bigint
}

/** Builds an app with automatic payouts and a hot wallet, and helpers for their rows. */
export async function sentPayouts(db: Db) {
  const instance = await testApp(db, {
    routes: withdrawalRoutes,
    env: payoutEnvironment({ chainId: CHAIN, url: 'http://127.0.0.1:9' }, { coin: COIN, usd: USD }),
  })
  const staff = (await createTestMember(db, { role: 'ADMIN' })).id
  const wallet = keySigner(randomBytes(32))
  /** Writes as the database owner, without triggers. */
  const force = (write: (tx: Tx) => Promise<unknown>) =>
    inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await write(tx)
    })
  return {
    instance,
    wallet,
    force,
    /** Updates a payout's sending row, bypassing all rules. */
    change: ({ requestId }: Pick<SentPayout, 'requestId'>, row: object) =>
      force((tx) => tx.updateTable('payout_sending').set(row).where('request_id', '=', requestId).execute()),
    approved: (amount = '100', options: Options = {}) => approved(db, instance, staff, amount, options),
    senderOf: (
      node: WalletNode,
      more: Partial<Pick<Sender, 'secondNode' | 'signer'>> & { rules?: Partial<SendingRules> } = {},
    ): Sender => ({
      lease: leaseOn({ read: (look) => look(db), inTransaction: (work) => inTransaction(db, work) }),
      deps: instance.deps,
      node,
      secondNode: more.secondNode,
      signer: more.signer ?? wallet,
      rules: {
        chainId: CHAIN,
        maxGasPrice: 100_000n,
        inFlight: 50,
        hourLimits: new Map([COIN, USD].map((token) => [token, exact('1000000')])),
        stuckSeconds: 180,
        ...more.rules,
      },
    }),
    /** Deletes earlier tests' payouts. */
    forget: () =>
      force(async (tx) => {
        for (const table of ['signed_transaction', 'payout_sending', 'hot_wallet_empty', 'hot_wallet', 'payout_notification'] as const)
          await tx.deleteFrom(table).execute()
      }),
    /** Reads all sending rows, so that a test sees every change. */
    storedRows: async () => ({
      sendings: await db.selectFrom('payout_sending').selectAll().orderBy('request_id').execute(),
      transactions: await db.selectFrom('signed_transaction').selectAll().orderBy('hash').execute(),
      wallets: await db.selectFrom('hot_wallet').selectAll().orderBy('chain_id').orderBy('address').execute(),
      requests: await db.selectFrom('payout_request').select(['id', 'status', 'tx_hash', 'reason', 'returned_at']).orderBy('id').execute(),
      words: await db.selectFrom('payout_notification').select(['request', 'step']).orderBy('id').execute(),
    }),
  }
}

interface Options {
  kind?: 'bridge' | 'withdrawal'
  to?: string
}

async function approved(
  db: Db,
  { deps }: TestApp,
  staffId: bigint,
  amount: string,
  { kind = 'bridge', to = someone() }: Options,
): Promise<SentPayout> {
  const member = await createTestMember(db)
  await fund(db, member.id, kind === 'bridge' ? 'icoWallet' : 'depositWallet', units(amount))
  await confirmPayoutAddress(db, member.id, to)
  const request = { memberId: member.id, amount: units(amount), address: to }
  const { id } = await inTransaction(db, (tx) =>
    kind === 'bridge' ? requestBridge(tx, deps, { ...request, network: 0 }) : requestWithdrawal(tx, deps, request),
  )
  await inTransaction(db, (tx) => approvePayout(tx, deps, { payoutId: id, staffId, reason: 'checked', ...byOne }))
  // Removes the member's notification, which does not belong to the sending.
  await db.deleteFrom('payout_notification').where('request', '=', id).execute()
  const sending = await db
    .selectFrom('payout_sending as s')
    .innerJoin('payout_request as p', 'p.id', 's.request_id')
    .select(['s.request_id as requestId', 's.token', 's.to_address as to', 's.exact_amount as amount'])
    .where('p.public_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...sending, id, member, amount: BigInt(sending.amount) }
}

/** Returns a mined wallet payment's receipt. */
export const minedAt = (
  block: number,
  transfers: MinedTransaction['transfers'],
  more: Partial<MinedTransaction> = {},
): MinedTransaction => ({
  succeeded: true,
  block,
  blockHash: `0xb${block}`,
  gasUsed: 50_000n,
  gasPrice: 1_000n,
  transfers,
  ...more,
})

/** Returns a payout's token transfer. */
export const transferOf = ({ token, to, amount }: SentPayout, { address: from }: Pick<PayoutSigner, 'address'>) => ({
  token,
  from,
  to,
  amount,
})
