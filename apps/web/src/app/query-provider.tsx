import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { queryClient } from '../lib/query.ts'

/** Server state for what stands inside. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}

/** A public screen that reads server state: members' pages have it from their layout. */
export function withQueries<Props extends object>(Screen: ComponentType<Props>): ComponentType<Props> {
  return function QueriedScreen(props: Props) {
    return (
      <Queries>
        <Screen {...props} />
      </Queries>
    )
  }
}
