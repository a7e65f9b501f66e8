import type { LucideIcon } from 'lucide-react'
import ChartColumn from 'lucide-react/icons/chart-column'
import Coins from 'lucide-react/icons/coins'
import Gem from 'lucide-react/icons/gem'
import History from 'lucide-react/icons/history'
import House from 'lucide-react/icons/house'
import Layers from 'lucide-react/icons/layers'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Medal from 'lucide-react/icons/medal'
import Network from 'lucide-react/icons/network'
import ScrollText from 'lucide-react/icons/scroll-text'
import Sparkles from 'lucide-react/icons/sparkles'
import Trophy from 'lucide-react/icons/trophy'
import UserRound from 'lucide-react/icons/user-round'
import Users from 'lucide-react/icons/users'
import type { MemberProfile } from '@tizara/contract/members'
import { texts } from '@tizara/languages'

interface MenuLink {
  label: string
  href: string
}

/** Sidebar entry: a link or an expandable group. */
export interface MenuEntry {
  label: string
  icon: LucideIcon
  href?: string
  items?: readonly MenuLink[]
  /** Visibility condition; defaults to everyone. */
  visible?: (member: MemberProfile | undefined) => boolean
  /** Draws a line above. */
  divider?: boolean
}

/** Sidebar entries, exact texts in order (UI-SIDEBAR-06 to UI-SIDEBAR-34). */
export const menu = texts<readonly MenuEntry[]>('label', [
  { label: 'Dashboard', icon: House, href: '/dashboard' },
  {
    label: 'Store NFT',
    icon: Gem,
    items: [
      { label: 'Purchase NFT', href: '/store-nft/buy-nft' },
      { label: 'NFT Purchase History', href: '/store-nft/nft-histor_y' },
      { label: 'NFT Level Bonus', href: '/store-nft/nft-level-bonus' },
      { label: 'NFT Reward', href: '/store-nft/nft-roi' },
      { label: 'NFT Profit Bounty', href: '/store-nft/nft-roi-profit-bounty' },
    ],
  },
  { label: 'Stake Now', icon: Coins, href: '/stack-coin', divider: true },
  { label: 'Stake History', icon: Layers, href: '/my-stack-coin' },
  { label: 'Omega Stake Logs', icon: ScrollText, href: '/my-stack-logs' },
  { label: 'Omega Stake reward', icon: ChartColumn, href: '/stake-logs-roi' },
  { label: 'My Referrals', icon: Users, href: '/my-referrals' },
  { label: 'My Team Stake', icon: Network, href: '/my-team' },
  { label: 'Level Reward', icon: Trophy, href: '/stake-reward' },
  {
    label: 'History',
    icon: History,
    divider: true,
    items: [
      { label: 'Transaction History', href: '/history/transaction-history' },
      { label: 'Buy Token History', href: '/buy-token-history' },
      { label: 'Deposit History', href: '/deposit-wallet-history' },
      { label: 'Reward History', href: '/roi-history' },
      { label: 'Omega Stake Logs Bounty', href: '/logs-profit-bounty-history' },
      { label: 'Profit Bounty', href: '/profit-bounty-history' },
      { label: 'Transfer History', href: '/history/transfer-history' },
      { label: 'Bridge History', href: '/history/withdraw-history' },
      { label: 'USD Withdraw History', href: '/history/usd-transfer-history' },
    ],
  },
  { label: 'Special Rcm', icon: Sparkles, href: '/special-rcm', visible: (member) => member?.isSpecialRcm === true },
  { label: 'Rank Bonus', icon: Medal, href: '/rank-bonus', visible: (member) => Boolean(member?.rank) },
  { label: 'Profile', icon: UserRound, href: '/profile', divider: true },
  { label: 'Support', icon: LifeBuoy, href: '/support' },
])
