import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

interface Props {
  children: ReactNode
  /** Before what failed is drawn again. */
  onRetry: () => void
}

interface State {
  failed: boolean
}

/** Keeps a screen that breaks, or whose code does not arrive, from taking the whole page with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  retry = (): void => {
    this.props.onRetry()
    this.setState({ failed: false })
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div role="alert">
        <EmptyState
          title="This page could not be shown"
          text="Nothing that you have sent is lost. Try again, or reload the page if it happens once more."
          action={
            <>
              <Button variant="primary" onClick={this.retry}>
                Try again
              </Button>
              <Button onClick={() => location.reload()}>Reload</Button>
            </>
          }
        />
      </div>
    )
  }
}
