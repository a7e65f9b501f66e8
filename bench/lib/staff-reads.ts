/** Reads of the staff console for `bench/staff.ts`. */
import { allRoutes } from '@tizara/contract/all-routes'

const LIMIT_MS = 200
const QUICK_MS = 100
const QUICK = new Set(['staffQueue', 'staffQueueItem', 'staffTickets', 'staffTicketDetail', 'staffSearch'])
/** Reads for which the benchmark has no data: background jobs, their files, proposals, logos, reports of imports, and deliveries of webhooks. */
const NOT_THERE = new Set(['staffImportReport', 'staffJob', 'staffJobFile', 'staffChange', 'staffLogo', 'staffWebhookDeliveries'])

interface Size {
  transfers: number
  /** Number of open payouts. */
  open: number
}

/** Sample paths by read: one for each read with path parameters, and further paths with queries. */
const addresses = (size: Size): Readonly<Record<string, readonly string[]>> => ({
  staffQueue: [
    'queues/payouts?for=me&limit=100',
    'queues/payouts?for=others&limit=100',
    'queues/payouts?for=me&limit=100&flagged=true',
    'queues/payouts?for=decided&limit=100',
    `queues/payouts?for=me&limit=100&before=payout-${size.open / 2}`,
    'queues/deposits?for=me&limit=100',
  ],
  staffQueueItem: ['queues/withdrawals/payout-1', `queues/withdrawals/payout-${size.open / 2 + 1}`],
  // A segment without a member costs most, because a page then reads all members that it may.
  staffMembers: [
    'members',
    'members?q=anna',
    'members?q=member777',
    'members?usdFrom=1000&notSeenFor=30',
    'members?usdFrom=999999999',
    'members?stakedFrom=1&callingCode=1&seenWithin=7',
    'members?sign=linked',
    'members?sign=frozen',
  ],
  staffCases: ['cases', 'cases?view=mine', 'cases?view=closed'],
  staffScreeningHits: ['screening/hits', 'screening/hits?view=different', 'screening/hits?member=member-700'],
  staffLinkedAccounts: ['linked-accounts', 'linked-accounts?view=harmless', 'linked-accounts?member=member-700'],
  staffMemberDetail: ['members/member-700'],
  staffMemberLedger: ['members/member-700/ledger'],
  staffMemberNotes: ['members/member-700/notes'],
  staffMemberSessions: ['members/member-700/sessions'],
  staffMemberTeam: ['members/member-700/team'],
  staffMemberTickets: ['members/member-700/tickets'],
  staffTimeline: ['members/member-700/timeline', 'members/member-700/timeline?kinds=money'],
  staffHeldRewards: ['members/member-700/held-rewards'],
  staffPurchases: ['members/member-700/purchases?kind=stake'],
  staffTicketDetail: ['tickets/ticket-9'],
  staffLedgerAccounts: ['ledger/accounts', 'ledger/accounts?q=member700', 'ledger/accounts?house=true'],
  staffLedgerAccount: ['ledger/accounts/-2103'],
  staffLedgerEntries: ['ledger/accounts/-2103/entries', 'ledger/accounts/-2103/entries?kind=stakeReward'],
  // One transfer of the platform, and one between members whose source of funds is traced.
  staffLedgerTransfer: [`ledger/transfers/${size.transfers / 2}`, `ledger/transfers/${size.transfers / 2 + 1}`],
  staffTransferReceipts: [`ledger/transfers/${size.transfers / 2 + 1}/receipts`],
  staffBusiness: ['business?period=30', 'business?period=365'],
  staffBusinessTeams: ['business/teams?period=90', 'business/teams?period=365&level=1'],
  staffOverview: ['overview?days=1', 'overview?days=90', 'overview?days=365'],
  staffSearch: [
    'search?q=anna',
    'search?q=member777',
    'search?q=%2B1202555',
    'search?q=1%2C000.00',
    'search?q=0x52908400098527886E0F7030069857D2E4169EE7',
    `search?q=payout-${size.open / 2 + 1}`,
    `search?q=${Math.floor(size.transfers / 2)}`,
  ],
})

/**
 * Returns each console read with its path below /api/v1 and its limit in milliseconds.
 * @throws for a contract route with parameters and no entry here
 */
export function staffReads(size: Size): { name: string; path: string; limit: number }[] {
  const known = addresses(size)
  return allRoutes
    .filter((route) => route.access === 'staff' && route.method === 'GET' && !NOT_THERE.has(route.name))
    .flatMap((route) => {
      const paths = known[route.name]?.map((path) => `/staff/${path}`) ?? [route.path]
      if (paths.some((path) => path.includes(':'))) throw new Error(`name sample values for the parts of ${route.path}`)
      return paths.map((path) => ({ name: route.name, path, limit: QUICK.has(route.name) ? QUICK_MS : LIMIT_MS }))
    })
}
