import { createElement, lazy, Suspense } from 'react'
import type { AddressBookDialogProps } from './address-book.dialog.tsx'

export type { BookStep } from './address-book.dialog.tsx'

const Later = lazy(() => import('./address-book.dialog.tsx'))

/** Loads the dialog's code when it opens. */
export function AddressBookDialog(props: AddressBookDialogProps) {
  return createElement(Suspense, { fallback: null }, createElement(Later, props))
}
