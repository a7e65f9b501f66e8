import { onlineManager } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { useSyncExternalStore } from 'react'

const watch = (changed: () => void): (() => void) => onlineManager.subscribe(changed)

/** Reports that the network is down; reads pause and resume automatically. */
export function OfflineNote() {
  const offline = useSyncExternalStore(watch, () => !onlineManager.isOnline())
  return (
    <p role="status" className={offline ? 'bg-warning-soft px-4 py-2 text-center text-sm' : undefined}>
      {offline && t("You're offline. The rest loads when you're back online.")}
    </p>
  )
}
