import { formatTime } from '../lib/format.ts'
import { Moment } from '../lib/moment.tsx'
import { ProofField, type ProofFieldProps } from '../lib/proof-field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { usePayoutGuard } from './use-step-up.ts'

export interface StepUpFieldProps extends Omit<ProofFieldProps, 'kind' | 'hint' | 'onPasskey'> {
  onPasskey: () => Promise<void>
  guard: ReturnType<typeof usePayoutGuard>
  /** Required proof, if any. */
  ask: ProofFieldProps['kind'] | undefined
}

/** Proof field for payouts to a new address, with any payout freeze. */
export function StepUpField({ guard, ask, onPasskey, ...field }: StepUpFieldProps) {
  const held = guard?.held
  return (
    <>
      {ask !== undefined && (
        <ProofField
          {...field}
          kind={ask}
          onPasskey={guard?.passkey === true ? onPasskey : undefined}
          hint={`New address. Confirm it now with your password or code. Or leave this blank and confirm by mail within ${guard?.confirmHours ?? 24} hours.`}
        />
      )}
      {held !== undefined && held !== null && (
        <Notice tone="warning" title="Withdrawals and bridges are on hold">
          {held.until === null ? (
            <>They stay blocked until you set a new password with “Forgot password”: {held.why}.</>
          ) : (
            <>
              Until <Moment at={held.until} time />: {held.why}. If it was you, just wait. If not, change your password.
            </>
          )}
        </Notice>
      )}
    </>
  )
}

/** Describes the member's next step and its deadline. */
export const waitsText = (until: Date): string =>
  `One step left: confirm with the link in your mail or in your history. Otherwise the money returns on ${formatTime(until)}.`
