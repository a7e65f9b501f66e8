/**
 * Responses from a server with only the specified calls and keys (API and EN rows), without this product's additions. Derived from
 * docs/requirements.md, never from our server. Figures have the decimals of JavaScript division, as such a server computes them.
 */

/** 5 March 2026, 14:07 in the browser's time zone. */
export const at = new Date(2026, 2, 5, 14, 7).toISOString()

const meta = { total: 1, page: 1, limit: 25 }
/** List form (API-11), and one level deeper (API-12, API-71, API-72). */
const list = (...rows: readonly object[]) => ({ data: rows, meta: { ...meta, total: rows.length } })
const deep = (row: object) => ({ data: list(row) })

/** 1000 / 100 × 120 / 365 in JavaScript. */
const dailyRoy = ((1000 / 100) * 120) / 365
const monthlyRoi = ((250 / 100) * 40) / 12
const user = { email: 'bo@gmail.com', name: 'Bo Li' }
const userStake = { planName: 'Gold', stakeAmount: 1000, apy: 120, duration: 365 }
const stake = { ...userStake, wallet: 'mywallet', dailyRoy, createdAt: at, status: 'ACTIVE' }
const bounty = {
  profit: dailyRoy / 10,
  level: 1,
  createdAt: at,
  dailyBonus: { dailyRoy, userStake: { user, planName: 'Gold', duration: 365 } },
}
const dome = {
  id: 'nft-1',
  name: 'Lake Dome',
  title: 'Under the stars',
  walletName: 'dome',
  quantity: 2500,
  price: 250,
  duration: 12,
  dailyRoi: 40,
  status: 'ACTIVE',
}
const bought = { ...dome, monthlyRoi, totalRoi: 100, paidBy: 'depositwallet', lastDistributionDate: at }
const ticket = { id: 'ticket-1', title: 'Not arrived', description: 'I sent 250 USDT', image: '', status: 'OPEN', createdAt: at }
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const person = (id: string, name: string, children: readonly object[]) => ({
  id,
  name,
  email: `${id}@gmail.com`,
  rank: null,
  referralCode: 'AMARA7',
  myReferralCode: `CODE${id}`,
  stakes: [{ stakeAmount: 1000.25, createdAt: at }],
  children,
})

/** EN-09: optional keys may be missing, here profileImage. */
export const specProfile = {
  id: 'member-1',
  name: 'Amara Obi',
  status: true,
  isVerified: true,
  isActive: true,
  rank: 'gold',
  isSpecialRcm: true,
  myReferralCode: 'AMARA7',
  referralCount: 14,
}

/** EN-08. */
export const specBalances = {
  depositWallet: 200,
  nativeWallet: 5000.5,
  icoWallet: 3000,
  newIcoWallet: 1234.567,
  stakeWallet: 640,
  nftWallet: 50.25,
  rcmWallet: 0.1 + 4200.2,
}

/** Each read's data, by method and path below the base (API-50 to API-90). */
export const specReads: Readonly<Record<string, unknown>> = {
  'GET /general-settings': { coinPrice: 0.008, minCoin: 1, maxCoin: 10_000_000 },
  // Clients use only the first element (EN-16).
  'GET /exchange-settings': [{ exchangeLimit: 10 }, { exchangeLimit: 50 }],
  'GET /exchange-settings/get-exchagne-history': list({ createdAt: at, user: { email: 'amara@gmail.com' }, amount: 123.4567 }),
  'GET /popup': { title: 'Maintenance', message: 'On Sunday', isActive: true },
  'GET /profile': specProfile,
  'GET /profile/my-team': list({ name: 'Bo Li', email: 'bo@gmail.com', myReferralCode: 'CODEbo', updatedAt: at }),
  'GET /nft-wallets/my-nft-wallet': {
    dome: 2,
    domePrice: 500,
    wagon: 0,
    wagonPrice: 0,
    hotelAndResort: 0,
    hotelAndResortPrice: 0,
    land: 0,
    landPrice: 0,
  },
  'GET /user-wallet': specBalances,
  'GET /home/user/count': { dailyBonusCount: dailyRoy, transactionHistoryCount: 50.5, dailyStakeLogsBonus: 20 },
  'GET /deposit-request': list({ status: 'APPROVE', amount: 100 }, { status: 'PENDING', amount: 50 }, { status: 'APPROVE', amount: 0.5 }),
  'GET /stack-bonus-history': list({ bonusAmount: 50.5, email: 'bo@gmail.com', level: 3, createdAt: at }),
  'GET /transaction-history': list({ amount: 5, bonusFrom: 'bo@gmail.com', createdAt: at }),
  'GET /profit-bounty/my-bounty-historys': list(bounty),
  'GET /roy-bonus-historys': list({ createdAt: at, dailyRoy, userStake }),
  'GET /buy-token': list({ coinAmount: 1000.5, coinPrice: 0.008, totalPrice: 8, createdAt: at }),
  'GET /stack-now': list(stake),
  'GET /stack-coin-settings': list({ id: 'plan-1', planName: 'Gold', duration: 365, minimum: 100, apy: 120, status: 'ACTIVE' }),
  'GET /nft/active-nft': list(dome),
  'GET /nft-purchese/history': list(bought, { ...bought, name: 'Old Dome', status: 'ENDED' }),
  'GET /nft-monthly-roi-history': list({ createdAt: at, myNft: bought }),
  'GET /nft-level-bonus': deep({ createdAt: at, email: 'bo@gmail.com', bonusAmount: 25, level: 2, duration: 12, dailyRoi: 40 }),
  'GET /nft-monthly-roi-history/my-profit-bounty-history': deep({
    createdAt: at,
    profit: monthlyRoi / 10,
    level: 1,
    duration: 12,
    dailyRoi: 40,
    nftDailyRoiHistory: { user: { email: 'bo@gmail.com' }, myNft: { name: 'Lake Dome' }, dailyRoi: 36 },
  }),
  'GET /withdrow-request/get-my-withdraw-history': list(
    { createdAt: at, to: '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc', amount: 12.5, desc: '0.25', status: null },
    { createdAt: at, to: 'T12345678901', amount: 3, desc: '0', status: true },
  ),
  'GET /pay/get-my-depsit': list({
    createdAt: at,
    user: { name: 'Amara Obi' },
    orderId: 'order-77',
    priceAmount: 250,
    payAmountNum: 249.9,
    desc: 'USDT',
    status: 'APPROVE',
  }),
  'GET /deposit-wallet/transfer-history': list({
    createdAt: at,
    user: { email: 'amara@gmail.com' },
    amount: 100,
    fee: 5,
    recived: 93,
    status: 'PENDING',
  }),
  'GET /stake-logs/my-bounty-historys': list(bounty),
  'GET /stake-logs/reward-history': list({ createdAt: at, dailyRoy, userStake }),
  'GET /stake-logs': list({ ...stake, status: 'COMPLETED' }),
  'GET /rank/my-ranked-bonus': list({
    createdAt: at,
    user: { email: 'amara@gmail.com' },
    rank: 'silver',
    bonus: 2500,
    desc: 'Rank reached',
  }),
  'GET /test': person('me', 'Amara Obi', [person('bo', 'Bo Li', [person('deep', 'Ada Deep', [])]), person('cy', 'Cy Wu', [])]),
  'GET /stake-logs/count-my-downline-stake': { totalStake: 8123456.5 },
  'GET /special-rcm/last-refferer': list({
    name: 'Bo Li',
    email: 'bo@gmail.com',
    createdAt: at,
    payment: [{ id: 1, payAmountNum: 111, createdAt: at }],
    deposit: [{ id: 2, amount: 222.5, createdAt: at }],
  }),
  'GET /special-rcm/get-total-team-stake': {
    lastMonthStakeSumTotal: 120000,
    currentMonthStakeSumTotal: 86000.25,
    lastMonthNFTSum: 2400,
    currentMonthNFTSum: 1200,
  },
  'GET /ticket': list({ ...ticket, image: pixel, updates: [] }),
  'GET /ticket/ticket-1': {
    ...ticket,
    image: pixel,
    updates: [
      { id: 1, message: 'We look at it', image: null, role: 'SUPPORT' },
      { id: 2, message: 'Thank you', image: pixel, role: 'USER' },
    ],
  },
}

/** Each action's whole body; clients read only the specified keys (API-18 to API-48, API-91 to API-93). */
export const specActions: Readonly<Record<string, unknown>> = {
  'POST /auth/login': { success: true, data: { token: 'fresh', user: { isVerified: true } } },
  'POST /auth/user-login': { success: true, data: { token: 'fresh' } },
  'POST /auth/refresh-token': { data: { accessToken: 'renewed' } },
  'POST /auth/log-out': {},
  'POST /limit/auth/register': { success: true, message: 'Registered', data: { token: 'fresh' } },
  'POST /auth': { success: true, data: { token: 'fresh' } },
  'POST /limit/auth/verify-token': { data: { token: 'fresh' } },
  'POST /limit/auth/resend-otp': { success: true },
  'POST /auth/forgot-password': { success: true, message: 'Sent' },
  'POST /auth/reset-password': { success: true, message: 'Changed' },
  'POST /pay/create-payment': { success: true, data: { invoice_url: `${location.origin}/pay/success` } },
  'POST /autoPayRoutes/create-invoice': { success: true, data: { data: { invoice_id: 'invoice-1' } } },
  'POST /deposit-wallet/transfer-deposit-wallet': { statusCode: 200, message: 'Withdrawal requested' },
  'POST /withdrow-request': { statusCode: 200, message: '' },
  'POST /tizara-exchagne-and-convart/exchange-to-my-wallet': { statusCode: 200, message: 'Exchanged' },
  'POST /tizara-exchagne-and-convart/convart-to-my-wallet': { statusCode: 200, message: 'Converted' },
  'POST /usd-transfer/nft-to-deposit-wallet': { statusCode: 200, message: 'Moved' },
  'POST /usd-transfer/user-to-user-deposit': { statusCode: 200, message: 'Transferred' },
  'POST /my-wallet/convart-to-usd': { statusCode: 200, message: 'Swapped to USD' },
  'POST /special-rcm/withdraw-rcm-coin': { statusCode: 200, message: 'Withdrawn' },
  'POST /my-wallet/swap-native-to-my-wallet': { statusCode: 200, message: 'Swapped' },
  'POST /buy-token': { success: true, message: 'Bought' },
  'POST /stack-now': { success: true, message: 'Staked' },
  'POST /nft-purchese': { success: true, message: 'Purchased' },
  'PATCH /ticket/ticket-1': { success: true },
  'POST /ticket/create': { success: true },
  'POST /ticket/create-replay': { success: true },
}

/** Invoice service responses, without the envelope (API-94, API-95, API-97). */
export const specInvoices: Readonly<Record<string, unknown>> = {
  'GET /invoice/invoice-1': {
    wallet_address: '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc',
    amount: 250,
    token_name: 'TIZARA',
    created_at: new Date(Date.now() - 120_000).toISOString(),
  },
  'GET /payments/invoice-1': { status: false, payment_status: 'pending' },
}
