import { t } from '@tizara/languages'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { toastStore } from './toast-store.ts'
import type { OpenToast } from './toast-store.ts'

export { toast } from './toast-store.ts'
export type { ToastOptions, ToastTone } from './toast-store.ts'

const ICON = {
  success: [CircleCheck, 'text-success'],
  danger: [CircleAlert, 'text-danger'],
  warning: [TriangleAlert, 'text-warning'],
  info: [Info, 'text-accent'],
} as const

/** Returns the innermost open modal. Toasts must render inside it, because everything else is inert. */
function topmost(): Element {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
}

function Item({ item }: { item: OpenToast }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held || !item.ms) return
    const timer = setTimeout(() => toastStore.remove(item.id), item.ms)
    return () => clearTimeout(timer)
  }, [held, item])
  const [Icon, style] = ICON[item.tone]
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full animate-in items-start gap-2.5 rounded-xl border border-line-strong bg-surface py-2.5 pe-2 ps-3.5 text-sm text-ink shadow-elevate sm:w-[360px]"
    >
      <Icon size={17} aria-hidden="true" className={`mt-1 ${style}`} />
      <div className="min-w-0 flex-1 py-0.5 font-semi">{item.text}</div>
      {item.action && (
        <button type="button" className="rounded-sm px-1.5 py-1 font-semi text-accent hover:underline" onClick={item.action.onSelect}>
          {item.action.label}
        </button>
      )}
      <IconButton label={t('Dismiss')} size="sm" onClick={() => toastStore.remove(item.id)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  )
}

/**
 * Live region with the last three toasts; hovering pauses their timers. Mount once near the root.
 * @param props `className` positions the region; default is the top bar, because forms end with their button
 */
export function ToastHost({ className = 'inset-x-4 top-1 items-center' }: { className?: string | undefined }) {
  const list = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.get)
  const [container, setContainer] = useState<Element | null>(null)
  useEffect(() => {
    const update = (): void => setContainer(topmost())
    update()
    document.addEventListener('close', update, true)
    const stop = toastStore.subscribe(update)
    return () => {
      stop()
      document.removeEventListener('close', update, true)
    }
  }, [])
  useEffect(() => {
    // A removed dialog emits no close event, so its toasts move to the next modal below.
    if (container === null || container === document.body) return
    const leave = (): void => {
      if (!container.isConnected) setContainer(topmost())
    }
    // The dialog may have been removed since it was found.
    leave()
    const watch = new MutationObserver(leave)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [container])
  if (!container) return null
  return createPortal(
    <section aria-label={t('Notices')} aria-live="polite" className={cx('pointer-events-none fixed z-50 flex flex-col gap-2', className)}>
      {list.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </section>,
    container,
  )
}
