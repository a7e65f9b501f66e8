import { dailyReward, exchangeShare, formatUnits, ONE, quoteBuy, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { balancesOf, type WalletKind } from '../src/ledger/index.ts'
import { buyToken, reverseCoinPurchase } from '../src/modules/coin/index.ts'
import { buyNft, reverseNft } from '../src/modules/nfts/index.ts'
import { creditRcm } from '../src/modules/rewards/index.ts'
import { currentSettings } from '../src/modules/settings/index.ts'
import { applyProposal } from '../src/modules/staff/proposals/apply-proposal.ts'
import { openStake, reverseStake } from '../src/modules/staking/index.ts'
import { convertToMyWallet, exchangeToMyWallet, moveBetweenWallets, sellCoin, sendToMember } from '../src/modules/transfers/index.ts'
import { approvePayout, rejectPayout, requestBridge, requestWithdrawal } from '../src/modules/withdrawals/index.ts'
import { AppError } from '../src/platform/runtime/app-error.ts'
import type { Db, Tx } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'
import { byOne, PAYOUT_ADDRESS as ADDRESS, type TestMember, confirmPayoutAddress } from './members.ts'

/** For tests: every money operation, as one member move. */

/** Short terms that fit into a test, with `apy` in percent units for the whole duration. */
export const PLANS = {
  sprint: { days: 5, apy: ONE / 5n, omega: false },
  long: { days: 15, apy: ONE, omega: false },
  omega: { days: 12, apy: (ONE * 9n) / 10n, omega: true },
} as const
export type PlanName = keyof typeof PLANS

/** Move parameters. `mille` is a wallet share, and `dust` adds units. */
export interface Play {
  who: TestMember
  other: TestMember
  mille: bigint
  dust: bigint
  plan: PlanName
  /** Wallet that pays for stakes and NFTs. */
  payby: 'depositwallet' | 'nativewallet' | 'mywallet'
}

type Rows = 'coin_purchase' | 'stake' | 'nft_purchase' | 'payout_request'
const OPEN: Record<Rows, string> = {
  coin_purchase: 'reversed_at is null',
  stake: `status = 'ACTIVE'`,
  nft_purchase: `status = 'ACTIVE'`,
  payout_request: `status = 'PENDING'`,
}

export const newest = async (tx: Db, table: Rows, who: TestMember) => {
  const found = await sql<{ id: string }>`
    select public_id as id from ${sql.table(table)} t where member_id = ${who.id} and ${sql.raw(OPEN[table])} order by t.id desc limit 1`.execute(
    tx,
  )
  return found.rows[0]?.id ?? 'none'
}

/** Returns the owners of the newest open rows, newest first; of `payout_sending`, those of payouts that can still return. */
export const ownersOfNewest = async (db: Db, table: Rows | 'payout_sending') => {
  const rows =
    table === 'payout_sending'
      ? sql`payout_request p join payout_sending s on s.request_id = p.id where s.ended_at is null`
      : sql`${sql.table(table)} p where ${sql.raw(OPEN[table])}`
  const found = await sql<{ member: bigint }>`select p.member_id as member from ${rows} order by p.id desc limit 3`.execute(db)
  return found.rows.map(({ member }) => member)
}

/** Returns a wallet share, plus some dust. */
const share = async (tx: Tx, { who, mille, dust }: Play, wallet: WalletKind) =>
  ((await balancesOf(tx, who.id))[wallet] * mille) / 1000n + dust

async function stake(tx: Tx, deps: Deps, play: Play) {
  const wallet = play.payby === 'mywallet' ? ('mywallet' as const) : ('nativewallet' as const)
  const stakeAmount = await share(tx, play, wallet === 'mywallet' ? 'icoWallet' : 'nativeWallet')
  const { days, apy } = PLANS[play.plan]
  const figures = { planId: play.plan, planName: play.plan, duration: days, apy, dailyRoy: dailyReward(stakeAmount, apy, days) }
  return openStake(tx, deps, { memberId: play.who.id, ...figures, stakeAmount, wallet })
}

async function buy(tx: Tx, deps: Deps, play: Play) {
  const { coinPrice } = await currentSettings(tx, deps.clock.now())
  const wallets = await balancesOf(tx, play.who.id)
  const coinAmount = (wallets.depositWallet * ONE * play.mille) / (coinPrice * 1000n) + play.dust
  return buyToken(tx, deps, { memberId: play.who.id, coinAmount, coinPrice, totalPrice: quoteBuy(coinAmount, coinPrice).totalPrice })
}

/** Returns the newest unreversed transfer to another member. */
export const newestSent = async (tx: Db, who: TestMember) => {
  const found = await sql<{ id: bigint }>`select id from ledger_transfer t where kind = 'userToUser' and debit_account / 16 = ${who.id}
    and not exists (select from ledger_reversal r where r.reverses = t.id) order by id desc limit 1`.execute(tx)
  return found.rows[0]?.id
}

/** Coin units in a platform gift. */
export const GIFT: Units = 1000n * ONE

/** Moves that either succeed or are refused. `staffId` makes the staff decisions. */
export const moves = {
  buy,
  stake,
  exchange: async (tx, deps, { who }) => {
    const { exchangeLimit } = await currentSettings(tx, deps.clock.now())
    const { newIcoWallet } = await balancesOf(tx, who.id)
    return exchangeToMyWallet(tx, deps, { memberId: who.id, amount: exchangeShare(newIcoWallet, exchangeLimit) })
  },
  swap: async (tx, deps, play) =>
    moveBetweenWallets(tx, deps, { move: 'swapNative', memberId: play.who.id, amount: await share(tx, play, 'nativeWallet') }),
  nftToDeposit: async (tx, deps, play) =>
    moveBetweenWallets(tx, deps, { move: 'nftToDeposit', memberId: play.who.id, amount: await share(tx, play, 'nftWallet') }),
  convert: async (tx, deps, play) => convertToMyWallet(tx, deps, { memberId: play.who.id, usd: await share(tx, play, 'nftWallet') }),
  sell: async (tx, deps, play) =>
    sellCoin(tx, deps, { memberId: play.who.id, wallet: 'icoWallet', amount: await share(tx, play, 'icoWallet') }),
  sellRcm: async (tx, deps, play) =>
    sellCoin(tx, deps, { memberId: play.who.id, wallet: 'rcmWallet', amount: await share(tx, play, 'rcmWallet') }),
  send: async (tx, deps, play) =>
    sendToMember(tx, deps, { senderId: play.who.id, amount: await share(tx, play, 'depositWallet'), email: play.other.email }),
  withdraw: async (tx, deps, play) => {
    await confirmPayoutAddress(tx, play.who.id, ADDRESS)
    return requestWithdrawal(tx, deps, { memberId: play.who.id, amount: await share(tx, play, 'depositWallet'), address: ADDRESS })
  },
  bridge: async (tx, deps, play) => {
    await confirmPayoutAddress(tx, play.who.id, ADDRESS)
    return requestBridge(tx, deps, { memberId: play.who.id, amount: await share(tx, play, 'icoWallet'), address: ADDRESS, network: 0 })
  },
  approve: async (tx, deps, { who }, staffId) =>
    approvePayout(tx, deps, { payoutId: await newest(tx, 'payout_request', who), staffId, reason: 'test', ...byOne }),
  reject: async (tx, deps, { who }, staffId) =>
    rejectPayout(tx, deps, { payoutId: await newest(tx, 'payout_request', who), staffId, reason: 'test' }),
  nft: (tx, deps, { who, payby }) => buyNft(tx, deps, { memberId: who.id, nftId: 'wagon', walletName: 'wagon', payby }),
  reverseCoin: async (tx, deps, { who }) => reverseCoinPurchase(tx, deps, await newest(tx, 'coin_purchase', who)),
  reverseStake: async (tx, deps, { who }) => reverseStake(tx, deps, await newest(tx, 'stake', who)),
  reverseNft: async (tx, deps, { who }) => reverseNft(tx, deps, await newest(tx, 'nft_purchase', who)),
  /** Two staff members reverse the member's newest transfer. */
  reverseTransfer: async (tx, deps, { who }, staffId) => {
    const transferId = await newestSent(tx, who)
    if (transferId === undefined) throw new AppError('NOT_FOUND')
    const proposalId = deps.ids.publicId()
    const checker = await tx.selectFrom('member').select('id').where('id', '<>', staffId).orderBy('id').limit(1).executeTakeFirstOrThrow()
    const { amount } = await tx.selectFrom('ledger_transfer').select('amount').where('id', '=', transferId).executeTakeFirstOrThrow()
    const value = { transferId: String(transferId), what: '', asset: 'usd' as const, amount, from: '', to: '' }
    await tx
      .insertInto('staff_proposal')
      .values({
        public_id: proposalId,
        subject: 'reversal',
        value: JSON.stringify({ ...value, amount: Number(formatUnits(amount)) }),
        base: 'null',
        reason: 'test',
        status: 'APPROVED',
        proposed_by: staffId,
        decided_by: checker.id,
        created_at: deps.clock.now(),
        decided_at: deps.clock.now(),
        proposer_mac: Buffer.from('test'),
      })
      .execute()
    const change = { subject: 'reversal' as const, value, reason: 'test' }
    const maker = { memberId: staffId, role: 'ADMIN' as const }
    await applyProposal(tx, deps, change, { proposer: maker, approverId: checker.id, proposalId })
  },
  gift: (tx, deps, { who }, staffId) =>
    creditRcm(tx, deps, { memberId: who.id, amount: GIFT, by: { memberId: staffId, role: 'ADMIN' }, reason: 'test' }),
} satisfies Record<string, (tx: Tx, deps: Deps, play: Play, staffId: bigint) => Promise<unknown>>
export type MoveName = keyof typeof moves
/** External money sources: provider payments, coin deposits, and outside coin sales. */
export type ExternalSource = 'bringUsd' | 'bringCoin' | 'sellOutside'

/** Maps every money route to the moves that play it, or to the reason for having none. */
export const MOVES_OF_CALLS: Readonly<Record<string, readonly (MoveName | ExternalSource)[] | string>> = {
  buyToken: ['buy'],
  openStake: ['stake'],
  buyNft: ['nft'],
  userToUserDeposit: ['send'],
  swapNativeToMyWallet: ['swap'],
  nftToDepositWallet: ['nftToDeposit'],
  convertToMyWallet: ['convert'],
  myWalletToUsd: ['sell'],
  withdrawRcmCoin: ['sellRcm'],
  exchangeToMyWallet: ['exchange'],
  withdrawDeposit: ['withdraw'],
  bridge: ['bridge', 'sellOutside'],
  approveRequest: ['approve'],
  rejectRequest: ['reject'],
  stopSending: 'returns an unsent payout, like a rejection',
  reversePurchase: ['reverseCoin', 'reverseStake', 'reverseNft'],
  createPayment: ['bringUsd'],
  creditRcm: ['gift'],
  createInvoice: ['bringCoin'],
  fundRewardPool: "the operator's money into the pool",
}
