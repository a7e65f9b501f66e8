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
  const [isRequested, setRequested] = useState(false)
  useEffect(() => {
    const request = (): void => setRequested(true)
    const stops = [messageStore.subscribe(request), toastStore.subscribe(request)]
    for (const touch of firstTouches) addEventListener(touch, request, { once: true, passive: true })
    if (messageStore.get().length + toastStore.get().length > 0) request()
    return () => {
      for (const stop of stops) stop()
      for (const touch of firstTouches) removeEventListener(touch, request)
    }
  }, [])
  if (!isRequested) return null
  return (
    <Suspense fallback={null}>
      <MessageHost />
      <ToastHost className={toasts} />
    </Suspense>
  )
}
