import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import BanknoteArrowUp from 'lucide-react/icons/banknote-arrow-up'
import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** One view of the console: where it stands, and who may read it. */
export interface View {
  name: 'payouts' | 'deposits' | 'tickets' | 'changes'
  path: string
  title: string
  group: 'Work' | 'People' | 'House' | 'Record'
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  /** The second key after `G`. */
  go: string
  right: string
  /** Stands in the bar of a phone. */
  phone?: true
  Screen: LazyExoticComponent<ComponentType>
}

/** The views in the order of the menu. One that does not exist yet is not here. */
export const views: readonly View[] = [
  {
    name: 'payouts',
    path: '/staff/payouts',
    title: 'Payouts',
    group: 'Work',
    icon: BanknoteArrowUp,
    go: 'p',
    right: 'staffQueue',
    phone: true,
    Screen: lazy(() => import('./queues/payouts.view.tsx')),
  },
  {
    name: 'deposits',
    path: '/staff/deposits',
    title: 'Deposits to match',
    group: 'Work',
    icon: ArrowDownToLine,
    go: 'd',
    right: 'staffQueue',
    Screen: lazy(() => import('./queues/deposits.view.tsx')),
  },
  {
    name: 'tickets',
    path: '/staff/tickets',
    title: 'Tickets',
    group: 'Work',
    icon: LifeBuoy,
    go: 't',
    right: 'staffTickets',
    phone: true,
    Screen: lazy(() => import('./tickets/tickets.view.tsx')),
  },
  {
    name: 'changes',
    path: '/staff/changes',
    title: 'Changes',
    group: 'Work',
    icon: GitPullRequestArrow,
    go: 'c',
    right: 'staffChanges',
    phone: true,
    Screen: lazy(() => import('./changes/changes.view.tsx')),
  },
]
