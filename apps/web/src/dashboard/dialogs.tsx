import { Suspense, useEffect } from 'react'
import * as v from 'valibot'
import { coinDialogs } from '../coin/index.ts'
import { depositDialogs } from '../deposits/index.ts'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { transferDialogs } from '../transfers/index.ts'
import { withdrawalDialogs } from '../withdrawals/index.ts'

/** Wallet action modals (UI-DASH-48). */
const dialogs = { ...depositDialogs, ...withdrawalDialogs, ...transferDialogs, ...coinDialogs }

/** Modal name, as in `?open=`. Links outside the app contain it, so that a rename breaks them. */
export type DialogName = keyof typeof dialogs

const isName = (text: string): text is DialogName => Object.hasOwn(dialogs, text)

/** Parses `?open=`; null if it names no modal. */
export const readDialogName = (text: string | null): DialogName | null => (text !== null && isName(text) ? text : null)

const startState = v.object({ start: v.record(v.string(), v.string()) })

/** Returns a modal's initial values from the navigation state; undefined if there are none. */
export function readStart(state: unknown): DialogProps['start'] {
  const read = v.safeParse(startState, state)
  return read.success ? read.output.start : undefined
}

/** Preloads the modals when idle, so that they open at once. */
export function usePreloadedDialogs(): void {
  useEffect(() => {
    const load = (): void => {
      for (const entry of Object.values(dialogs)) entry.load().catch(() => undefined)
    }
    const timer = setTimeout(load, 2500)
    return () => clearTimeout(timer)
  }, [])
}

/** Renders the open modal, if any. */
export function OpenDialog({ name, ...props }: DialogProps & { name: DialogName | null }) {
  if (name === null) return null
  const { Dialog } = dialogs[name]
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
