import { t } from '@tizara/languages'
import { listPasskeys } from '@tizara/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../../lib/proofs/proof-field.tsx'
import { read } from '../../lib/http/query.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { rejectionText } from '../addresses/rejection-text.ts'

export interface ProofFormProps {
  /** True if the member proves with the authenticator app. */
  withApp: boolean
  /** Explains the action. */
  children: ReactNode
  submit: string
  variant: 'primary' | 'danger'
  onProof: (proof: Awaited<ReturnType<typeof proofOf>>) => Promise<void>
}

/** Form of a dialog that only needs a proof. */
export function ProofForm({ withApp, children, submit, variant, onProof }: ProofFormProps) {
  const { data: passkeys = [] } = useQuery({ ...read(listPasskeys), enabled: withApp })
  const kind = withApp ? 'otp' : 'password'
  const form = useForm({
    initial: NO_PROOF,
    validate: (values): { proof?: string } => (lacksProof(values) ? { proof: t('This field is required') } : {}),
    onSubmit: async (values) => onProof(await proofOf(kind, values)),
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <DialogForm form={form} submit={submit} variant={variant}>
      {children}
      <ProofField
        kind={kind}
        field={form.field('proof')}
        error={form.errors.proof}
        pending={form.pending}
        onPasskey={passkeys.length > 0 ? () => sendByPasskey(form) : undefined}
      />
    </DialogForm>
  )
}
