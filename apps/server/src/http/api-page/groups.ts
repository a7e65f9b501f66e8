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
  group('Profile', 'Who is signed in, whom they brought, and what they are told by mail.', 'members', 'notices'),
  group('Prices and settings', 'The coin price, limits and fees that hold now.', 'settings'),
  group('Wallets', 'What a member holds, where it came from, and a receipt for every row.', 'wallets', 'walletsStatements'),
  group('Deposits', 'Money in: a hosted payment in USDT, or an invoice over the coin.', 'deposits'),
  group('Buy coin', 'USD of the deposit wallet into coin, at the price that was shown.', 'coin'),
  group('Staking', 'Plans, stakes, and what they pay and when.', 'staking'),
  group('NFTs', 'What is on sale, a purchase, and what is held.', 'nfts'),
  group('Transfers', 'Between own wallets, from coin to USD and back, and to another member.', 'transfers'),
  group('Withdrawals and bridges', 'Money out; its owner confirms each request, and staff decide.', 'withdrawals', 'withdrawalsGuard'),
  group('Rewards', 'The lists of every kind of reward, and the programme they follow.', 'rewards'),
  group('Team', 'Everybody below a member.', 'team'),
  group('Support', 'Tickets with pictures.', 'support'),
  group('News', 'The announcement that members see after signing in.', 'announcements'),
  group('Trust', 'Published reserves and liabilities, which everyone can check.', 'trust'),
  group('Staff', 'What staff decide. Other accounts get 404 here.', ...staffFiles),
]
