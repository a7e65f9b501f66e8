import { StatusBadge } from '../lib/status-badge.tsx'

/** Returns a bridge status's text: null is pending, true paid, anything else rejected (EN-42, LS-29). */
export function bridgeStatus(status: boolean | string | number | null | undefined): 'Pending' | 'Success' | 'Rejected' {
  if (status === null || status === undefined) return 'Pending'
  return status === true ? 'Success' : 'Rejected'
}

const states = { Pending: 'pending', Success: 'success', Rejected: 'rejected' } as const

export function BridgeBadge({ status }: { status: boolean | string | number | null | undefined }) {
  const label = bridgeStatus(status)
  return <StatusBadge state={states[label]}>{label}</StatusBadge>
}

const stored = new Map<string, 'pending' | 'success' | 'rejected'>([
  ['PENDING', 'pending'],
  ['APPROVE', 'success'],
  ['REJECT', 'rejected'],
])

/** Shows a stored status such as APPROVE unchanged (EN-45). */
export const StoredBadge = ({ status }: { status: string }) => <StatusBadge state={stored.get(status) ?? 'other'}>{status}</StatusBadge>
