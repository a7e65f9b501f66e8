import type { Bind } from '../http/bind-route.ts'
import { announcementRoutes } from '../modules/announcements/index.ts'
import { depositRoutes } from '../modules/deposits/index.ts'
import { memberRoutes } from '../modules/members/index.ts'
import { nftRoutes } from '../modules/nfts/index.ts'
import { stakingRoutes } from '../modules/staking/index.ts'
import { supportRoutes } from '../modules/support/index.ts'
import { downlineCount } from '../modules/team/index.ts'
import type { Ports } from './ports.ts'

/**
 * Binds every call of the wire.
 * @param bind the binder of the app
 * @param ports the outside world
 */
export function bindRoutes(bind: Bind, ports: Ports): void {
  memberRoutes(bind, { downlineCount })
  stakingRoutes(bind)
  nftRoutes(bind)
  depositRoutes(bind, ports.deposits)
  supportRoutes(bind)
  announcementRoutes(bind)
}
