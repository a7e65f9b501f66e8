import { createElement, lazy, Suspense } from 'react'
import type { SecondFactorDialogProps } from './second-factor.dialog.tsx'

const Later = lazy(() => import('./second-factor.dialog.tsx'))

/** The dialog, whose code and QR code are fetched when it opens. */
export function SecondFactorDialog(props: SecondFactorDialogProps) {
  return createElement(Suspense, { fallback: null }, createElement(Later, props))
}
