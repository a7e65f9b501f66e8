import { allRoutes } from '@tizara/contract/all-routes'
import { dailyReward, formatUnits, ONE, quoteBuy } from '@tizara/money'

/** Plan for the stakes, with percentages and days in the format of the API. */
export const STAKE_PLAN = { planId: 'bench-plan', planName: 'Bench', duration: 100, apy: 10 }
/** Name of an NFT of each kind. */
export const NFT_PLAN = { dome: 'bench-dome', wagon: 'bench-wagon', hotelAndResort: 'bench-hotel', land: 'bench-land' }
/** Price of each NFT in USD units. */
export const NFT_PRICE = 80n * ONE

/** Receiver of every payout. */
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const random = (below: number) => Math.floor(Math.random() * below)

/** Money route that the benchmark calls. */
export interface MoneyRoute {
  name: string
  path: string
  /** Kind of the route's posting. */
  kind: string
  /**
   * Builds a call's body.
   * @param turn number of the call template, from 0
   * @param receiver email address of a member who may be paid
   */
  body(turn: number, receiver: string): object
}

const stakeAmount = 80
const needed = 1_000n * ONE
const coinPrice = 800_000n

const bodies: Readonly<Record<string, Pick<MoneyRoute, 'kind' | 'body'>>> = {
  userToUserDeposit: { kind: 'userToUser', body: (_, email) => ({ amount: (500 + random(9_500)) / 100, email }) },
  buyToken: {
    kind: 'buyToken',
    body: () => ({ coinPrice: 0.008, coinAmount: 1_000, totalPrice: Number(formatUnits(quoteBuy(needed, coinPrice).totalPrice)) }),
  },
  withdrawDeposit: { kind: 'withdrawal', body: () => ({ amount: 80, address: ADDRESS }) },
  nftToDepositWallet: { kind: 'nftToDeposit', body: () => ({ amount: 8 }) },
  convertToMyWallet: { kind: 'convertToMyWallet', body: () => ({ usd: 8 }) },
  bridge: { kind: 'bridge', body: () => ({ to: ADDRESS, amount: 80 }) },
  myWalletToUsd: { kind: 'myWalletToUsd', body: () => ({ amount: 2_000 }) },
  swapNativeToMyWallet: { kind: 'swapNative', body: () => ({ amount: 8 }) },
  withdrawRcmCoin: { kind: 'rcmToUsd', body: () => ({ amount: 80 }) },
  exchangeToMyWallet: { kind: 'exchange', body: () => ({ amount: 0.01 }) },
  openStake: {
    kind: 'stake',
    body: () => ({
      ...STAKE_PLAN,
      stakeAmount,
      wallet: 'nativewallet',
      dailyRoy: Number(formatUnits(dailyReward(BigInt(stakeAmount) * ONE, BigInt(STAKE_PLAN.apy) * ONE, STAKE_PLAN.duration))),
    }),
  },
  buyNft: {
    kind: 'nftPurchase',
    body: (turn) => {
      const [walletName, nftId] = Object.entries(NFT_PLAN)[turn % 4] ?? ['dome', NFT_PLAN.dome]
      return { payby: turn % 8 < 4 ? 'depositwallet' : 'nativewallet', walletName, nftId }
    },
  },
}

const BY_PEOPLE = 'a person of the staff decides about one item, which is decided once; no load of it exists'

/** Money routes that the benchmark does not call, each with the reason. */
export const NOT_MEASURED: Readonly<Record<string, string>> = {
  createPayment: 'waits for the payment provider in the middle, outside of any transaction; moves no balance; few may be open at once',
  createInvoice:
    'opens an address to pay to and moves no balance; a member may have few open at once, so that a load would measure refusals',
  approveRequest: BY_PEOPLE,
  rejectRequest: BY_PEOPLE,
  stopSending: BY_PEOPLE,
  reversePurchase: BY_PEOPLE,
  creditRcm: BY_PEOPLE,
  fundRewardPool: BY_PEOPLE,
}

/**
 * Returns the contract's money routes with a load.
 * @throws Error for a route with neither a load nor a reason
 */
export function moneyRoutes(): MoneyRoute[] {
  const routes = allRoutes.filter((route) => route.money === true && NOT_MEASURED[route.name] === undefined)
  return routes.map(({ name, path }) => {
    const load = bodies[name]
    if (load === undefined) throw new Error(`write a load for ${name}`)
    return { name, path, ...load }
  })
}
