import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { onStored, readStored, storageKeys, writeStored } from '../../lib/http/storage.ts'
import { useMedia, WIDE } from '../../lib/use-media.ts'

/** Returns true if the screen fits a sidebar beside the page (UI-LAYOUT-03). */
export const useWideScreen = (): boolean => useMedia(WIDE, true)

/** Wide or icons only; stored in the browser, wide by default (UI-SIDEBAR-04, UI-SIDEBAR-05, BR-09). */
export function useSidebarExpanded(): [boolean, (expanded: boolean) => void] {
  const expanded = useSyncExternalStore(onStored, () => readStored(storageKeys.sidebar) !== 'false')
  return [expanded, (next) => writeStored({ [storageKeys.sidebar]: String(next) })]
}

/** Drawer state on small screens; every navigation closes it. */
export function useSidebarDrawer(): { open: boolean; show: () => void; close: () => void } {
  const [pathname] = useLocation()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  return { open, show: () => setOpen(true), close: () => setOpen(false) }
}
