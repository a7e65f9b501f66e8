import { countRecoveryCodes, renewRecoveryCodes } from '@tizara/contract/auth'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../../lib/proofs/proof-field.tsx'
import { refetch } from '../../lib/http/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { rejectionText } from '../addresses/rejection-text.ts'

export interface RecoveryCodesDialogProps {
  /** True if the member has a passkey to prove with. */
  withPasskey: boolean
  onClose: () => void
}

/** Replaces the recovery codes after a proof, and shows the new ones. */
export default function RecoveryCodesDialog({ withPasskey, onClose }: RecoveryCodesDialogProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  const form = useForm({
    initial: NO_PROOF,
    validate: (values): { proof?: string } => (lacksProof(values) ? { proof: t('This field is required') } : {}),
    onSubmit: async (values) => {
      setCodes((await call(renewRecoveryCodes, { body: await proofOf('otp', values) })).data.recoveryCodes)
      await refetch(countRecoveryCodes)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <Dialog open title={t('Renew the recovery codes')} onClose={onClose} closable={!form.pending}>
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <DialogForm form={form} submit={t('Renew codes')}>
          <p className="text-muted">
            {t(
              'You get ten new codes, and the earlier ones end. Your other sessions end, and withdrawals and bridges are paused for a while.',
            )}
          </p>
          <ProofField
            kind="otp"
            field={form.field('proof')}
            error={form.errors.proof}
            pending={form.pending}
            onPasskey={withPasskey ? () => sendByPasskey(form) : undefined}
          />
        </DialogForm>
      )}
    </Dialog>
  )
}
