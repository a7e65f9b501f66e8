import { t } from '@tizara/languages'
import { Component, type ReactNode } from 'react'

/** Contains an optional part's failure and shows one line for it, so that input on the page is kept. */
export class PartBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <p role="alert" className="fixed inset-x-0 bottom-0 bg-warning-soft px-4 py-2 text-center text-sm">
        {t('A part of this page did not arrive. Reload it.')}
      </p>
    )
  }
}
