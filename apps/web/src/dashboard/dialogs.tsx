import { Suspense, useEffect } from 'react'
import { coinDialogs } from '../coin/index.ts'
import { depositDialogs } from '../deposits/index.ts'
import { transferDialogs } from '../transfers/index.ts'
import { withdrawalDialogs } from '../withdrawals/index.ts'

/** The modals of wallet actions (UI-DASH-48). */
const dialogs = { ...depositDialogs, ...withdrawalDialogs, ...transferDialogs, ...coinDialogs }

/** The name of a modal, as `?open=` takes it too. */
export type DialogName = keyof typeof dialogs

const isName = (text: string): text is DialogName => Object.hasOwn(dialogs, text)

/** Reads `?open=`; null when it names no modal. */
export const readDialogName = (text: string | null): DialogName | null => (text !== null && isName(text) ? text : null)

/** Fetches the modals while nothing else happens, so that a press opens them at once. */
export function usePreloadedDialogs(): void {
  useEffect(() => {
    const load = (): void => {
      for (const entry of Object.values(dialogs)) entry.load().catch(() => undefined)
    }
    const timer = setTimeout(load, 2500)
    return () => clearTimeout(timer)
  }, [])
}

/** The modal that is open, if any. */
export function OpenDialog({ name, onClose }: { name: DialogName | null; onClose: () => void }) {
  if (name === null) return null
  const { Dialog } = dialogs[name]
  return (
    <Suspense fallback={null}>
      <Dialog onClose={onClose} />
    </Suspense>
  )
}
