import { t } from '@tizara/languages'
import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useAppConfig } from '../settings/index.ts'
import type { DialogName } from './dialogs.tsx'
import { T } from '../ui/t.tsx'

export interface FirstStepsProps {
  className?: string
  /** Completed steps: 0, 1 or 2. The third, the first stake, ends the guide. */
  done: number
  onOpen: (name: DialogName) => void
}

/**
 * Guide to the first stake: deposit, buy, stake. Its button texts differ from the required ones, which must be unique (UI-DASH-01,
 * UI-DASH-41).
 */
export function FirstSteps({ className, done, onOpen }: FirstStepsProps) {
  const { tokenSymbol } = useAppConfig()
  const variantOf = (number: number) => (number === done + 1 ? 'primary' : 'secondary')
  return (
    <ol className={cx('grid gap-2.5 sm:grid-cols-3 sm:gap-3.5', className)}>
      <Step
        number={1}
        done={done}
        title={t('Deposit')}
        text={t('Add USDT to your Deposit Wallet.')}
        action={
          <Button size="sm" variant={variantOf(1)} onClick={() => onOpen('deposit')}>
            {t('Add USDT')}
          </Button>
        }
      />
      <Step
        number={2}
        done={done}
        title={t('Buy {tokenSymbol}', { tokenSymbol })}
        text={t('The price is shown before you confirm.')}
        action={
          <Button size="sm" variant={variantOf(2)} onClick={() => onOpen('buy-token')}>
            <T text="Get {tokenSymbol}" tokenSymbol={tokenSymbol} />
          </Button>
        }
      />
      <Step
        number={3}
        done={done}
        title={t('Stake it')}
        text={t('Compare what each plan would pay.')}
        action={
          <Link href="/stack-coin" className={buttonClass(variantOf(3), 'sm')}>
            {t('See the plans')}
          </Link>
        }
      />
    </ol>
  )
}

interface StepProps {
  number: number
  done: number
  title: string
  text: string
  action: ReactNode
}

function Step({ number, done, title, text, action }: StepProps) {
  const isDone = number <= done
  return (
    <li
      aria-current={number === done + 1 ? 'step' : undefined}
      className="flex items-center gap-3 rounded-lg bg-raised px-3.5 py-1.5 sm:flex-col sm:items-start sm:gap-1 sm:p-4"
    >
      <span
        aria-hidden="true"
        className={cx(
          'grid size-6 shrink-0 place-items-center rounded-full text-xs font-strong sm:mb-1',
          isDone ? 'bg-success-soft text-success' : 'bg-accent-soft text-accent-text',
        )}
      >
        {isDone ? <Check size={14} /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="text-sm font-strong">
          {title}
          {isDone && <span className="sr-only"> {t('(done)')}</span>}
        </h3>
        <p className="text-sm text-muted max-sm:hidden">{text}</p>
      </div>
      {action}
    </li>
  )
}
