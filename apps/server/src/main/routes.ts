import type { Bind } from '../http/calls/bind-route.ts'
import { announcementRoutes } from '../modules/announcements/index.ts'
import { auditRoutes } from '../modules/audit/index.ts'
import { authRoutes, closingRoutes, ownDataRoutes } from '../modules/auth/index.ts'
import { coinRoutes } from '../modules/coin/index.ts'
import { creditedDeposits, depositRoutes } from '../modules/deposits/index.ts'
import { importRoutes } from '../modules/import/index.ts'
import { memberRoutes } from '../modules/members/index.ts'
import { nftRoutes, nftValueAt, readNfts } from '../modules/nfts/index.ts'
import { noticeRoutes } from '../modules/notices/index.ts'
import { rewardRoutes, rewardTotals } from '../modules/rewards/index.ts'
import { settingsRoutes } from '../modules/settings/index.ts'
import { staffRoutes } from '../modules/staff/index.ts'
import { newestStakes, stakingRoutes } from '../modules/staking/index.ts'
import { supportRoutes } from '../modules/support/index.ts'
import { downlineCount, teamRoutes } from '../modules/team/index.ts'
import { termsRoutes } from '../modules/terms-of-use/index.ts'
import { transferRoutes } from '../modules/transfers/index.ts'
import { trustRoutes } from '../modules/trust/index.ts'
import { receiptFor, walletRoutes } from '../modules/wallets/index.ts'
import { heldAt, paidOutSince, withdrawalRoutes, stopAndAuditPayouts } from '../modules/withdrawals/index.ts'
import type { Db } from '../platform/db/database.ts'
import { activity } from './activity.ts'
import { allTransfers } from './all-checks.ts'
import { cachedHealth } from '../diagnostics/cached-health.ts'
import { closingObstacles, ownDataJob } from '../modules/personal-data/index.ts'
import { histories } from './histories.ts'
import type { Ports } from './ports.ts'

const findReceipt = (db: Db, memberId: bigint, row: { kind: string; id: string }) =>
  receiptFor(db, memberId, row, { histories, transfers: allTransfers })

/** Binds all routes of the API. */
export function bindRoutes(bind: Bind, ports: Ports): void {
  settingsRoutes(bind)
  memberRoutes(bind, { downlineCount, ...activity })
  auditRoutes(bind)
  termsRoutes(bind)
  walletRoutes(bind, { rewardTotals, outside: { heldAt, nftValueAt, paidOutSince }, histories, transfers: allTransfers })
  noticeRoutes(bind)
  teamRoutes(bind, { newestStakes, creditedDeposits, ...activity })
  authRoutes(bind, stopAndAuditPayouts)
  ownDataRoutes(bind, ownDataJob)
  closingRoutes(bind, closingObstacles)
  rewardRoutes(bind, { readNfts })
  coinRoutes(bind)
  stakingRoutes(bind)
  nftRoutes(bind)
  depositRoutes(bind, ports.deposits)
  withdrawalRoutes(bind)
  transferRoutes(bind)
  importRoutes(bind)
  supportRoutes(bind, { findReceipt })
  announcementRoutes(bind)
  staffRoutes(bind, {
    findReceipt,
    readHealth: cachedHealth(ports),
  })
  trustRoutes(bind)
}
