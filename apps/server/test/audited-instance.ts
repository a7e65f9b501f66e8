import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { applyImport, startImport } from '../src/modules/import/apply-import.ts'
import { approveImport, stageImport } from '../src/modules/import/index.ts'
import { leaveRequest } from '../src/modules/transfers/sell-requests.ts'
import { serveOldest } from '../src/modules/transfers/serve-sell-requests.ts'
import { dailyReward, ONE, quoteBuy } from '@tizara/money'
import { sql } from 'kysely'
import { type AuditCheck, closedListCheck } from '../src/ledger/index.ts'
import { allTransfers, moduleChecks } from '../src/main/all-checks.ts'
import { buyToken, reverseCoinPurchase } from '../src/modules/coin/index.ts'
import { approveDeposit, returnPayments } from '../src/modules/deposits/index.ts'
import { buyNft, reverseNft } from '../src/modules/nfts/index.ts'
import { currentSettings } from '../src/modules/settings/index.ts'
import { openStake, reverseStake } from '../src/modules/staking/index.ts'
import { convertToMyWallet, moveBetweenWallets, sellCoin, sendToMember } from '../src/modules/transfers/index.ts'
import { approveProposal, proposeTransferReversal } from '../src/modules/staff/index.ts'
import {
  approvePayout,
  bookCosts,
  cancelPlatformPayout,
  cancelPayout,
  cancelSending,
  insertProceeds,
  requestBridge,
  requestWithdrawal,
  unbookedTransactions,
} from '../src/modules/withdrawals/index.ts'
import { type Db, inTransaction, type Tx } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'
import { castId } from '../src/sandbox/demo/perform.ts'
import { insertHeldPayment } from './held-payment.ts'
import { oldPlatform, writeImport } from './import-files.ts'
import { byOne, PAYOUT_ADDRESS, confirmPayoutAddress } from './members.ts'

/** The product's audit checks, for members with money from `fund`. */
export const checksOfTests: readonly AuditCheck[] = [
  closedListCheck({
    ...allTransfers,
    testFunds: {
      cause: 'test',
      bringsNewMoney: true,
      pairs: [
        ['SYS-DEPOSIT USD', 'depositWallet'],
        ['SYS-DEPOSIT USD', 'nftWallet'],
        ['SYS-COIN COIN', 'nativeWallet'],
        ['SYS-COIN COIN', 'icoWallet'],
        ['SYS-COIN COIN', 'newIcoWallet'],
        ['SYS-COIN COIN', 'rcmWallet'],
        ['SYS-OPERATOR COIN', 'SYS-REWARD COIN'],
        ['SYS-REWARD COIN', 'SYS-OPERATOR COIN'],
        ['SYS-OPERATOR USD', 'SYS-REWARD USD'],
        ['SYS-OPERATOR USD', 'SYS-SALES USD'],
        ['SYS-SALES USD', 'SYS-OPERATOR USD'],
      ],
    },
  }),
  ...moduleChecks,
]

/** For tests: adds the transfer kinds missing from the demo data, so that the ledger contains every kind. */
export async function completeStory(db: Db, deps: Deps): Promise<void> {
  const amara = await castId(db, 'amara@example.com')
  const admin = await castId(db, 'admin@example.com')
  await inTransaction(db, async (tx) => {
    await convertToMyWallet(tx, deps, { memberId: amara, usd: ONE / 3n })
    await moveBetweenWallets(tx, deps, { move: 'nftToDeposit', memberId: amara, amount: ONE / 7n })
    await sellCoin(tx, deps, { memberId: await castId(tx, 'rafael@example.com'), wallet: 'rcmWallet', amount: 12_345_678_901n })
    await leaveRequest(tx, deps, amara, {
      amount: 200n * ONE,
      lowestPrice: (await currentSettings(tx, deps.clock.now())).sellPrice,
      days: 1,
    })
    expect(await serveOldest(tx, deps)).toBe(1)
    await bringMembers(tx, deps)
    await undoNew(tx, deps, amara)
    await decideByHand(tx, deps, amara, admin)
    await reverseTransfers(tx, deps, amara, admin)
    await holdAndCancelTransfer(tx, deps, amara)
    await bookMove(tx, deps)
    await sendProceedsAndBack(tx, deps)
    for (const kind of ['withdrawal', 'bridge'] as const) await payOutAndBack(tx, deps, { memberId: amara, staffId: admin, kind })
    await returnAndCancel(tx, sendingDeps(deps), amara)
  })
}

/** Imports the members of a small platform. */
async function bringMembers(tx: Tx, deps: Deps): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
  writeImport(folder, oldPlatform(1, 20, 'old'))
  const { hash } = await stageImport(tx, deps, folder)
  rmSync(folder, { recursive: true })
  await approveImport(tx, deps, hash)
  expect(await applyImport(tx, deps, (await startImport(tx)) ?? 0n)).toBe(20)
}

/** Sends a member more than passes without a confirmation, and cancels the held transfer. */
async function holdAndCancelTransfer(tx: Tx, deps: Deps, memberId: bigint): Promise<void> {
  const { waiting } = await sendToMember(tx, deps, { senderId: memberId, amount: 150n * ONE, email: 'bruno@example.com' })
  if (waiting === undefined) throw new Error('the transfer was posted without a confirmation')
  await cancelPayout(tx, deps, { memberId }, waiting.id)
}

/** Inserts a gas transfer to an address, with its network cost. */
async function bookMove(tx: Tx, deps: Deps): Promise<void> {
  const [at, address, wallet] = [deps.clock.now(), `0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
  await tx.insertInto('chain_address').values({ address, key_index: 1_000_000n, invoice_id: 'of a move' }).execute()
  const { id: move_id } = await tx
    .insertInto('chain_move')
    .values({
      chain_id: 31_337n,
      kind: 'GAS',
      wallet,
      nonce: 0n,
      address,
      to_address: address,
      amount: '1',
      state: 'DONE',
      made_at: at,
      ended_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const mined = { block: 1n, block_hash: '0x1', gas_used: 21_000n, gas_paid: '21000000000001' }
  await tx
    .insertInto('signed_transaction')
    .values({ hash: `0x${'c'.repeat(64)}`, move_id, raw: '', gas_price: '1000000001', made_at: at, ...mined })
    .execute()
  await bookCosts(tx, deps, await unbookedTransactions(tx, 1), 600n * ONE)
}

const PLAY_TOKEN = { token: `0x${'7'.repeat(40)}`, decimals: 18 }
const SENT_BY_US = { coin: PLAY_TOKEN, usd: PLAY_TOKEN, maxGasGwei: 1, inFlight: 1, hourUsd: 1, hourCoin: 1 }

/** Approves a payout for automatic sending, and cancels it before its signature. */
function sendingDeps(instance: Deps): Deps {
  const source = {
    xpub: '',
    addressGap: 200,
    confirmations: 12,
    large: { usd: 1, coin: 1, confirmations: 12 },
    startBlock: undefined,
    rpcUrl: 'http://127.0.0.1:1',
    secondRpcUrl: undefined,
  }
  const chain = { ...PLAY_TOKEN, chainId: 31_337, usd: undefined, ...source }
  return { ...instance, config: { ...instance.config, chain, payouts: SENT_BY_US } }
}

async function sendProceedsAndBack(tx: Tx, instance: Deps): Promise<void> {
  const deps = sendingDeps(instance)
  const { publicId } = await insertProceeds(tx, deps, { to: PAYOUT_ADDRESS.toLowerCase(), exact: 10n ** 18n })
  await cancelPlatformPayout(tx, deps, publicId, 'PROCEEDS')
}

async function payOutAndBack(
  tx: Tx,
  instance: Deps,
  { memberId, staffId, kind }: { memberId: bigint; staffId: bigint; kind: 'withdrawal' | 'bridge' },
): Promise<void> {
  const deps = sendingDeps(instance)
  const [amount, address] = [100n * ONE, PAYOUT_ADDRESS]
  await confirmPayoutAddress(tx, memberId)
  const { id } = await (kind === 'bridge'
    ? requestBridge(tx, deps, { memberId, amount, address, network: 0 })
    : requestWithdrawal(tx, deps, { memberId, amount, address }))
  await approvePayout(tx, deps, { payoutId: id, kind, staffId, reason: 'checked', ...byOne })
  await cancelSending(tx, deps, { id, kind })
}

/** Returns a held payment to its payer, and cancels the return. */
async function returnAndCancel(tx: Tx, deps: Deps, memberId: bigint): Promise<void> {
  const deposit = await insertHeldPayment(tx, deps, { memberId, usd: PLAY_TOKEN.token })
  const id = await returnPayments(tx, deps, { deposit, asset: 'usd', amount: 10n * ONE, address: PAYOUT_ADDRESS })
  await cancelPlatformPayout(tx, deps, id, 'RETURN')
}

/** Reverses the newest deposit, a spent one as a loss, and each reversible kind's newest transfer, by two staff members. */
async function reverseTransfers(tx: Tx, deps: Deps, memberId: bigint, staffId: bigint): Promise<void> {
  const checker = await castId(tx, 'checker@example.com')
  for (const kind of ['deposit', 'userToUser', 'nftToDeposit']) {
    const { id } = await tx
      .selectFrom('ledger_transfer')
      .select('id')
      .where('kind', '=', kind)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const change = await proposeTransferReversal(
      tx,
      deps,
      { memberId: staffId, role: 'ADMIN' },
      { id: String(id), reason: 'a mistake', coversLoss: false },
    )
    await approveProposal(tx, deps, { memberId: checker, role: 'ADMIN' }, { id: change })
  }
  // Not the member of the other steps, who needs the money.
  const { rows } = await sql<{ id: bigint }>`select t.id from ledger_transfer t join ledger_account a on a.id = t.credit_account
    where t.kind = 'deposit' and a.balance < t.amount and a.owner_id <> ${memberId} order by t.id limit 1`.execute(tx)
  const spent = await proposeTransferReversal(
    tx,
    deps,
    { memberId: staffId, role: 'ADMIN' },
    { id: String(rows[0]?.id), reason: 'gone from the chain', coversLoss: true },
  )
  await approveProposal(tx, deps, { memberId: checker, role: 'ADMIN' }, { id: spent })
}

async function undoNew(tx: Tx, deps: Deps, memberId: bigint): Promise<void> {
  const { coinPrice } = await currentSettings(tx, deps.clock.now())
  const coinAmount = 1_234_567_891n * 100n
  const quote = quoteBuy(coinAmount, coinPrice)
  await reverseCoinPurchase(tx, deps, await buyToken(tx, deps, { memberId, coinAmount, coinPrice, totalPrice: quote.totalPrice }))
  const plan = await tx.selectFrom('stake_plan').selectAll().where('name', '=', 'Sprint').executeTakeFirstOrThrow()
  const stakeAmount = 600n * ONE
  const { stakeId } = await openStake(tx, deps, {
    memberId,
    planId: plan.public_id,
    planName: plan.name,
    duration: plan.duration_days,
    apy: plan.apy,
    dailyRoy: dailyReward(stakeAmount, plan.apy, plan.duration_days),
    stakeAmount,
    wallet: 'nativewallet',
  })
  await reverseStake(tx, deps, stakeId)
  const nft = await tx.selectFrom('nft').select('public_id').where('kind', '=', 'land').executeTakeFirstOrThrow()
  for (const payby of ['nativewallet', 'depositwallet'] as const) {
    const purchaseId = await buyNft(tx, deps, { memberId, nftId: nft.public_id, walletName: 'land', payby })
    await reverseNft(tx, deps, purchaseId)
  }
}

/** Creates two hosted orders: one with a manual credit, and one pending. */
async function decideByHand(tx: Tx, deps: Deps, memberId: bigint, staffId: bigint): Promise<void> {
  const at = deps.clock.now()
  for (const publicId of ['by-hand', 'waiting']) {
    await tx
      .insertInto('deposit')
      .values({
        public_id: publicId,
        member_id: memberId,
        method: 'hosted',
        description: 'USDT',
        amount: 50n * ONE,
        usd_amount: 50n * ONE,
        created_at: at,
      })
      .execute()
  }
  for (const who of [staffId, await castId(tx, 'checker@example.com')]) {
    const needsTwo = () => Promise.resolve(true)
    await approveDeposit(tx, deps, { depositId: 'by-hand', staffId: who, reason: 'seen at the provider', amount: 50n * ONE, needsTwo })
  }
}
