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

/** Returns true if the browser reports no network. Decisions cannot be sent then. */
export const isOffline = (): boolean => !navigator.onLine

/** Returns the offline state and re-renders when it changes. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, isOffline)

/** A button for a write call, disabled while offline. */
export function SendButton({ title, ...props }: ButtonProps) {
  const offline = useOffline()
  return <Button {...props} aria-disabled={offline || props['aria-disabled']} title={offline ? 'There is no connection' : title} />
}

/** Shows the offline notice and the age of the data beside disabled buttons. */
export function Offline() {
  const at = useOverview().data?.at
  return useOffline() ? (
    <p className="text-xs text-warning mb-2" role="status">
      There is no connection. {at !== undefined && `Last update ${clock(at)} UTC. `}Your text is saved.
    </p>
  ) : null
}
