import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import BanknoteArrowUp from 'lucide-react/icons/banknote-arrow-up'
import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'
import HeartPulse from 'lucide-react/icons/heart-pulse'
import Coins from 'lucide-react/icons/coins'
import Landmark from 'lucide-react/icons/landmark'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import ScrollText from 'lucide-react/icons/scroll-text'
import ShieldCheck from 'lucide-react/icons/shield-check'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Tag from 'lucide-react/icons/tag'
import Network from 'lucide-react/icons/network'
import Users from 'lucide-react/icons/users'
import type { ComponentType } from 'react'

/** One view of the console: what it is called, and who may read it. */
export interface View {
  /** The part of its address after `/staff/`. */
  name: string
  title: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  /** The second key after `G`, where it has one. */
  go?: string
  right: string
  /** Stands in the bar of a phone. */
  phone?: true
}

/** The views in the order of the menu; one that a role does not read is absent there. */
export const groups: readonly { title: string; views: readonly View[] }[] = [
  {
    title: '',
    views: [
      {
        name: '',
        title: 'Overview',
        icon: LayoutGrid,
        go: 'o',
        right: 'staffOverview',
        phone: true,
      },
    ],
  },
  {
    title: 'Work',
    views: [
      {
        name: 'payouts',
        title: 'Payouts',
        icon: BanknoteArrowUp,
        go: 'p',
        right: 'staffQueue',
        phone: true,
      },
      {
        name: 'deposits',
        title: 'Deposits to match',
        icon: ArrowDownToLine,
        go: 'd',
        right: 'staffQueue',
      },
      {
        name: 'tickets',
        title: 'Tickets',
        icon: LifeBuoy,
        go: 't',
        right: 'staffTickets',
        phone: true,
      },
      {
        name: 'changes',
        title: 'Changes',
        icon: GitPullRequestArrow,
        go: 'c',
        right: 'staffChanges',
        phone: true,
      },
    ],
  },
  {
    title: 'People',
    views: [
      {
        name: 'members',
        title: 'Members',
        icon: Users,
        go: 'm',
        right: 'staffMembers',
        phone: true,
      },
      {
        name: 'shared-traces',
        title: 'Shared traces',
        icon: Network,
        right: 'staffSharedTraces',
      },
    ],
  },
  {
    title: 'House',
    views: [
      {
        name: 'rewards',
        title: 'Rewards and pool',
        icon: Coins,
        go: 'r',
        right: 'staffRewardPool',
      },
      {
        name: 'catalogue',
        title: 'Catalogue',
        icon: Tag,
        right: 'staffCatalogue',
      },
      {
        name: 'programme',
        title: 'Programme',
        icon: SlidersHorizontal,
        right: 'staffCatalogue',
      },
      {
        name: 'health',
        title: 'Health',
        icon: HeartPulse,
        right: 'staffHealth',
      },
    ],
  },
  {
    title: 'Record',
    views: [
      {
        name: 'ledger',
        title: 'Ledger',
        icon: Landmark,
        go: 'l',
        right: 'staffLedgerAccounts',
      },
      {
        name: 'audit',
        title: 'Audit log',
        icon: ScrollText,
        go: 'a',
        right: 'staffAudit',
      },
      {
        name: 'roles',
        title: 'Staff and roles',
        icon: ShieldCheck,
        go: 's',
        right: 'staffPeople',
      },
    ],
  },
]

export const pathOf = (view: Pick<View, 'name'>): string => (view.name === '' ? '/staff' : `/staff/${view.name}`)

/** All of them, in order. */
export const views: readonly View[] = groups.flatMap((group) => group.views)
