import { useAppConfig } from '../settings/index.ts'
import { cx } from '../ui/cx.ts'

/** Marks every page when coins and payments are play money; `short` saves width on phones. */
export function SandboxRibbon({ className, short }: { className?: string; short?: boolean }) {
  if (!useAppConfig().sandbox) return null
  return (
    <p className={cx('rounded-full bg-warning-soft px-2.5 py-1 text-xs font-semi whitespace-nowrap text-warning', className)}>
      Sandbox<span className={short === true ? 'max-[430px]:sr-only' : undefined}> · play money</span>
    </p>
  )
}
