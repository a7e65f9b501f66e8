import type { ReactNode } from 'react'

export type MessageIcon = 'success' | 'error' | 'warning' | 'info' | 'question'

export interface MessageOptions {
  icon?: MessageIcon | undefined
  title: ReactNode
  text?: ReactNode
  children?: ReactNode
  okLabel?: string | undefined
  /** Time until it closes automatically, in ms. */
  autoCloseMs?: number | undefined
}

export interface ConfirmOptions {
  icon?: MessageIcon | undefined
  title: ReactNode
  text?: ReactNode
  children?: ReactNode
  confirmLabel?: string | undefined
  cancelLabel?: string | undefined
  /** Makes the confirm button red. */
  danger?: boolean | undefined
}

export interface OpenMessage extends MessageOptions, ConfirmOptions {
  id: number
  kind: 'message' | 'confirm'
  answer: (yes: boolean) => void
}

let queue: readonly OpenMessage[] = []
let count = 0
const listeners = new Set<() => void>()

function change(next: readonly OpenMessage[]): void {
  queue = next
  for (const listener of listeners) listener()
}

function ask(kind: OpenMessage['kind'], options: MessageOptions & ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const id = ++count
    const answer = (yes: boolean): void => {
      change(queue.filter((message) => message.id !== id))
      resolve(yes)
    }
    change([...queue, { ...options, id, kind, answer }])
  })
}

/** Shows a message with one OK button; resolves on close. Requires a mounted `<MessageHost/>`. */
export async function showMessage(options: MessageOptions): Promise<void> {
  await ask('message', options)
}

/** Asks yes or no; Escape and × mean no. */
export function confirmMessage(options: ConfirmOptions): Promise<boolean> {
  return ask('confirm', options)
}

/** Pending messages for the host, oldest first. */
export const messageStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: (): readonly OpenMessage[] => queue,
}
