import type { Bind } from '../http/bind-route.ts'
import { announcementRoutes } from '../modules/announcements/index.ts'
import { authRoutes } from '../modules/auth/index.ts'
import { coinRoutes, findPurchaseReceipt } from '../modules/coin/index.ts'
import { depositRoutes, findDepositReceipt } from '../modules/deposits/index.ts'
import { memberRoutes } from '../modules/members/index.ts'
import { findNftPurchaseReceipt, nftRoutes } from '../modules/nfts/index.ts'
import { rewardReceipts, rewardRoutes, rewardTotals } from '../modules/rewards/index.ts'
import { settingsRoutes } from '../modules/settings/index.ts'
import { staffRoutes } from '../modules/staff/index.ts'
import { findStakeLogReceipt, findStakeReceipt, stakingRoutes } from '../modules/staking/index.ts'
import { supportRoutes } from '../modules/support/index.ts'
import { downlineCount, teamRoutes } from '../modules/team/index.ts'
import { findExchangeReceipt, transferRoutes } from '../modules/transfers/index.ts'
import { trustRoutes } from '../modules/trust/index.ts'
import { type ReceiptFinders, walletRoutes } from '../modules/wallets/index.ts'
import { findBridgeReceipt, findWithdrawalReceipt, withdrawalRoutes } from '../modules/withdrawals/index.ts'
import type { Ports } from './ports.ts'

/** Who explains the rows of which history. */
const receipts: ReceiptFinders = {
  ...rewardReceipts,
  'buy-token': findPurchaseReceipt,
  exchange: findExchangeReceipt,
  withdrawal: findWithdrawalReceipt,
  bridge: findBridgeReceipt,
  deposit: findDepositReceipt,
  stake: findStakeReceipt,
  'stake-log': findStakeLogReceipt,
  'nft-purchase': findNftPurchaseReceipt,
}

/** Binds every call of the wire. */
export function bindRoutes(bind: Bind, ports: Ports): void {
  settingsRoutes(bind)
  memberRoutes(bind, { downlineCount })
  walletRoutes(bind, { rewardTotals, receipts })
  teamRoutes(bind)
  authRoutes(bind)
  rewardRoutes(bind)
  coinRoutes(bind)
  stakingRoutes(bind)
  nftRoutes(bind)
  depositRoutes(bind, ports.deposits)
  withdrawalRoutes(bind)
  transferRoutes(bind)
  supportRoutes(bind)
  announcementRoutes(bind)
  staffRoutes(bind)
  trustRoutes(bind)
}
