/**
 * Moves coin and USD between a member's own wallets, and USD between members (GN-23, MF-05 to MF-11). Owns `wallet_exchange` and
 * `sell_request*`. Every other movement is only a ledger row, with its cause and the settings version of its rate.
 */
export { convertToMyWallet } from './convert-to-my-wallet.ts'
export { exchangeToMyWallet } from './exchange-to-my-wallet.ts'
export { moveBetweenWallets } from './move-between-wallets.ts'
export { assertProceeds, readProceeds, sendProceeds } from './proceeds.ts'
export { salesFundBalance } from './sales-fund.ts'
export { closeOpenRequests, readOpenRequests } from './sell-requests.ts'
export { transferJobs } from './transfers.jobs.ts'
export { sellCoin } from './sell-coin.ts'
export { sendToMember } from './send-to-member.ts'
export { transferHistories } from './history.ts'
export { transferRoutes } from './transfers.routes.ts'
export { auditChecks } from './audit-checks.ts'
export { ownTransfers } from './transfers.transfers.ts'
