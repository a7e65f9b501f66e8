import { INVOICE_CONFIRMATIONS, INVOICE_NETWORK, type ReplyOf } from '@tizara/contract'
import type { getInvoice } from '@tizara/contract/deposits'
import { formatUnits } from '@tizara/money'
import Clock from 'lucide-react/icons/clock'
import Copy from 'lucide-react/icons/copy'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { formatCountdown } from '../lib/format.ts'
import { decimalsOf } from '../lib/list-columns.tsx'
import { Moment } from '../lib/moment.tsx'
import { useCountdown } from '../lib/use-countdown.ts'
import { Address } from '../ui/address.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { depositMessages as text } from './deposits.messages.ts'
import { useInvoice, usePaymentStatus } from './deposits.queries.ts'
import { copyFromInvoice } from './invoice-copy.ts'
import { clockAhead, endOfInvoice, type InvoiceState, invoiceState, invoiceSteps, paymentUri } from './invoice-state.ts'
import { SandboxPay } from './sandbox-pay.tsx'

const QrCode = lazy(async () => ({ default: (await import('../ui/qr-code.tsx')).QrCode }))

type Invoice = ReplyOf<typeof getInvoice>

/** `/invoice?id=` (UI-INVOICE rows, ST-64 to ST-73): public, so that somebody else may pay. */
export default function InvoiceScreen() {
  const id = new URLSearchParams(useSearch()).get('id') ?? ''
  const { data, dataUpdatedAt, isError } = useInvoice(id)
  if (id === '' || isError) {
    return (
      <Frame>
        <Notice
          tone="danger"
          title={text.loadFailed}
          action={
            <>
              {id !== '' && (
                <Button size="sm" onClick={() => location.reload()}>
                  Try again
                </Button>
              )}
              <Link href="/deposit-wallet-history" className={buttonClass('secondary', 'sm')}>
                Payment History
              </Link>
            </>
          }
        />
      </Frame>
    )
  }
  if (data === undefined) {
    return (
      <Frame>
        <output className="flex items-center gap-2.5 text-muted">
          <Spinner label="" /> {text.loading}
        </output>
        <Skeleton className="mt-6 h-9 w-56" />
        <Skeleton className="mt-8 h-12 w-full" />
        <Skeleton className="mt-6 h-[214px] w-full rounded-xl" />
      </Frame>
    )
  }
  return <Paying id={id} invoice={data} ahead={clockAhead(data, dataUpdatedAt)} />
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto max-w-[46rem]">
      <h1 tabIndex={-1} className="mb-4 text-2xl font-strong tracking-num">
        Invoice
      </h1>
      <Card className="sm:p-7">{children}</Card>
    </div>
  )
}

/** `ahead`: of the server's clock, as the invoice told it; the newest answer knows better. */
function Paying({ id, invoice, ahead }: { id: string; invoice: Invoice; ahead: number }) {
  const end = endOfInvoice(invoice.created_at)
  const known = usePaymentStatus(id, end)
  const left = useCountdown(end, known.data?.server_time === undefined ? ahead : clockAhead(known.data, known.dataUpdatedAt))
  const state = invoiceState(known.data, left === 0)
  const ended = state === 'success' || state === 'expired'
  useEffect(() => {
    if (state === 'success') navigate('/pay/success')
  }, [state])
  return (
    <Frame>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <p className="text-sm text-muted">Pay exactly</p>
          <p className="mt-0.5 flex items-center gap-3 text-4xl font-strong tracking-num">
            <Money value={invoice.amount} unit={invoice.token_name} decimals={Math.max(2, decimalsOf(invoice.amount))} />
          </p>
          <Button
            size="sm"
            className="mt-2"
            icon={<Copy size={14} aria-hidden="true" />}
            onClick={() => copyFromInvoice(formatUnits(invoice.amount))}
          >
            Copy amount
          </Button>
        </div>
        <div className="text-right">
          <p className="text-sm text-muted">{state === 'expired' ? text.expired : 'Time left'}</p>
          <p role="timer" aria-label="Time left" className="mt-0.5 flex items-center justify-end gap-2 text-3xl font-strong tracking-num">
            <Clock size={20} aria-hidden="true" className={left < 120 ? 'text-warning' : 'text-faint'} />
            {formatCountdown(state === 'expired' ? 0 : left)}
          </p>
        </div>
      </div>
      <Stepper label="Payment" steps={invoiceSteps(state)} className="my-6" />
      {ended ? <Ended state={state} /> : <Target invoice={invoice} />}
      <Facts
        invoice={invoice}
        confirmations={known.data?.confirmations ?? invoice.confirmations}
        received={known.data?.received ?? invoice.received}
      />
      {!ended && invoice.sandbox === true && <SandboxPay id={id} onPaid={() => void known.refetch()} />}
      {!ended && (
        <p className="mt-5 text-sm text-faint">
          Send one payment of exactly this amount. If it arrives late or differs, our staff look at it before it is credited.
        </p>
      )}
    </Frame>
  )
}

function Target({ invoice }: { invoice: Invoice }) {
  return (
    <div className="flex flex-col gap-6 sm:flex-row">
      <span className="size-[194px] shrink-0 max-sm:mx-auto">
        <Suspense fallback={<Skeleton className="size-[194px] rounded-xl" />}>
          <QrCode text={paymentUri(invoice)} label="QR code of the payment" size={168} />
        </Suspense>
      </span>
      <div className="min-w-0 flex-1">
        <p className="mb-1 text-sm text-muted">Wallet address</p>
        <Address value={invoice.wallet_address} className="block max-w-[24ch] text-base break-all" />
        <Button
          size="sm"
          className="mt-3"
          icon={<Copy size={14} aria-hidden="true" />}
          onClick={() => copyFromInvoice(invoice.wallet_address)}
        >
          Copy address
        </Button>
        <p className="mt-4">
          <Badge plain>
            {INVOICE_NETWORK} · {invoice.required_confirmations ?? INVOICE_CONFIRMATIONS} confirmations
          </Badge>
        </p>
        <p className="mt-2 text-sm text-faint">Use the network {INVOICE_NETWORK} only. A payment over another network does not arrive.</p>
      </div>
    </div>
  )
}

function Facts({
  invoice,
  confirmations,
  received,
}: {
  invoice: Invoice
  confirmations: number | undefined
  received: bigint | undefined
}) {
  const needed = invoice.required_confirmations ?? INVOICE_CONFIRMATIONS
  return (
    <div aria-live="polite" className="mt-6">
      <DescriptionList
        boxed
        rows={[
          { label: 'Token', value: invoice.token_name },
          { label: 'Network', value: `${INVOICE_NETWORK}, ${needed} confirmations` },
          received !== undefined && {
            label: 'Received',
            value: `${formatUnits(received)} of ${formatUnits(invoice.amount)} ${invoice.token_name}`,
          },
          confirmations !== undefined && { label: 'Confirmations', value: `${Math.min(confirmations, needed)} of ${needed}` },
          { label: 'Created', value: <Moment at={invoice.created_at} time /> },
        ]}
      />
    </div>
  )
}

function Ended({ state }: { state: InvoiceState }) {
  if (state === 'success') return <Notice tone="success" title={text.success} />
  return (
    <Notice
      tone="warning"
      title={text.expired}
      action={
        <Link href="/dashboard?open=deposit" className={buttonClass('primary', 'sm')}>
          Make a new deposit
        </Link>
      }
    >
      Please do not pay this invoice any more. If you have just paid, the payment is still seen: write to Support when it does not show in
      your Payment History.
    </Notice>
  )
}
