import type { ReplyOf } from '@tizara/contract'
import { myReturnable, requestReturn } from '@tizara/contract/deposits'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../lib/http/api.ts'
import { decimalsOf } from '../lib/lists/list-columns.tsx'
import { Moment } from '../lib/moment.tsx'
import { read, refetch } from '../lib/http/query.ts'
import { useAppConfig } from '../settings/index.ts'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { Field } from '../ui/field.tsx'
import { Money } from '../ui/money.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Notice } from '../ui/notice.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { depositMessages } from './deposits.messages.ts'
import { T } from '../ui/t.tsx'

type Returnable = ReplyOf<typeof myReturnable>['returnable'][number]

/** Offers the return of payments that were not credited. Shows nothing to a viewer whose deposit it is not. */
export default function ReturnPayment({ deposit }: { deposit: string }) {
  const { data } = useQuery(read(myReturnable, { params: { id: deposit } }))
  const { tokenSymbol } = useAppConfig()
  const [returning, setReturning] = useState<Returnable>()
  const unitOf = ({ asset }: Returnable) => (asset === 'usd' ? depositMessages.usdt : tokenSymbol)
  return (
    <>
      {data?.returnable.map((one) => (
        <Notice
          key={one.asset}
          tone="info"
          className="mb-6"
          title={t('{amount} {unit} were not credited', { amount: formatAmount(one.amount, decimalsOf(one.amount)), unit: unitOf(one) })}
          action={
            <Button size="sm" onClick={() => setReturning(one)}>
              {one.requested === undefined ? t('Return to…') : t('Use another address')}
            </Button>
          }
        >
          {one.requested === undefined ? (
            t('Our staff decide about them. You can ask to have them returned to an address of yours.')
          ) : (
            <T
              text="On {moment} you asked for their return to {address}. Our staff decide about it, and we mail you."
              moment={<Moment at={one.requested.at} time />}
              address={<Address value={one.requested.address} />}
            />
          )}
        </Notice>
      ))}
      {returning !== undefined && (
        <ReturnDialog deposit={deposit} returnable={returning} unit={unitOf(returning)} onClose={() => setReturning(undefined)} />
      )}
    </>
  )
}

interface ReturnDialogProps {
  deposit: string
  returnable: Returnable
  unit: string
  onClose: () => void
}

/** Names the address to which payments go back. */
function ReturnDialog({ deposit, returnable: { asset, amount, networkFee, received }, unit, onClose }: ReturnDialogProps) {
  const guard = useQuery(read(payoutGuard)).data
  // Only BEP(20) addresses whose delay is over can receive a return.
  const now = Date.now()
  const usable =
    guard?.addresses.filter(({ network, usableFrom }) => network === 0 && usableFrom !== null && usableFrom.getTime() <= now) ?? []
  const form = useForm({
    initial: { address: '' },
    validate: ({ address }): { address?: string } => (address === '' ? { address: t('This field is required') } : {}),
    onSubmit: async ({ address }) => {
      const { message } = await call(requestReturn, { params: { id: deposit }, body: { asset, address } })
      toast(message)
      onClose()
      await refetch(myReturnable)
    },
    onError: (error) => ({ form: toApiError(error).message }),
  })
  const amountIn = (value: bigint) => <Money value={value} unit={unit} decimals="exact" />
  if (guard !== undefined && usable.length === 0) {
    return (
      <Dialog open title={t('Return to…')} onClose={onClose}>
        <Notice tone="info" title={t('Your address book has no usable BEP(20) address')}>
          <T
            text="Add your address on the page <link>Profile</link> and confirm it. When its delay is over, you can choose it here. Your payment is not lost meanwhile."
            link={(content) => (
              <Link href="/profile" className="link">
                {content}
              </Link>
            )}
          />
        </Notice>
      </Dialog>
    )
  }
  return (
    <Dialog open title={t('Return to…')} onClose={onClose} closable={!form.pending}>
      <DialogForm form={form} submit={t('Ask for the return')}>
        <DescriptionList
          boxed
          rows={[
            { label: t('Not credited'), value: amountIn(amount) },
            { label: t('Network fee'), value: amountIn(networkFee) },
            { label: t('Arrives'), value: amountIn(received) },
          ]}
        />
        <Field
          label={t('Your address')}
          required
          error={form.errors.address}
          hint={t('Confirmed BEP(20) addresses of your address book, on a wallet that holds this token.')}
        >
          <Select
            {...form.field('address')}
            placeholder={t('Choose an address')}
            options={usable.map(({ address, label }) => ({
              value: address,
              label: `${label} ${address.slice(0, 8)}…${address.slice(-6)}`,
            }))}
          />
        </Field>
        {form.values.address !== '' && <Address value={form.values.address} className="block break-all" />}
      </DialogForm>
    </Dialog>
  )
}
