import { useSyncExternalStore } from 'react'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { useOverview } from './overview.ts'
import { clock } from './when.ts'

const subscribe = (listener: () => void) => {
  for (const event of ['online', 'offline'] as const) addEventListener(event, listener)
  return () => {
    for (const event of ['online', 'offline'] as const) removeEventListener(event, listener)
  }
}

/** Whether the browser knows of no network: then nothing can be decided or sent. */
export const isOffline = (): boolean => !navigator.onLine

/** The same, drawn anew when it changes. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, isOffline)

/** A button that sends something: off without a connection too. */
export function SendButton({ title, ...props }: ButtonProps) {
  const offline = useOffline()
  return <Button {...props} aria-disabled={offline || props['aria-disabled']} title={offline ? 'There is no connection' : title} />
}

/** Says so beside what cannot be pressed, with the age of what is seen. */
export function Offline() {
  const at = useOverview().data?.at
  return useOffline() ? (
    <p className="text-xs text-warning mb-2" role="status">
      There is no connection. {at !== undefined && `Last word ${clock(at)} UTC. `}What you typed is kept.
    </p>
  ) : null
}
