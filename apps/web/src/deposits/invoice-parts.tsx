import { INVOICE_CONFIRMATIONS, INVOICE_NETWORK, type ReplyOf } from '@tizara/contract'
import type { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { t } from '@tizara/languages'
import Copy from 'lucide-react/icons/copy'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { decimalsOf } from '../lib/lists/list-columns.tsx'
import { Moment } from '../lib/moment.tsx'
import { Address } from '../ui/address.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { depositMessages as text } from './deposits.messages.ts'
import { copyFromInvoice } from './invoice-copy.ts'
import { type InvoiceState, paymentUri } from './invoice-state.ts'
import { T } from '../ui/t.tsx'

const QrCode = lazy(async () => ({ default: (await import('../ui/qr-code.tsx')).QrCode }))

export type Invoice = ReplyOf<typeof getInvoice>

/** Returns the required confirmations. */
export const neededOf = (invoice: Invoice): number => invoice.required_confirmations ?? INVOICE_CONFIRMATIONS

const plain = (amount: bigint): string => formatAmount(amount, decimalsOf(amount))

/** Shows an amount with all decimals, as a wallet needs it. */
export function Sum({ value, unit }: { value: bigint; unit: string }) {
  return <Money value={value} unit={unit} decimals="exact" />
}

/** Shows the payment target as QR code and text. */
export function Target({ invoice }: { invoice: Invoice }) {
  return (
    <div className="flex flex-col gap-6 sm:flex-row">
      <span className="size-[194px] shrink-0 max-sm:mx-auto">
        <Suspense fallback={<Skeleton className="size-[194px] rounded-xl" />}>
          <QrCode text={paymentUri(invoice)} label={t('QR code of the payment')} size={168} />
        </Suspense>
      </span>
      <div className="min-w-0 flex-1">
        <p className="mb-1 text-sm text-muted">{t('Wallet address')}</p>
        <Address value={invoice.wallet_address} className="block max-w-[30ch] text-base break-all" />
        <Button
          size="sm"
          className="mt-3"
          icon={<Copy size={14} aria-hidden="true" />}
          onClick={() => copyFromInvoice(invoice.wallet_address)}
        >
          {t('Copy address')}
        </Button>
        <p className="mt-4">
          <Badge plain>
            <T text="{invoiceNetwork} · {needed} confirmations" invoiceNetwork={INVOICE_NETWORK} needed={neededOf(invoice)} />
          </Badge>
        </p>
        <p className="mt-2 text-sm text-faint">
          <T
            text="Send {tokenName} on the network {invoiceNetwork} only. A payment over another network does not arrive. Tokens that the platform does not know can be neither credited nor returned."
            tokenName={invoice.token_name}
            invoiceNetwork={INVOICE_NETWORK}
          />
        </p>
      </div>
    </div>
  )
}

type WaitsFor = ReplyOf<typeof getPaymentStatus>['waits_for']

/** Explains what is awaited beside the confirmations. */
function reasonText({ reason, blocks }: NonNullable<WaitsFor>): string {
  switch (reason) {
    case 'CHAIN_SILENT':
      return t('New blocks of the chain. It has been silent for two minutes; payments are not lost.')
    case 'FINAL_BLOCK':
      return t('The final block of the chain, after which a payment cannot be undone.')
    case 'MORE_BLOCKS':
      return t('{blocks} blocks, because the amount is large.', { blocks: blocks ?? '' })
  }
}

export interface FactsProps {
  waitsFor?: WaitsFor
  invoice: Invoice
  /** True while the address and QR code are shown above. */
  open: boolean
  confirmations: number | undefined
  received: bigint | undefined
}

export function Facts({ invoice, open, confirmations, received, waitsFor }: FactsProps) {
  const needed = neededOf(invoice)
  return (
    <div aria-live="polite" className="mt-6">
      <DescriptionList
        boxed
        rows={[
          !open && { label: t('Wallet address'), value: <Address value={invoice.wallet_address} />, stacked: true },
          { label: t('Token'), value: invoice.token_name },
          { label: t('Network'), value: t('{invoiceNetwork}, {needed} confirmations', { invoiceNetwork: INVOICE_NETWORK, needed }) },
          received !== undefined && {
            label: t('Received'),
            value: t('{received} of {amount} {tokenName}', {
              received: plain(received),
              amount: plain(invoice.amount),
              tokenName: invoice.token_name,
            }),
          },
          confirmations !== undefined && {
            label: t('Confirmations'),
            value: t('{confirmations} of {needed}', { confirmations: Math.min(confirmations, needed), needed }),
          },
          waitsFor !== undefined && { label: t('Still awaited'), value: reasonText(waitsFor) },
          { label: t('Created'), value: <Moment at={invoice.created_at} time /> },
        ]}
      />
    </div>
  )
}

/** Shows received amounts without automatic credit, and the next step. */
export function NotCounted({ what, unit }: { what: NonNullable<ReplyOf<typeof getPaymentStatus>['not_counted']>; unit: string }) {
  const { other_token: other, too_late: late, balance_differs: differing = 0n, dust } = what
  return (
    <>
      {other > 0n && (
        <Notice tone="warning" title={t('{other} of another token have arrived', { other: plain(other) })} className="mb-6">
          <T
            text="This invoice is for {unit}, so they do not count for it. They are not lost: our staff will credit them as the token that you sent. Please send {unit} for the invoice. If you need them back, sign in and ask for their return here or in your Payment History."
            unit={unit}
          />
        </Notice>
      )}
      {late > 0n && (
        <Notice tone="info" title={t('{late} {unit} arrived after this invoice was closed', { late: plain(late), unit })} className="mb-6">
          {t('Our staff review and credit them. You do not need to do anything. If you need them back, sign in and ask for their return.')}
        </Notice>
      )}
      {differing > 0n && (
        <Notice tone="warning" title={t('{differing} must be checked by our staff', { differing: plain(differing) })} className="mb-6">
          {t(
            'The address received another amount than the transfer states, so it can’t be returned automatically. Our staff credit what arrived. Please do not pay again, and write to Support if you need it back.',
          )}
        </Notice>
      )}
      {dust > 0n && (
        <Notice tone="warning" title={t('{dust} have arrived, which is too little', { dust: plain(dust) })} className="mb-6">
          {t('A transfer of less than 0.01 is not credited. Please send the whole amount in one transfer.')}
        </Notice>
      )}
    </>
  )
}

/** Explains the state to the payer, with the next step. */
export function StateNotice({ state, invoice, received = 0n }: { state: InvoiceState; invoice: Invoice; received?: bigint | undefined }) {
  const part = t('{received} of {amount} {tokenName}', {
    received: plain(received),
    amount: plain(invoice.amount),
    tokenName: invoice.token_name,
  })
  if (state === 'success') return <Notice tone="success" title={text.success} />
  if (state === 'processing') {
    return (
      <Notice tone="info" title={t('The payment has arrived')}>
        <T
          text="It is credited after {needed} confirmations. Please do not pay again.{received}"
          needed={neededOf(invoice)}
          received={
            received > invoice.amount &&
            t(' More than the invoiced amount arrived: all {received} {tokenName} are credited.', {
              received: plain(received),
              tokenName: invoice.token_name,
            })
          }
        />
      </Notice>
    )
  }
  if (state === 'waiting') {
    if (received === 0n) return null
    return (
      <Notice tone="warning" title={t('{part} have arrived', { part })} className="mb-6">
        {t('Please send the rest to the same address. What has arrived is credited in any case.')}
      </Notice>
    )
  }
  return (
    <Notice
      tone="warning"
      className="mb-6"
      title={text.expired}
      action={
        <Link href="/dashboard?open=deposit" className={buttonClass('primary', 'sm')}>
          {t('Make a new deposit')}
        </Link>
      }
    >
      <T
        text="{part}Please do not pay this invoice any more. If you have just paid, the payment is still seen: write to Support when it does not show in your Payment History."
        part={received > 0n && t('{part} have arrived and are credited. ', { part })}
      />
    </Notice>
  )
}
