import { t } from '@tizara/languages'
import { formatTime } from '../lib/format.ts'
import { Moment } from '../lib/moment.tsx'
import { ProofField, type ProofFieldProps } from '../lib/proofs/proof-field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { usePayoutGuard } from './use-step-up.ts'
import { T } from '../ui/t.tsx'

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
          hint={t(
            'New address. Confirm it now with your password or code. Or leave this blank and confirm by mail within {confirmHours} hours.',
            { confirmHours: guard?.confirmHours ?? 24 },
          )}
        />
      )}
      {held !== undefined && held !== null && (
        <Notice tone="warning" title={t('Withdrawals and bridges are on hold')}>
          {held.until === null ? (
            <T text="They stay blocked until you set a new password with “Forgot password”: {why}." why={held.why} />
          ) : (
            <T
              text="Until {moment}: {why}. If it was you, just wait. If not, change your password."
              moment={<Moment at={held.until} time />}
              why={held.why}
            />
          )}
        </Notice>
      )}
    </>
  )
}

/** Describes the member's next step and its deadline. */
export const waitsText = (until: Date): string =>
  t('One step left: confirm with the link in your mail or in your history. Otherwise the money returns on {until}.', {
    until: formatTime(until),
  })
