import type { Route } from '@tizara/contract'
import { type RouteFile, routesOf, staffFiles } from '@tizara/contract/all-routes'

/** Calls of one group on the page. */
export interface Group {
  title: string
  text: string
  routes: readonly Route[]
}

const group = (title: string, text: string, ...files: RouteFile[]): Group => ({ title, text, routes: files.flatMap(routesOf) })

/** Groups in the order of a member's day, staff last. */
export const groups: readonly Group[] = [
  group('Sign in', 'An account, its mail address, its sessions and its second factor.', 'auth', 'passkeys'),
  group('API keys', 'Keys with which other software reads the API.', 'apiKeys'),
  group(
    'Profile',
    'The signed-in member, their referrals, their notifications and a copy of their data.',
    'members',
    'languages',
    'termsOfUse',
    'contactDetails',
    'ownData',
    'accountClosing',
    'notices',
    'noticesUnread',
  ),
  group('Prices and settings', 'The current coin price, limits and fees.', 'settings'),
  group('Wallets', 'Balances, statements, and a receipt for every row.', 'wallets', 'walletsMovements', 'walletsStatements'),
  group('Deposits', 'A hosted payment in USDT, or an in-app invoice.', 'deposits'),
  group('Buy coin', 'Buys coin with USD of the deposit wallet, at the displayed price.', 'coin'),
  group('Staking', 'Plans, stakes and their payments.', 'staking'),
  group('NFTs', 'NFTs on sale, purchases and holdings.', 'nfts'),
  group('Transfers', 'Between the wallets of a member, between coin and USD, and to another member.', 'transfers'),
  group(
    'Withdrawals and bridges',
    'Payouts. The member confirms each request, and staff approve or reject it.',
    'withdrawals',
    'withdrawalsGuard',
  ),
  group('Rewards', 'Lists of all kinds of rewards, their sums, and the reward programme.', 'rewards', 'rewardsEarnings'),
  group('Team', "A member's downline.", 'team'),
  group('Support', 'Tickets with images.', 'support'),
  group('News', 'The announcement that members see after signing in.', 'announcements'),
  group('Trust', 'Published reserves and liabilities, which anyone can verify.', 'trust'),
  group('Staff', 'Calls of the staff console. Other accounts get 404.', ...staffFiles),
]
