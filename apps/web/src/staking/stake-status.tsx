import { texts } from '@tizara/languages'
import { Badge } from '../ui/badge.tsx'

const labels: Readonly<Record<string, string>> = texts({ ACTIVE: 'ACTIVE', COMPLETED: 'COMPLETED', REVERSED: 'REVERSED' })

/** Raw status: ACTIVE green, others red (ST-40, ST-41, ST-42). */
export function StakeStatus({ status }: { status: string }) {
  return <Badge tone={status === 'ACTIVE' ? 'success' : 'danger'}>{Object.hasOwn(labels, status) ? labels[status] : status}</Badge>
}
