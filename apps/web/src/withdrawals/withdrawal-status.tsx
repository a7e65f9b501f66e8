import { texts } from '@tizara/languages'
import { StatusBadge } from '../lib/status-badge.tsx'

type Status = boolean | string | number | null | undefined

const STATES = texts({ pending: 'Pending', success: 'Success', rejected: 'Rejected' })

function stateOf(status: Status): keyof typeof STATES {
  if (status === null || status === undefined) return 'pending'
  return status === true ? 'success' : 'rejected'
}

/** Returns a bridge status's text: null is pending, true paid, anything else rejected (EN-42, LS-29). */
export const bridgeStatus = (status: Status): string => STATES[stateOf(status)]

export const BridgeBadge = ({ status }: { status: Status }) => <StatusBadge state={stateOf(status)}>{bridgeStatus(status)}</StatusBadge>

const stored = new Map<string, 'pending' | 'success' | 'rejected'>([
  ['PENDING', 'pending'],
  ['APPROVE', 'success'],
  ['REJECT', 'rejected'],
])

/** Shows a stored status such as APPROVE, in English unchanged (EN-45). */
export const StoredBadge = ({ status }: { status: string }) => <StatusBadge state={stored.get(status) ?? 'other'}>{status}</StatusBadge>
