import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { queryClient } from '../lib/http/query.ts'

/** Provides server state. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}

/** Provides the query client to a public screen. Member pages get the client from their layout. */
export function withQueries<Props extends object>(Screen: ComponentType<Props>): ComponentType<Props> {
  return function QueriedScreen(props: Props) {
    return (
      <Queries>
        <Screen {...props} />
      </Queries>
    )
  }
}
