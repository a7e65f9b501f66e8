import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** What stands under each view's name; fetched when it is opened. */
export const screens: Readonly<Record<string, LazyExoticComponent<ComponentType>>> = {
  '': lazy(() => import('../pages/overview/overview.view.tsx')),
  payouts: lazy(() => import('../pages/payouts/payouts.view.tsx')),
  deposits: lazy(() => import('../pages/deposits/deposits.view.tsx')),
  tickets: lazy(() => import('../pages/tickets/tickets.view.tsx')),
  changes: lazy(() => import('../pages/proposals/proposals.view.tsx')),
  members: lazy(() => import('../pages/members/members.view.tsx')),
  'shared-traces': lazy(() => import('../pages/linked-accounts/linked-accounts.view.tsx')),
  rewards: lazy(() => import('../pages/rewards/rewards.view.tsx')),
  catalogue: lazy(() => import('../pages/catalogue/catalogue.view.tsx')),
  programme: lazy(() => import('../pages/programme/programme.view.tsx')),
  health: lazy(() => import('../pages/health/health.view.tsx')),
  ledger: lazy(() => import('../pages/ledger/ledger.view.tsx')),
  audit: lazy(() => import('../pages/audit/audit.view.tsx')),
  roles: lazy(() => import('../pages/people/people.view.tsx')),
}
