import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import Clock from 'lucide-react/icons/clock'
import Copy from 'lucide-react/icons/copy'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { formatCountdown } from '../lib/format.ts'
import { useToken } from '../lib/http/session.ts'
import { useCountdown } from '../lib/use-countdown.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { depositMessages as text } from './deposits.messages.ts'
import { useInvoice, usePaymentStatus } from './deposits.queries.ts'
import { copyFromInvoice } from './invoice-copy.ts'
import { Facts, type Invoice, neededOf, NotCounted, StateNotice, Sum, Target } from './invoice-parts.tsx'
import { clockAhead, endOfInvoice, invoiceState, invoiceSteps, stillToPay, tokenPayment } from './invoice-state.ts'
import { SandboxPay } from './sandbox-pay.tsx'
import { T } from '../ui/t.tsx'

const PayFromWallet = lazy(() => import('./pay-from-wallet.tsx'))
const ReturnPayment = lazy(() => import('./return-payment.tsx'))

/** `/invoice?id=` (UI-INVOICE rows, ST-64 to ST-73): public, so that another person can pay. */
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
                  {t('Try again')}
                </Button>
              )}
              <Link href="/deposit-wallet-history" className={buttonClass('secondary', 'sm')}>
                {t('Payment History')}
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
        {t('Invoice')}
      </h1>
      <Card className="sm:p-7">{children}</Card>
    </div>
  )
}

/** `ahead`: ms by which the server's clock is ahead when the invoice is read. Newer responses update it. */
function Paying({ id, invoice, ahead }: { id: string; invoice: Invoice; ahead: number }) {
  const end = endOfInvoice(invoice.created_at)
  const known = usePaymentStatus(id, end)
  const left = useCountdown(end, known.data?.server_time === undefined ? ahead : clockAhead(known.data, known.dataUpdatedAt))
  const state = invoiceState(known.data, left === 0)
  const received = known.data?.received ?? invoice.received
  const rest = stillToPay(invoice.amount, received)
  const open = state === 'waiting'
  const signedIn = useToken() !== null
  const missed = known.data?.not_counted
  const payment = open ? tokenPayment({ ...invoice, amount: rest }) : undefined
  useEffect(() => {
    if (state === 'success') navigate('/pay/success')
  }, [state])
  return (
    <Frame>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <p className="text-sm text-muted">{!open ? t('Amount') : rest === invoice.amount ? t('Pay exactly') : t('Still to pay')}</p>
          <p className="mt-0.5 flex items-center gap-3 text-4xl font-strong tracking-num">
            <Sum value={open ? rest : invoice.amount} unit={invoice.token_name} />
          </p>
          {open && (
            <Button
              size="sm"
              className="mt-2"
              icon={<Copy size={14} aria-hidden="true" />}
              onClick={() => copyFromInvoice(formatUnits(rest))}
            >
              {t('Copy amount')}
            </Button>
          )}
        </div>
        {/* Once a payment is in progress, the clock no longer matters (ST-73). */}
        {state !== 'processing' && (
          <div className="sm:text-end">
            <p className="text-sm text-muted">{state === 'expired' ? text.expired : t('Time left')}</p>
            <p
              role="timer"
              aria-label={t('Time left')}
              className="mt-0.5 flex items-center gap-2 text-3xl font-strong tracking-num sm:justify-end"
            >
              <Clock size={20} aria-hidden="true" className={left < 120 ? 'text-warning' : 'text-faint'} />
              {formatCountdown(state === 'expired' ? 0 : left)}
            </p>
          </div>
        )}
      </div>
      <Stepper label={t('Payment')} steps={invoiceSteps(state)} className="my-6" />
      <StateNotice state={state} invoice={invoice} received={received} />
      {missed !== undefined && <NotCounted what={missed} unit={invoice.token_name} />}
      {signedIn && missed !== undefined && missed.other_token + missed.too_late > 0n && (
        <Suspense fallback={null}>
          <ReturnPayment deposit={id} />
        </Suspense>
      )}
      {open && <Target invoice={{ ...invoice, amount: rest }} />}
      {payment !== undefined && (
        <Suspense fallback={null}>
          <PayFromWallet id={id} payment={payment} due={rest} unit={invoice.token_name} />
        </Suspense>
      )}
      <Facts
        invoice={invoice}
        open={open}
        confirmations={known.data?.confirmations ?? invoice.confirmations}
        received={received}
        waitsFor={known.data?.waits_for}
      />
      {open && invoice.sandbox === true && <SandboxPay id={id} onPaid={() => void known.refetch()} />}
      {open && (
        <p className="mt-5 text-sm text-faint">
          <T
            text="Send exactly this amount. If you send another amount or pay late, the amount that arrives is credited after {needed} confirmations."
            needed={neededOf(invoice)}
          />
        </p>
      )}
    </Frame>
  )
}
