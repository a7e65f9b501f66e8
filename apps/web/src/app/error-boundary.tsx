import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

interface State {
  /** What was thrown; null as long as nothing was. */
  error: unknown
}

/** Keeps a screen that breaks, or whose code does not arrive, from taking the whole page with it. */
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
   * By hand, and by itself when the network is back. A browser asks for a module once: one that did not arrive comes with a new
   * document only, and that only over a network.
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
          title="This page could not be shown"
          text="Nothing that you have sent is lost. Try again, or reload the page."
          action={
            <Button variant="primary" onClick={this.retry}>
              Try again
            </Button>
          }
        />
      </div>
    )
  }
}
