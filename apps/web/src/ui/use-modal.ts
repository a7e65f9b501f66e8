import { useEffect, useLayoutEffect, useRef } from 'react'
import type { MouseEvent, SyntheticEvent } from 'react'

export interface ModalOptions {
  open: boolean
  onClose: () => void
  /** A press on the backdrop closes. */
  closeOnOutside?: boolean | undefined
  /** False while closing would lose something: Escape and the backdrop do nothing. */
  closable?: boolean | undefined
}

/** Where focus goes first: what asks for it, the first field (not on a phone: its keyboard would jump up), the title at its top. */
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

/** Drives a native modal `<dialog>` from a boolean; the browser traps focus and gives it back. */
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
      // A file picker inside the dialog sends `cancel` too.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      if (closable) onClose()
    },
    onClose(event: SyntheticEvent<HTMLDialogElement>): void {
      // The event comes late: a dialog that is open again (React runs effects twice while developing) has not been closed.
      if (event.target !== event.currentTarget || !state.current.open || event.currentTarget.open) return
      // A browser closes on a second Escape whatever `cancel` says.
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
