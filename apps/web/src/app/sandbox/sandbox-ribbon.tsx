import { useState } from 'react'
import { useAppConfig } from '../../settings/index.ts'
import type { SandboxSheet } from './sandbox-sheet.tsx'
import { T } from '../../ui/t.tsx'

/** Marks every page when coins and payments are play money. A press opens the sandbox's sheet, whose code loads only then. */
export function SandboxRibbon() {
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
        className="rounded-full bg-warning-soft px-2.5 py-1 text-xs font-semi whitespace-nowrap text-warning max-[430px]:px-2"
      >
        <T text="Sandbox<span> · play money</span>" span={(content) => <span className="max-[430px]:sr-only">{content}</span>} />
      </button>
      {Sheet && <Sheet onClose={() => setSheet(undefined)} />}
    </>
  )
}
