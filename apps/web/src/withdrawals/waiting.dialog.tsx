import type { Route } from '@tizara/contract'
import { cancelPayout, confirmPayout } from '@tizara/contract/withdrawals-guard'
import { userWallet, walletHistory, walletHoldings } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { Moment } from '../lib/moment.tsx'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../lib/proofs/proof-field.tsx'
import { refetch } from '../lib/http/query.ts'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { usePayoutGuard } from './use-step-up.ts'

export interface WaitingDialogProps {
  payout: {
    id: string
    /** Payout address, or a transfer's receiver. */
    address: string
    /** Includes the unit. */
    amount: string
    until: Date
  }
  /** List to refetch. */
  list: Route
  what?: 'payout' | 'transfer'
  onClose: () => void
}

/** Confirms or cancels a payout or transfer that awaits confirmation. */
export default function WaitingDialog({ payout, list, what = 'payout', onClose }: WaitingDialogProps) {
  const guard = usePayoutGuard()
  const kind = guard?.proof ?? 'password'
  const [cancelling, setCancelling] = useState(false)
  const params = { id: payout.id }

  async function done(message: string): Promise<void> {
    toast(message)
    onClose()
    await refetch(list, userWallet, walletHoldings, walletHistory)
  }
  const form = useForm({
    initial: NO_PROOF,
    validate: (values): { proof?: string } => (lacksProof(values) ? { proof: t('This field is required') } : {}),
    onSubmit: async (values) => {
      await call(confirmPayout, { params, body: await proofOf(kind, values) })
      await done(what === 'transfer' ? t('The transfer is sent.') : t('The payout is confirmed.'))
    },
    onError: (error) => ({ form: toApiError(error).message }),
  })

  async function cancel(): Promise<void> {
    setCancelling(true)
    try {
      await call(cancelPayout, { params })
      await done(t('The {what, select, transfer {transfer} other {payout}} is cancelled. Its money is back in your wallet.', { what }))
    } catch (error) {
      form.setError(toApiError(error).message)
    } finally {
      setCancelling(false)
    }
  }

  return (
    <Dialog
      open
      title={t('Confirm this {what, select, transfer {transfer} other {payout}}', { what })}
      onClose={onClose}
      closable={!form.pending && !cancelling}
    >
      <form {...form.props} className="space-y-4">
        {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
        <DescriptionList
          boxed
          rows={[
            { label: t('Amount'), value: payout.amount },
            { label: t('To'), value: <Address value={payout.address} />, stacked: true },
            { label: t('Returned if not confirmed by'), value: <Moment at={payout.until} time /> },
          ]}
        />
        <ProofField
          kind={kind}
          field={form.field('proof')}
          error={form.errors.proof}
          pending={form.pending}
          onPasskey={guard?.passkey === true ? () => sendByPasskey(form) : undefined}
          hint={
            what === 'transfer'
              ? t('Check amount and receiver. You can also confirm with the link in your mail.')
              : t('Check every character of the address. You can also confirm with the link in your mail.')
          }
        />
        <DialogFooter>
          <Button pending={cancelling} disabled={form.pending} onClick={() => void cancel()}>
            {t('Cancel {what, select, transfer {transfer} other {payout}}', { what })}
          </Button>
          <Button type="submit" variant="primary" pending={form.pending} disabled={cancelling}>
            {t('Confirm {what, select, transfer {transfer} other {payout}}', { what })}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
