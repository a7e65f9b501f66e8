import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useAppConfig } from '../settings/index.ts'
import type { DialogName } from './dialogs.tsx'

/**
 * What somebody who holds nothing yet can do, in the place of the line that has no beginning. Its buttons have words of
 * their own, so that those of the requirements are there once (UI-DASH-01, UI-DASH-41).
 */
export function FirstSteps({ className, onOpen }: { className?: string; onOpen: (name: DialogName) => void }) {
  const { tokenSymbol } = useAppConfig()
  return (
    <ol className={cx('grid gap-2.5 sm:grid-cols-3 sm:gap-3.5', className)}>
      <Step
        number={1}
        title="Deposit"
        text="Bring USDT into your Deposit Wallet."
        action={
          <Button size="sm" onClick={() => onOpen('deposit')}>
            Add USDT
          </Button>
        }
      />
      <Step
        number={2}
        title={`Buy ${tokenSymbol}`}
        text="The price is shown before you confirm."
        action={
          <Button size="sm" onClick={() => onOpen('buy-token')}>
            Get {tokenSymbol}
          </Button>
        }
      />
      <Step
        number={3}
        title="Stake it"
        text="Compare what each plan would pay."
        action={
          <Link href="/stack-coin" className={buttonClass('secondary', 'sm')}>
            See the plans
          </Link>
        }
      />
    </ol>
  )
}

function Step({ number, title, text, action }: { number: number; title: string; text: string; action: ReactNode }) {
  return (
    <li className="flex items-center gap-3 rounded-lg bg-raised px-3.5 py-1.5 sm:flex-col sm:items-start sm:gap-1 sm:p-4">
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-strong text-accent-text sm:mb-1"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="text-sm font-strong">{title}</h3>
        <p className="text-sm text-muted max-sm:hidden">{text}</p>
      </div>
      {action}
    </li>
  )
}
