import { createHash } from 'node:crypto'
import { dailyReward, exchangeShare, formatUnits, parseUnits, quoteBuy, type Units } from '@tizara/money'
import { balancesOf } from '../../ledger/index.ts'
import { buyToken } from '../../modules/coin/index.ts'
import { applyPayment, createInvoice } from '../../modules/deposits/index.ts'
import { memberByEmail } from '../../modules/members/index.ts'
import { buyNft } from '../../modules/nfts/index.ts'
import { currentSettings } from '../../modules/settings/index.ts'
import { approveRequest, rejectRequest } from '../../modules/staff/index.ts'
import { openStake } from '../../modules/staking/index.ts'
import { exchangeToMyWallet, moveBetweenWallets, sellCoin, sendToMember } from '../../modules/transfers/index.ts'
import { requestBridge, requestWithdrawal } from '../../modules/withdrawals/index.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { storyPaymentId } from '../index.ts'
import { demoLeader } from './cast.ts'
import type { Act, Decision, Stage } from './story.ts'
import { writeTicket } from './write-ticket.ts'

/** Parses a plain decimal in the story. */
export function units(text: string): Units {
  const read = parseUnits(text)
  if (read === null) throw new Error(`the story has no amount ${text}`)
  return read
}

/** Members with one shared wallet, as an example of linked accounts. */
const HOUSEHOLD: Readonly<Record<string, string>> = { 'elif@example.com': 'bruno@example.com' }

/** Returns the payout address of a demo member. Only the shared wallet occurs twice. */
export function walletOf(email: string): string {
  if (email === demoLeader.email) return '0x52908400098527886E0F7030069857D2E4169EE7'
  const household = HOUSEHOLD[email] ?? email
  return `0x${createHash('sha256').update(`wallet of ${household}`).digest('hex').slice(0, 40)}`
}

async function ownWallet(tx: Tx, memberId: bigint): Promise<string> {
  const { email } = await tx.selectFrom('member').select('email').where('id', '=', memberId).executeTakeFirstOrThrow()
  return walletOf(email)
}

/** Performs one action of a demo member through the use cases of the routes. Coin arrives by a simulated payment. */
export async function perform(stage: Stage, memberId: bigint, act: Act): Promise<void> {
  if (act.do === 'receiveCoin') return receiveCoin(stage, memberId, units(act.coin))
  if (act.do === 'ticket') return writeTicket(stage, memberId, act)
  return inTransaction(stage.db, (tx) => performIn(tx, stage, memberId, act))
}

async function performIn(tx: Tx, stage: Stage, memberId: bigint, act: Exclude<Act, { do: 'receiveCoin' | 'ticket' }>): Promise<void> {
  const { deps } = stage
  switch (act.do) {
    case 'deposit':
      return deposit(tx, deps, memberId, units(act.usd))
    case 'buyCoin': {
      const { coinPrice } = await currentSettings(tx, deps.clock.now())
      const coinAmount = units(act.coin)
      await buyToken(tx, deps, { memberId, coinAmount, coinPrice, totalPrice: quoteBuy(coinAmount, coinPrice).totalPrice })
      return
    }
    case 'exchange': {
      const { newIcoWallet } = await balancesOf(tx, memberId)
      const { exchangeLimit } = await currentSettings(tx, deps.clock.now())
      await exchangeToMyWallet(tx, deps, { memberId, amount: exchangeShare(newIcoWallet, exchangeLimit) })
      return
    }
    case 'swap':
      await moveBetweenWallets(tx, deps, { move: 'swapNative', memberId, amount: units(act.coin) })
      return
    case 'sellCoin':
      await sellCoin(tx, deps, { memberId, wallet: 'icoWallet', amount: units(act.coin) })
      return
    case 'send':
      await sendToMember(tx, deps, { senderId: memberId, amount: units(act.usd), email: act.to })
      return
    case 'stake':
      return stake(tx, deps, memberId, act)
    case 'buyNft': {
      const nft = await tx.selectFrom('nft').select('public_id').where('kind', '=', act.kind).executeTakeFirstOrThrow()
      await buyNft(tx, deps, { memberId, nftId: nft.public_id, walletName: act.kind, payby: act.payby })
      return
    }
    case 'withdraw': {
      const { id } = await requestWithdrawal(tx, deps, { memberId, amount: units(act.usd), address: await ownWallet(tx, memberId) })
      return decide(tx, stage, { kind: 'withdrawals', id }, act.decide)
    }
    case 'bridge': {
      const { id } = await requestBridge(tx, deps, {
        memberId,
        amount: units(act.coin),
        address: await ownWallet(tx, memberId),
        network: 0,
      })
      return decide(tx, stage, { kind: 'bridges', id }, act.decide)
    }
  }
}

/** Decides a payout as in the console. Above the limit a second person approves too, unless the story leaves it open. */
async function decide(
  tx: Tx,
  { deps, staff }: Stage,
  payout: { kind: 'withdrawals' | 'bridges'; id: string },
  how: Decision,
): Promise<void> {
  const [maker, checker] = [staff.admin, staff.checker].map((memberId) => ({ memberId, role: 'ADMIN' as const }))
  if (how === undefined || maker === undefined || checker === undefined) return
  if (how === 'reject') return rejectRequest(tx, deps, maker, { ...payout, reason: 'please confirm the address with support' })
  const { status } = await approveRequest(tx, deps, maker, { ...payout, reason: 'checked' })
  if (status === 'WAITING' && how === 'approve') await approveRequest(tx, deps, checker, { ...payout, reason: 'checked by me too' })
}

async function stake(tx: Tx, deps: Deps, memberId: bigint, act: Extract<Act, { do: 'stake' }>): Promise<void> {
  const plan = await tx.selectFrom('stake_plan').selectAll().where('name', '=', act.plan).executeTakeFirstOrThrow()
  const stakeAmount = units(act.coin)
  await openStake(tx, deps, {
    memberId,
    planId: plan.public_id,
    planName: plan.name,
    duration: plan.duration_days,
    apy: plan.apy,
    dailyRoy: dailyReward(stakeAmount, plan.apy, plan.duration_days),
    stakeAmount,
    wallet: act.wallet,
  })
}

/** Inserts a hosted payment reported as paid, with its request and credit. */
async function deposit(tx: Tx, deps: Deps, memberId: bigint, amount: Units): Promise<void> {
  const orderId = deps.ids.publicId()
  const { id } = await tx
    .insertInto('deposit')
    .values({
      public_id: orderId,
      member_id: memberId,
      method: 'hosted',
      description: 'USDT',
      amount,
      usd_amount: amount,
      created_at: deps.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const paid = { orderId, payCurrency: 'usdtbsc', actuallyPaid: amount, paidText: formatUnits(amount) }
  await applyPayment(tx, deps, id, { paymentId: storyPaymentId(orderId, amount), status: 'settled', ...paid })
}

/** Creates and pays an in-app invoice. The watcher credits it at the required depth. */
async function receiveCoin({ db, deps, chain }: Stage, memberId: bigint, amount: Units): Promise<void> {
  const { invoiceId } = await inTransaction(db, (tx) => createInvoice(tx, deps, { chain }, { memberId, amount, asset: 'COIN' }))
  const invoice = await db.selectFrom('deposit').select('address').where('public_id', '=', invoiceId).executeTakeFirstOrThrow()
  const now = deps.clock.now()
  if (invoice.address === null) throw new Error('an invoice without an address')
  chain.pay({ address: invoice.address, amount, minedAt: now })
}

export async function castId(db: Db, email: string): Promise<bigint> {
  const member = await memberByEmail(db, email)
  if (member === undefined) throw new Error(`${email} is not in the cast`)
  return member.id
}
