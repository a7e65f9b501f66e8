import type { ReactNode } from 'react'

export type ToastTone = 'success' | 'danger' | 'warning' | 'info'

export interface ToastOptions {
  tone?: ToastTone | undefined
  /** Duration in ms; 0 keeps it open. */
  ms?: number | undefined
  action?: { label: string; onSelect: () => void } | undefined
}

export interface OpenToast {
  id: number
  text: ReactNode
  tone: ToastTone
  ms: number
  action?: { label: string; onSelect: () => void } | undefined
}

let list: readonly OpenToast[] = []
let count = 0
const listeners = new Set<() => void>()

function change(next: readonly OpenToast[]): void {
  list = next
  for (const listener of listeners) listener()
}

/** Shows and announces a short notice. Returns a function that removes it. */
export function toast(text: ReactNode, { tone = 'success', ms = 3000, action }: ToastOptions = {}): () => void {
  const id = ++count
  change([...list.slice(-2), { id, text, tone, ms, action }])
  return () => change(list.filter((item) => item.id !== id))
}

export const toastStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: (): readonly OpenToast[] => list,
  remove: (id: number): void => change(list.filter((item) => item.id !== id)),
}
