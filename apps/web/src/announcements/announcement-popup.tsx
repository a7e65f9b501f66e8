import { useEffect, useState, useSyncExternalStore } from 'react'
import { onStored, readStored, storageKeys, writeStored } from '../lib/storage.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import { useAnnouncement } from './announcement.queries.ts'

/** How long after the page's load the announcement waits, in milliseconds (ST-58, CO-27). */
export const POPUP_DELAY_MS = 2000

/** Whether the flag of the last sign-in is still there, whatever its value (ST-60). */
const flagSet = (): boolean => readStored(storageKeys.popupShown) !== null

/** The announcement, two seconds after load and once for each sign-in (ST-58, ST-59, UI-DASH-47, UI-M-ANNOUNCE rows). */
export function AnnouncementPopup() {
  const flag = useSyncExternalStore(onStored, flagSet)
  const [waited, setWaited] = useState(false)
  const announcement = useAnnouncement(flag)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), POPUP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!flag || !waited || announcement?.isActive !== true) return null
  const close = (): void => writeStored({ [storageKeys.popupShown]: null })
  return (
    <Dialog open title={announcement.title} onClose={close}>
      <p className="whitespace-pre-line text-muted">{announcement.message}</p>
      <DialogFooter>
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
