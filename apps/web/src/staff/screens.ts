import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** What stands under each view's name; fetched when it is opened. */
export const screens: Readonly<Record<string, LazyExoticComponent<ComponentType>>> = {
  '': lazy(() => import('./overview/overview.view.tsx')),
  payouts: lazy(() => import('./queues/payouts.view.tsx')),
  deposits: lazy(() => import('./queues/deposits.view.tsx')),
  tickets: lazy(() => import('./tickets/tickets.view.tsx')),
  changes: lazy(() => import('./changes/changes.view.tsx')),
  members: lazy(() => import('./members/members.view.tsx')),
  'shared-traces': lazy(() => import('./traces/traces.view.tsx')),
  rewards: lazy(() => import('./rewards/rewards.view.tsx')),
  catalogue: lazy(() => import('./catalogue/catalogue.view.tsx')),
  programme: lazy(() => import('./programme/programme.view.tsx')),
  health: lazy(() => import('./health/health.view.tsx')),
  ledger: lazy(() => import('./ledger/ledger.view.tsx')),
  audit: lazy(() => import('./audit/audit.view.tsx')),
  roles: lazy(() => import('./roles/roles.view.tsx')),
}
