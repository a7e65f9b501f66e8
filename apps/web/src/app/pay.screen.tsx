import { t } from '@tizara/languages'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class.ts'
import { cx } from '../ui/cx.ts'

/** `/pay/success` and `/pay/cancel` (UI-PAY-01, UI-PAY-02, RT-52 to RT-54). */
export default function PayScreen() {
  const isCancelled = location.pathname === '/pay/cancel'
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center pt-10 text-center sm:pt-20">
      <span
        className={cx(
          'grid size-16 place-items-center rounded-full',
          isCancelled ? 'bg-raised text-muted' : 'bg-success-soft text-success',
        )}
      >
        {isCancelled ? <CircleX size={30} aria-hidden="true" /> : <CircleCheck size={30} aria-hidden="true" />}
      </span>
      <h1 className="mt-6 text-2xl font-strong tracking-num">{t('Payment Success')}</h1>
      <p className="mt-3 text-muted">
        {isCancelled
          ? t('You cancelled the payment. Nothing was paid, and nothing was credited.')
          : t('Your deposit is credited once the network has confirmed it.')}
      </p>
      <Link href="/" className={buttonClass('primary', 'lg', 'mt-8 min-w-40')}>
        {t('HOME')}
      </Link>
      <Link href="/deposit-wallet-history" className="link mt-4 text-sm">
        {t('See the state of your deposits')}
      </Link>
    </div>
  )
}
