import { t } from '@tizara/languages'
import { Button } from '../ui/button.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { type PayoutProgress, payoutSteps } from './payout-steps.rules.ts'

export interface PayoutStepsProps {
  kind: 'withdrawal' | 'bridge'
  progress: PayoutProgress
  /** Opens the confirmation for a payout that awaits it. */
  onConfirm: () => void
}

/** Shows a payout's progress above its receipt, with the member's next step. */
export function PayoutSteps({ kind, progress, onConfirm }: PayoutStepsProps) {
  return (
    <div className="mb-5 border-b pb-5">
      <Stepper
        vertical
        label={t('Steps of the {kind, select, bridge {bridge} other {withdrawal}}', { kind })}
        steps={payoutSteps(progress)}
      />
      {progress.waitsUntil !== undefined && (
        <Button variant="primary" block className="mt-4" onClick={onConfirm}>
          {t('Confirm {kind, select, bridge {bridge} other {withdrawal}}', { kind })}
        </Button>
      )}
    </div>
  )
}
