import { createElement, lazy, Suspense } from 'react'
import type { SecondFactorDialogProps } from './second-factor.dialog.tsx'

const Later = lazy(() => import('./second-factor.dialog.tsx'))

/** Loads the dialog's code and QR code when it opens. */
export function SecondFactorDialog(props: SecondFactorDialogProps) {
  return createElement(Suspense, { fallback: null }, createElement(Later, props))
}
