import { t } from '@tizara/languages'
import { Badge } from '../ui/badge.tsx'

/** Raw status: ACTIVE green, others red (ST-40, ST-41, ST-42). */
export function StakeStatus({ status }: { status: string }) {
  return <Badge tone={status === 'ACTIVE' ? 'success' : 'danger'}>{t(status)}</Badge>
}
