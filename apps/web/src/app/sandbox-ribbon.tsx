import { useAppConfig } from '../settings/index.ts'
import { cx } from '../ui/cx.ts'

/** Says on every page that coins and payments are play money, when they are; `short` leaves a phone's width to others. */
export function SandboxRibbon({ className, short }: { className?: string; short?: boolean }) {
  if (!useAppConfig().sandbox) return null
  return (
    <p className={cx('rounded-full bg-warning-soft px-2.5 py-1 text-xs font-semi whitespace-nowrap text-warning', className)}>
      Sandbox<span className={short === true ? 'max-[430px]:sr-only' : undefined}> · play money</span>
    </p>
  )
}
