import { lazy, Suspense, useEffect, useState } from 'react'
import { messageStore } from '../ui/message-store.ts'
import { toastStore } from '../ui/toast-store.ts'

const MessageHost = lazy(() => import('../ui/message-box.tsx').then((file) => ({ default: file.MessageHost })))
const ToastHost = lazy(() => import('../ui/toast.tsx').then((file) => ({ default: file.ToastHost })))

const firstTouches = ['pointerdown', 'keydown', 'focusin'] as const

/**
 * Shows dialogs and toasts. Loads their code on the first interaction, so that the live region exists before its first message.
 * @param props `toasts` are classes that position the toasts
 */
export function Hosts({ toasts }: { toasts?: string }) {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    const want = (): void => setWanted(true)
    const stops = [messageStore.subscribe(want), toastStore.subscribe(want)]
    for (const touch of firstTouches) addEventListener(touch, want, { once: true, passive: true })
    if (messageStore.get().length + toastStore.get().length > 0) want()
    return () => {
      for (const stop of stops) stop()
      for (const touch of firstTouches) removeEventListener(touch, want)
    }
  }, [])
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <MessageHost />
      <ToastHost className={toasts} />
    </Suspense>
  )
}
