import { t } from '@tizara/languages'
import Check from 'lucide-react/icons/check'
import Clock from 'lucide-react/icons/clock'
import X from 'lucide-react/icons/x'
import { Badge } from '../ui/badge.tsx'

const styles = {
  pending: ['warning', Clock],
  success: ['success', Check],
  rejected: ['danger', X],
  other: ['neutral', undefined],
} as const

/**
 * Shows a request's state as text and a mark, never colour alone.
 * @param props `children`: the state as the server sends it, or its text
 */
export function StatusBadge({ state, children }: { state: keyof typeof styles; children: string }) {
  const [tone, Icon] = styles[state]
  return (
    <Badge tone={tone} icon={Icon && <Icon aria-hidden="true" />}>
      {t(children)}
    </Badge>
  )
}
