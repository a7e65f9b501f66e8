/**
 * Coin: purchases at the set price (GN-20). Owns `coin_purchase`; every purchase refers to the settings version with its price (invariant
 * I13).
 */
export { withCoinPurchase } from './active-members.queries.ts'
export { buyToken } from './buy-token.ts'
export { spentOnCoin } from './coin.queries.ts'
export { coinHistories } from './history.ts'
export { coinRoutes } from './coin.routes.ts'
export { reverseCoinPurchase } from './reverse-purchase.ts'
export { auditChecks } from './audit-checks.ts'
export { coinTransfers } from './coin.transfers.ts'
