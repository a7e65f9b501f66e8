import type { InboxRow } from '@tizara/contract/notices'
import { utcDay } from '../lib/format.ts'
import type { ReceiptRef } from '../lib/receipts/receipt-link.ts'

/** What a notification opens: a receipt, or a page. */
export type NoticeTarget = { receipt: ReceiptRef } | { href: string }

/** Returns the receipt or page that a notification is about. */
export function noticeTarget(row: InboxRow): NoticeTarget {
  switch (row.event) {
    case 'deposit':
      return { receipt: { kind: 'deposit', id: row.facts.deposit } }
    case 'received':
    case 'staff':
      return { receipt: { kind: 'transfer', id: row.facts.transfer } }
    case 'reward':
      return row.facts.transfer === undefined
        ? { href: movementsOfDay('reward', row.createdAt) }
        : { receipt: { kind: 'transfer', id: row.facts.transfer } }
    case 'stake-ended':
      return { receipt: { kind: row.facts.list, id: row.facts.stake } }
    case 'sell-request':
      return row.facts.transfer === undefined ? { href: '/dashboard' } : { receipt: { kind: 'transfer', id: row.facts.transfer } }
    case 'support-answer':
      return { href: `/ticket/show/${encodeURIComponent(row.facts.ticket)}` }
    case 'payout':
      if (row.facts.outflow !== 'transfer') return { receipt: { kind: row.facts.outflow, id: row.facts.request } }
      // A transfer without its confirmation is on the dashboard, and moved no money yet.
      return { href: row.facts.step === 'waiting' ? '/dashboard' : movementsOfDay('transfer', row.createdAt) }
    case 'message':
      return { href: '/inbox' }
    case 'payout-address':
    case 'sign-in':
    case 'password':
    case 'second-factor':
    case 'recovery':
    case 'contact':
      return { href: '/profile' }
  }
}

function movementsOfDay(group: string, at: Date): string {
  const day = utcDay(at)
  return `/activity?${new URLSearchParams({ group, from: day, to: day }).toString()}`
}
