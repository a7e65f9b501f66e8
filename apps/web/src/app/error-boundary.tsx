import { t } from '@tizara/languages'
import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

interface State {
  /** Thrown value; null if none. */
  error: unknown
}

/** Contains a screen's failure or failed code download, so that the rest of the page works. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override componentDidMount(): void {
    addEventListener('online', this.retry)
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.retry)
  }

  /**
   * Retries on request and when the network returns. Browsers request a module once, so a failed one needs a page reload, which needs the
   * network.
   */
  private readonly retry = (): void => {
    if (!/\bmodule\b/.test(String(this.state.error))) this.setState({ error: null })
    else if (navigator.onLine) location.reload()
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <div role="alert">
        <EmptyState
          title={t('This page could not be shown')}
          text={t('Nothing that you have sent is lost. Try again, or reload the page.')}
          action={
            <Button variant="primary" onClick={this.retry}>
              {t('Try again')}
            </Button>
          }
        />
      </div>
    )
  }
}
