import { useEffect, useLayoutEffect, useRef } from 'react'
import type { MouseEvent, SyntheticEvent } from 'react'

export interface ModalOptions {
  open: boolean
  onClose: () => void
  /** Closes on a backdrop press. */
  closeOnOutside?: boolean | undefined
  /** False while closing would lose data: Escape and the backdrop do nothing. */
  closable?: boolean | undefined
}

/** Returns the first focus: an `autofocus` element, the first field (not on phones, to keep the keyboard closed), or the title. */
function firstFocus(dialog: HTMLDialogElement): HTMLElement | null {
  const title = dialog.querySelector<HTMLElement>('h2')
  if (title !== null) title.tabIndex = -1
  const fields = 'form :is(input, select, textarea):not(:disabled, [readonly], [type=hidden], [type=file])'
  return (
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    (matchMedia('(pointer: fine)').matches ? dialog.querySelector<HTMLElement>(fields) : null) ??
    title
  )
}

/** Controls a native modal `<dialog>` by a boolean; the browser traps and restores focus. */
export function useModal({ open, onClose, closeOnOutside = false, closable = true }: ModalOptions) {
  const ref = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  const state = useRef({ onClose, closable, open })
  useEffect(() => {
    state.current = { onClose, closable, open }
  })

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    opener.current = document.activeElement
    if (!dialog.open) dialog.showModal()
    firstFocus(dialog)?.focus()
    return () => {
      dialog.close()
      const back = opener.current
      if (back instanceof HTMLElement && back.isConnected && document.activeElement !== back) back.focus({ preventScroll: true })
    }
  }, [open])

  return {
    ref,
    onCancel(event: SyntheticEvent<HTMLDialogElement>): void {
      // A file picker inside the dialog also emits `cancel`.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      if (closable) onClose()
    },
    onClose(event: SyntheticEvent<HTMLDialogElement>): void {
      // The event is asynchronous. Ignores it if the dialog is open again (React runs effects twice in development).
      if (event.target !== event.currentTarget || !state.current.open || event.currentTarget.open) return
      // Browsers close on a second Escape even if `cancel` was prevented.
      if (state.current.closable) state.current.onClose()
      else event.currentTarget.showModal()
    },
    onMouseDown(event: MouseEvent<HTMLDialogElement>): void {
      if (!closeOnOutside || !closable || event.target !== event.currentTarget) return
      const box = event.currentTarget.getBoundingClientRect()
      const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom
      if (!inside) onClose()
    },
  }
}
