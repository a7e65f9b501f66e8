import { dailyReward, exchangeShare, formatUnits, ONE, quoteBuy, type Units } from '@tizara/money'
import { createPorts } from '../src/main/ports.ts'
import { bindRoutes } from '../src/main/routes.ts'
import { balancesOf, type WalletKind } from '../src/ledger/index.ts'
import type { DepositPorts } from '../src/modules/deposits/ports.ts'
import { currentSettings } from '../src/modules/settings/index.ts'
import { readConfig } from '../src/platform/config/config.ts'
import type { Db } from '../src/platform/db/database.ts'
import { type TestReply, testApp } from './app.ts'
import { createTestMember, PAYOUT_ADDRESS, TEST_PASSWORD } from './members.ts'
import { GIFT, type MoveName, newest, newestSent, type PlanName, PLANS, type Play } from './money-moves.ts'
import { SENT_BY_US } from './money-calls.ts'
import type { TestInstance } from './test-instance.ts'

/** For tests: a member's moves as HTTP calls in a session. */

/** Time in ms for which a session's token is used, less than it is valid. */
const SESSION_MS = 5 * 60_000

/** Converts units to a JSON number. The game's amounts are far below 2^53 units. */
export const json = (units: Units) => Number(formatUnits(units))

/** Stake plans by name, with `apy` in percent units for the whole duration. */
export type Plans = Readonly<Record<PlanName, { days: number; apy: Units; omega: boolean }>>

/** Calls over HTTP, by members and by two staff members. */
export type Wire = Awaited<ReturnType<typeof openWire>>

/**
 * Opens the HTTP app with its staff.
 * @param deposits the ports of deposits, if invoices are paid
 */
export async function openWire({ db, clock }: Pick<TestInstance, 'db' | 'clock'>, deposits?: DepositPorts) {
  const real = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
  const ports = deposits === undefined ? real : { ...real, deposits }
  const app = await testApp(db, { clock, env: SENT_BY_US, routes: (bind) => bindRoutes(bind, ports) })
  const [maker, checker] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
  const sessions = new Map<bigint, { token: string; until: number }>()
  /** Returns a session's token. Concurrent calls reuse sessions, so that they arrive at the same moment. */
  const tokenOf = async (who: { id: bigint }) => {
    const [known, now] = [sessions.get(who.id), clock.now().getTime()]
    if (known !== undefined && known.until > now) return known.token
    const { token } = await app.signIn(who.id)
    sessions.set(who.id, { token, until: now + SESSION_MS })
    return token
  }
  const call = async (who: { id: bigint }, path: string, body: object): Promise<TestReply> => {
    const reply = await app.call('POST', path, { token: await tokenOf(who), body })
    // Blocking a member ends the sessions.
    if (reply.status === 401) sessions.delete(who.id)
    // A refusal is a valid result, and a 5xx is a fault.
    if (reply.status >= 500) throw new Error(`${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  const done = async (reply: Promise<TestReply>) => (await reply).status === 200
  const byTwo = async (reply: Promise<TestReply>) => {
    const { status, body } = await reply
    const id = body.data?.proposalId
    return id === undefined ? status === 200 : done(call(checker, `/staff/changes/${id}/approve`, { reason: 'test' }))
  }
  return { db, clock, maker, checker, tokenOf, call, done, byTwo }
}

/**
 * Prepares purchases: reads their figures, and returns the call. Prepared calls that start together arrive in one turn of the server, which
 * then decides them in one batch.
 */
export const salesByWire = ({ db, clock, call, done }: Pick<Wire, 'db' | 'clock' | 'call' | 'done'>, plans: Plans) => ({
  buy: async (play: Play) => {
    const { coinPrice } = await currentSettings(db, clock.now())
    const coin = ((await balancesOf(db, play.who.id)).depositWallet * ONE * play.mille) / (coinPrice * 1000n) + play.dust
    const { totalPrice } = quoteBuy(coin < 0n ? 0n : coin, coinPrice)
    const body = { coinAmount: json(coin), coinPrice: json(coinPrice), totalPrice: json(totalPrice) }
    return async () => coin > 0n && done(call(play.who, '/buy-token', body))
  },
  stake: async (play: Play) => {
    const wallet = play.payby === 'mywallet' ? 'mywallet' : 'nativewallet'
    const amount = await share(db, play, wallet === 'mywallet' ? 'icoWallet' : 'nativeWallet')
    const { days, apy } = plans[play.plan]
    const figures = { stakeAmount: json(amount), apy: json(apy), dailyRoy: amount < 0n ? 0 : json(dailyReward(amount, apy, days)) }
    const body = { planId: play.plan, planName: play.plan, duration: days, ...figures, wallet }
    return () => done(call(play.who, '/stack-now', body))
  },
  nft: async ({ who, payby }: Play) => {
    const body = { nftId: 'wagon', walletName: 'wagon', payby }
    return () => done(call(who, '/nft-purchese', body))
  },
})

/** Returns a wallet share, plus some dust. */
const share = async (db: Db, { who, mille, dust }: Play, wallet: WalletKind) =>
  ((await balancesOf(db, who.id))[wallet] * mille) / 1000n + dust

/** Plays moves over HTTP. */
export async function movesByWire(
  instance: Pick<TestInstance, 'db' | 'clock'>,
  plans: Plans = PLANS,
  wire?: Wire,
): Promise<(move: MoveName, play: Play) => Promise<boolean>> {
  const { db, clock, maker, checker, call, done, byTwo } = wire ?? (await openWire(instance))
  const sales = salesByWire({ db, clock, call, done }, plans)
  /** Sends a call with a wallet share only. */
  const part = (path: string, wallet: WalletKind) => async (play: Play) =>
    done(call(play.who, path, { amount: json(await share(db, play, wallet)) }))

  /** Files a payout and confirms it with the owner's password. */
  const payout = async ({ who }: Play, path: string, body: object) => {
    const filed = await call(who, path, body)
    if (filed.status !== 200) return false
    return done(call(who, `/withdrawals/requests/${filed.body.data.receipt.id}/confirm`, { password: TEST_PASSWORD }))
  }
  const decide = async ({ who }: Play, how: 'approve' | 'reject') => {
    const id = await newest(db, 'payout_request', who)
    const found = await db.selectFrom('payout_request').select(['kind', 'confirmed_at']).where('public_id', '=', id).executeTakeFirst()
    if (found === undefined) return false
    const path = `/staff/queues/${found.kind === 'bridge' ? 'bridges' : 'withdrawals'}/${id}/${how}`
    const first = await call(maker, path, { reason: 'test' })
    return first.body.data?.status === 'WAITING' ? done(call(checker, path, { reason: 'test' })) : first.status === 200
  }
  const undo = async ({ who }: Play, kind: string, table: Parameters<typeof newest>[1]) => {
    const id = await newest(db, table, who)
    return id !== 'none' && byTwo(call(maker, `/staff/purchases/${kind}/${id}/reverse`, { reason: 'test' }))
  }

  const played: Record<MoveName, (play: Play) => Promise<boolean>> = {
    buy: async (play) => (await sales.buy(play))(),
    stake: async (play) => (await sales.stake(play))(),
    exchange: async ({ who }) => {
      const { exchangeLimit } = await currentSettings(db, clock.now())
      const amount = json(exchangeShare((await balancesOf(db, who.id)).newIcoWallet, exchangeLimit))
      return done(call(who, '/tizara-exchagne-and-convart/exchange-to-my-wallet', { amount }))
    },
    swap: part('/my-wallet/swap-native-to-my-wallet', 'nativeWallet'),
    nftToDeposit: part('/usd-transfer/nft-to-deposit-wallet', 'nftWallet'),
    convert: async (play) => {
      const usd = await share(db, play, 'nftWallet')
      return done(call(play.who, '/tizara-exchagne-and-convart/convart-to-my-wallet', { usd: json(usd - (usd % (ONE / 2n))) }))
    },
    sell: part('/my-wallet/convart-to-usd', 'icoWallet'),
    sellRcm: part('/special-rcm/withdraw-rcm-coin', 'rcmWallet'),
    send: async (play) => {
      const amount = json(await share(db, play, 'depositWallet'))
      return done(call(play.who, '/usd-transfer/user-to-user-deposit', { amount, email: play.other.email }))
    },
    withdraw: async (play) => {
      const amount = json(await share(db, play, 'depositWallet'))
      return payout(play, '/deposit-wallet/transfer-deposit-wallet', { amount, address: PAYOUT_ADDRESS })
    },
    bridge: async (play) => payout(play, '/withdrow-request', { amount: json(await share(db, play, 'icoWallet')), to: PAYOUT_ADDRESS }),
    approve: (play) => decide(play, 'approve'),
    reject: (play) => decide(play, 'reject'),
    nft: async (play) => (await sales.nft(play))(),
    reverseCoin: (play) => undo(play, 'coin', 'coin_purchase'),
    reverseStake: (play) => undo(play, 'stake', 'stake'),
    reverseNft: (play) => undo(play, 'nft', 'nft_purchase'),
    reverseTransfer: async ({ who }) => {
      const id = await newestSent(db, who)
      return id !== undefined && byTwo(call(maker, `/staff/ledger/transfers/${id}/reverse`, { reason: 'test' }))
    },
    gift: ({ who }) => byTwo(call(maker, `/staff/members/${who.publicId}/credit-rcm`, { amount: json(GIFT), reason: 'test' })),
  }
  return (move, play) => played[move](play)
}
