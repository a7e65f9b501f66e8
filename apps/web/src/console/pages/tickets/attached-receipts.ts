import { useSyncExternalStore } from 'react'

/** A receipt attached to the next reply. */
export interface AttachedReceipt {
  /** Reference: kind and id, such as `withdrawal.Xy12`. */
  name: string
  title: string
}

const NONE: readonly AttachedReceipt[] = []
/** Attached receipts by ticket, limited as on the server. */
const receiptsByTicket = new Map<string, readonly AttachedReceipt[]>()
const MAX_RECEIPTS = 5
const listeners = new Set<() => void>()

function put(ticketId: string, receipts: readonly AttachedReceipt[]): void {
  receiptsByTicket.set(ticketId, receipts)
  for (const listener of listeners) listener()
}

/** Attaches a receipt to the next reply. All panes of one ticket share the list. */
export function addReceipt(ticketId: string, receipt: AttachedReceipt): void {
  const before = receiptsByTicket.get(ticketId) ?? NONE
  if (before.length < MAX_RECEIPTS && !before.some((one) => one.name === receipt.name)) put(ticketId, [...before, receipt])
}

/** Removes one attached receipt, or all. */
export const detachReceipt = (ticketId: string, name?: string): void =>
  put(ticketId, name === undefined ? NONE : (receiptsByTicket.get(ticketId) ?? NONE).filter((one) => one.name !== name))

export const useReceipts = (ticketId: string): readonly AttachedReceipt[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => receiptsByTicket.get(ticketId) ?? NONE,
  )
