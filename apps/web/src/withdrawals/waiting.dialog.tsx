import type { Route } from '@tizara/contract'
import { cancelPayout, confirmPayout } from '@tizara/contract/withdrawals-guard'
import { userWallet, walletHistory, walletHoldings } from '@tizara/contract/wallets'
import { useState } from 'react'
import { call, toApiError } from '../lib/api.ts'
import { Moment } from '../lib/moment.tsx'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../lib/proof-field.tsx'
import { refetch } from '../lib/query.ts'
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
    validate: (values): { proof?: string } => (lacksProof(values) ? { proof: 'This field is required' } : {}),
    onSubmit: async (values) => {
      await call(confirmPayout, { params, body: await proofOf(kind, values) })
      await done(what === 'transfer' ? 'The transfer is sent.' : 'The payout is confirmed.')
    },
    onError: (error) => ({ form: toApiError(error).message }),
  })

  async function cancel(): Promise<void> {
    setCancelling(true)
    try {
      await call(cancelPayout, { params })
      await done(`The ${what} is cancelled. Its money is back in your wallet.`)
    } catch (error) {
      form.setError(toApiError(error).message)
    } finally {
      setCancelling(false)
    }
  }

  return (
    <Dialog open title={`Confirm this ${what}`} onClose={onClose} closable={!form.pending && !cancelling}>
      <form {...form.props} className="space-y-4">
        {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
        <DescriptionList
          boxed
          rows={[
            { label: 'Amount', value: payout.amount },
            { label: 'To', value: <Address value={payout.address} />, stacked: true },
            { label: 'Returned if not confirmed by', value: <Moment at={payout.until} time /> },
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
              ? 'Check amount and receiver. You can also confirm with the link in your mail.'
              : 'Check every character of the address. You can also confirm with the link in your mail.'
          }
        />
        <DialogFooter>
          <Button pending={cancelling} disabled={form.pending} onClick={() => void cancel()}>
            Cancel {what}
          </Button>
          <Button type="submit" variant="primary" pending={form.pending} disabled={cancelling}>
            Confirm {what}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
