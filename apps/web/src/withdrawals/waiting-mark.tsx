import { t } from '@tizara/languages'
import { createElement, lazy, Suspense } from 'react'
import { Moment } from '../lib/moment.tsx'
import { Button } from '../ui/button.tsx'
import type { WaitingDialogProps } from './waiting.dialog.tsx'
import { T } from '../ui/t.tsx'

const Later = lazy(() => import('./waiting.dialog.tsx'))

/** Confirms or cancels a pending payout; loads its code when opened. */
export function WaitingDialog(props: WaitingDialogProps) {
  return createElement(Suspense, { fallback: null }, createElement(Later, props))
}

export interface WaitingMarkProps {
  kind: 'withdrawal' | 'bridge'
  until: Date
  onOpen: () => void
}

/** Shows the member's next step for a payout and its deadline. */
export const WaitingMark = ({ kind, until, onOpen }: WaitingMarkProps) => (
  <span className="mt-1 block">
    <Button size="sm" onClick={onOpen}>
      {t('Confirm {kind, select, bridge {bridge} other {withdrawal}}', { kind })}
    </Button>
    <span className="mt-1 block text-xs text-muted">
      <T text="by {moment}" moment={<Moment at={until} time />} />
    </span>
  </span>
)
