import { Moment } from '../lib/moment.tsx'
import { ProofField, type ProofFieldProps } from '../lib/proof-field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { usePayoutGuard } from './use-step-up.ts'

export interface StepUpFieldProps extends Omit<ProofFieldProps, 'kind' | 'hint' | 'onPasskey'> {
  onPasskey: () => Promise<void>
  guard: ReturnType<typeof usePayoutGuard>
  /** The proof to ask for, if any. */
  ask: ProofFieldProps['kind'] | undefined
}

/** The proof that a payout to a new address asks for, and what holds payouts back. */
export function StepUpField({ guard, ask, onPasskey, ...field }: StepUpFieldProps) {
  const held = guard?.held
  return (
    <>
      {ask !== undefined && (
        <ProofField
          {...field}
          kind={ask}
          onPasskey={guard?.passkey === true ? onPasskey : undefined}
          hint={`This is not in your address book. Confirm it now, or leave this empty and open the link that we mail you within ${guard?.confirmHours ?? 24} hours.`}
        />
      )}
      {held !== undefined && held !== null && (
        <Notice tone="warning" title="Payouts rest at the moment">
          {held.until === null ? (
            <>Nothing is paid until you set a new password through “Forgot password”: {held.why}.</>
          ) : (
            <>
              Nothing is paid before <Moment at={held.until} time />: {held.why}.
            </>
          )}
        </Notice>
      )}
    </>
  )
}

/** After a payout that waits for its owner: what to do now. */
export const WAITS = 'We mailed you a link: please confirm this payout there, or in the history.'
