import { useAppConfig } from '../settings/index.ts'
import { cx } from '../ui/cx.ts'

/** Says on every page that coins and payments are play money, when they are. */
export function SandboxRibbon({ className }: { className?: string }) {
  if (!useAppConfig().sandbox) return null
  return (
    <p className={cx('rounded-full bg-warning-soft px-2.5 py-1 text-xs font-semi whitespace-nowrap text-warning', className)}>
      Sandbox · play money
    </p>
  )
}
