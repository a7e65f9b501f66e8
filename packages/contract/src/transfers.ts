import * as v from 'valibot'
import { amount, answerId, coinInput, email, extra, id, line, maxAmount, minAmount, moment, usdInput } from './fields.ts'
import { inputErrors } from './errors.ts'
import { CONVERT_MIN, CONVERT_STEP, SWAP_TO_USD_MIN, TRANSFER_MAX, USER_TRANSFER_MIN } from './limits.ts'
import { listOf, ownList } from './paging.ts'
import { stepUpToken } from './proof.ts'
import { memberAct, memberRead, nothing } from './route.ts'
import { done, rowExtras } from './wallets.ts'

export const exchangeToMyWallet = memberAct({
  name: 'exchangeToMyWallet',
  path: '/tizara-exchagne-and-convart/exchange-to-my-wallet',
  money: true,
  needsTerms: false,
  summary: 'Moves the allowed share of the ICO wallet to My Wallet (API-38, MF-05).',
  body: v.object({ amount: coinInput }),
  reply: done('exchange'),
  errors: ['INVALID_AMOUNT', 'EXCHANGE_TOO_SOON', 'INSUFFICIENT_BALANCE'],
})

export const convertToMyWallet = memberAct({
  name: 'convertToMyWallet',
  path: '/tizara-exchagne-and-convart/convart-to-my-wallet',
  money: true,
  quoted: true,
  summary: 'Converts USD of the NFT wallet into coin of My Wallet (API-39, MF-06), in steps of 0.5 USD.',
  body: v.object({
    usd: v.pipe(
      usdInput,
      minAmount(CONVERT_MIN),
      v.check((usd) => usd % CONVERT_STEP === 0n, inputErrors.INVALID_AMOUNT.message),
    ),
  }),
  reply: done('transfer'),
  errors: ['PRICE_CHANGED', 'INSUFFICIENT_BALANCE', 'COIN_SOLD_OUT'],
})

export const nftToDepositWallet = memberAct({
  name: 'nftToDepositWallet',
  path: '/usd-transfer/nft-to-deposit-wallet',
  money: true,
  needsTerms: false,
  summary: 'Moves USD from the NFT wallet to the deposit wallet (API-40, MF-08).',
  body: v.object({ amount: v.pipe(usdInput, maxAmount(TRANSFER_MAX)) }),
  reply: done('transfer'),
  errors: ['INSUFFICIENT_BALANCE'],
})

export const userToUserDeposit = memberAct({
  name: 'userToUserDeposit',
  path: '/usd-transfer/user-to-user-deposit',
  money: true,
  summary:
    "Sends USD of the deposit wallet to another member (API-41, MF-09). Above the 24-hour limit for small sums it awaits the member's confirmation, unless `stepUp` is given.",
  body: v.object({ amount: v.pipe(usdInput, minAmount(USER_TRANSFER_MIN), maxAmount(TRANSFER_MAX)), email, stepUp: stepUpToken }),
  reply: done('transfer'),
  errors: [
    'INSUFFICIENT_BALANCE',
    'USER_NOT_FOUND',
    'TRANSFER_TO_SELF',
    'TOO_MANY_REQUESTS',
    'PAYOUTS_STOPPED',
    'PAYOUT_HELD',
    'TRANSFER_CHECKED',
    'PAYOUT_DAY_COUNT',
    'PAYOUT_DAY_LIMIT',
    'STEP_UP_REFUSED',
  ],
})

/** The receiver of a transfer, before it is sent. */
export const findReceiver = memberAct({
  name: 'findReceiver',
  path: '/usd-transfer/receiver',
  summary: "Returns a receiver's initials, for an amount that the sender has. Rate-limited like transfers to unknown receivers (MF-09).",
  body: v.object({ amount: v.pipe(usdInput, minAmount(USER_TRANSFER_MIN), maxAmount(TRANSFER_MAX)), email }),
  reply: v.object({ initials: v.string() }),
  errors: ['INSUFFICIENT_BALANCE', 'USER_NOT_FOUND', 'TRANSFER_TO_SELF', 'TOO_MANY_REQUESTS'],
})

/** Most recent people that {@link payees} lists, besides those with a name. */
export const PAYEES_MAX = 8
/** Most people to whom a member gives a name. */
export const PAYEE_NAMES_MAX = 20

export const payees = memberRead({
  name: 'payees',
  path: '/usd-transfer/payees',
  summary:
    'Lists the people with a name that the member gave, and the 8 people that the member last sent USD to. Each is listed once, the newest transfer first. Accounts that can no longer receive money are left out (MF-09).',
  reply: v.object({
    data: v.array(
      v.object({
        email: v.string(),
        initials: v.string(),
        /** The newest transfer of the last year, if it is among the newest 300 movements. */
        amount: extra(amount),
        sentAt: extra(moment),
        /** Name that the member gave, which only the member sees. */
        name: extra(v.string()),
      }),
    ),
  }),
})

export const namePayee = memberAct({
  name: 'namePayee',
  path: '/usd-transfer/payees',
  summary:
    'Gives a name to a person of the list of payees, at most 20 people. An empty name removes it. Only the member sees the name (MF-09).',
  body: v.object({ email, name: v.union([v.literal(''), line(60)]) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'PAYEE_NAMES_FULL'],
})

export const myWalletToUsd = memberAct({
  name: 'myWalletToUsd',
  path: '/my-wallet/convart-to-usd',
  money: true,
  quoted: true,
  summary: 'Swaps coin of My Wallet into USD of the deposit wallet at the current price (API-42, MF-10).',
  body: v.object({ amount: v.pipe(coinInput, minAmount(SWAP_TO_USD_MIN)) }),
  reply: done('transfer'),
  errors: ['PRICE_CHANGED', 'INSUFFICIENT_BALANCE', 'SALES_FUND_SHORT'],
})

/** What the platform can pay now for coin that members sell. */
export const salesFund = memberRead({
  name: 'salesFund',
  path: '/my-wallet/sales-fund',
  summary: 'Returns the USD that the sales fund can pay for coin. A larger sale is rejected (MF-10, MF-11).',
  reply: v.object({ available: amount }),
})

/** Days for which a member may leave a sell request. */
export const SELL_REQUEST_DAYS = 90

export const leaveSellRequest = memberAct({
  name: 'leaveSellRequest',
  path: '/my-wallet/sell-requests',
  needsTerms: true,
  summary:
    'Creates a request to sell coin of My Wallet as soon as the sales fund has enough USD. Requests are served in order of time, before new sales, at the price then in force, never below `lowestPrice`. The coin stays in the wallet until then. A member has one open request (MF-10).',
  body: v.strictObject({
    amount: v.pipe(coinInput, minAmount(SWAP_TO_USD_MIN)),
    /** USD for one coin. */
    lowestPrice: coinInput,
    days: v.pipe(
      v.number(),
      v.integer('Invalid number of days'),
      v.minValue(1, 'Invalid number of days'),
      v.maxValue(SELL_REQUEST_DAYS, 'Invalid number of days'),
    ),
  }),
  reply: v.object({ id: answerId }),
  errors: ['INSUFFICIENT_BALANCE', 'SELL_REQUEST_OPEN'],
})

export const withdrawSellRequest = memberAct({
  name: 'withdrawSellRequest',
  path: '/my-wallet/sell-requests/withdraw',
  summary: 'Cancels the rest of an open sell request. Coin that was sold stays sold (MF-10).',
  body: v.strictObject({ id }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})

export const sellRequestStatuses = ['OPEN', 'SOLD', 'WITHDRAWN', 'EXPIRED'] as const

export const sellRequests = memberRead({
  name: 'sellRequests',
  path: '/my-wallet/sell-requests',
  summary: "Lists the member's 20 newest sell requests (MF-10).",
  reply: v.object({
    data: v.array(
      v.object({
        id: answerId,
        amount,
        /** Coin sold so far, and the USD that it brought. */
        sold: amount,
        received: amount,
        lowestPrice: amount,
        status: v.picklist(sellRequestStatuses),
        createdAt: moment,
        expiresAt: moment,
      }),
    ),
  }),
})

export const swapNativeToMyWallet = memberAct({
  name: 'swapNativeToMyWallet',
  path: '/my-wallet/swap-native-to-my-wallet',
  money: true,
  needsTerms: false,
  summary: 'Moves coin from the native wallet to My Wallet (API-45, MF-07).',
  body: v.object({ amount: coinInput }),
  reply: done('transfer'),
  errors: ['INSUFFICIENT_BALANCE'],
})

export const withdrawRcmCoin = memberAct({
  name: 'withdrawRcmCoin',
  path: '/special-rcm/withdraw-rcm-coin',
  money: true,
  quoted: true,
  summary: 'Swaps coin of the RCM wallet into USD of the deposit wallet; special members only (API-43, MF-11).',
  body: v.object({ amount: v.pipe(coinInput, maxAmount(TRANSFER_MAX)) }),
  reply: done('transfer'),
  errors: ['PRICE_CHANGED', 'SPECIAL_MEMBERS_ONLY', 'INSUFFICIENT_BALANCE', 'SALES_FUND_SHORT'],
})

/** Exchange (EN-17, EN-18). */
export const exchangeRow = v.object({
  createdAt: moment,
  user: v.object({ email: v.string() }),
  amount,
  ...rowExtras('exchange'),
})

export const exchangeHistory = ownList({
  name: 'exchangeHistory',
  path: '/exchange-settings/get-exchagne-history',
  history: 'exchange',
  summary: "Lists the member's exchanges (API-52).",
  reply: listOf(exchangeRow),
})
