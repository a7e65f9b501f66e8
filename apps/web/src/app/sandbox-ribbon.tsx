import { useState } from 'react'
import { useAppConfig } from '../settings/index.ts'
import { cx } from '../ui/cx.ts'
import type { SandboxSheet } from './sandbox-sheet.tsx'

/**
 * Marks every page when coins and payments are play money; `short` saves width on phones. A press opens the sandbox's sheet, whose code
 * loads only then.
 */
export function SandboxRibbon({ className, short }: { className?: string; short?: boolean }) {
  const [Sheet, setSheet] = useState<typeof SandboxSheet>()
  if (!useAppConfig().sandbox) return null
  const open = () =>
    void import('./sandbox-sheet.tsx').then(
      (file) => setSheet(() => file.SandboxSheet),
      () => undefined,
    )
  return (
    <>
      <button
        type="button"
        onClick={open}
        className={cx('rounded-full bg-warning-soft px-2.5 py-1 text-xs font-semi whitespace-nowrap text-warning', className)}
      >
        Sandbox<span className={short === true ? 'max-[430px]:sr-only' : undefined}> · play money</span>
      </button>
      {Sheet !== undefined && <Sheet onClose={() => setSheet(undefined)} />}
    </>
  )
}
