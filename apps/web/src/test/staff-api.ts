import type { WireReplyOf } from '@tizara/contract'
import { staffMe, staffOverview } from '@tizara/contract/staff'
import { announcePresence, staffIncidents, staffPeople } from '@tizara/contract/staff-platform'
import { staffQueue, staffQueueItem } from '@tizara/contract/staff-queues'
import type { FakeApi } from './fake-api.ts'
import { memberApi, testBalances } from './member-api.ts'

type Item = WireReplyOf<typeof staffQueueItem>

const RIGHTS = ['staffQueue', 'staffQueueItem', 'approveRequest', 'rejectRequest', 'revokeApproval']
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

export const testStaff = {
  person: { id: 's1', name: 'Mei Tanaka', email: 'mei@example.com' },
  role: 'FINANCE' as const,
  rights: RIGHTS,
  idleSeconds: 900,
  endsAt: hoursAgo(-8),
}

/** A 100 USD payout that one approval releases. */
export function testItem(id: string, name: string, options: Partial<Item> = {}): Item {
  return {
    id,
    kind: 'withdrawals',
    member: { id: `m-${id}`, name, email: `${id}@gmail.com` },
    asset: 'usd',
    amount: 100,
    platformFee: 5,
    networkFee: 2,
    received: 93,
    address: '0x71C7…976F',
    network: 0,
    status: 'PENDING',
    approvalsNeeded: 1,
    approvedBy: [],
    flags: [],
    createdAt: hoursAgo(5),
    dueAt: hoursAgo(-3),
    seen: '0123456789abcdef',
    approvals: [],
    signs: [],
    canDecide: true,
    addressUsed: 3,
    limit: 1000,
    effect: 'pays',
    checks: ['Address paid 3 times before', 'Member is active'],
    about: {
      since: hoursAgo(5000),
      status: true,
      rank: 'silver',
      sponsor: { id: 'up', name: 'Kemi Ade', email: 'kemi@gmail.com' },
      teamSize: 38,
      balances: testBalances,
      deposited: 14_200,
      paidOut: 2000,
      bought: 6981.6,
      earned: { usd: 0, coin: 48_212.5 },
      held: { usd: 100, coin: 0 },
      earlierPayouts: [
        {
          id: 'e1',
          at: hoursAgo(900),
          asset: 'usd',
          amount: 1200,
          address: '0x4b1e…0c20',
          status: 'APPROVED',
        },
      ],
      recentActions: [{ at: hoursAgo(6), text: 'Signed in' }],
    },
    ...options,
  }
}

/** Healthy platform with these pending payouts. */
export function testOverview(items: readonly Item[]): WireReplyOf<typeof staffOverview> {
  const count = { count: items.length, forMe: items.length, oldestAt: hoursAgo(5), targetHours: 8 }
  return {
    waiting: { withdrawals: items.length, bridges: 0, deposits: 0, changes: 0, tickets: 0 },
    work: {
      payouts: count,
      deposits: { ...count, count: 0, forMe: 0 },
      changes: { ...count, count: 0, forMe: 0 },
      tickets: { ...count, count: 0, forMe: 0 },
    },
    jobs: [{ name: 'mails', lastDoneAt: hoursAgo(0), error: null }],
    at: new Date().toISOString(),
    rewardPool: [{ asset: 'coin', balance: 1, owed: 0, promised: 1, committed: 0, coverage: 112, poolDepletionDate: null, forecast: [] }],
    balanceSheet: [{ day: hoursAgo(0).slice(0, 10), asset: 'usd', liabilities: 100, reserves: 125 }],
    flows: [{ day: hoursAgo(0).slice(0, 10), asset: 'usd', in: 10, out: 4 }],
    ledger: { at: hoursAgo(0), ok: true, transfers: 4, differences: 0 },
  }
}

/** Fake API with a FINANCE staff member, a healthy platform and these payouts. */
export function staffApi(items: readonly Item[]): FakeApi {
  return memberApi()
    .reply(staffMe, testStaff)
    .reply(staffOverview, testOverview(items))
    .reply(staffIncidents, [])
    .reply(announcePresence, null)
    .reply(staffPeople, { people: [], rights: { SUPPORT: [], FINANCE: RIGHTS, ADMIN: RIGHTS, AUDITOR: [] } })
    .answer(staffQueue, ({ params }) => ({
      data: params['kind'] === 'payouts' ? [...items] : [],
      meta: { total: items.length, page: 1, limit: 100 },
    }))
    .on(staffQueueItem, ({ params }) => {
      const found = items.find((item) => item.id === params['id'] && item.kind === params['kind'])
      return new Response(
        JSON.stringify(
          found === undefined
            ? { success: false, statusCode: 404, message: 'Not found' }
            : { success: true, statusCode: 200, message: '', data: found },
        ),
        {
          status: found === undefined ? 404 : 200,
        },
      )
    })
}
