import { t } from '@tizara/languages'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { onStored, readStored, storageKeys, writeStored } from '../lib/http/storage.ts'
import { MessageBox } from '../ui/message-box.tsx'
import { useAnnouncement } from './announcement.queries.ts'

/** Announcement delay after page load, in milliseconds (ST-58, CO-27). */
const POPUP_DELAY_MS = 2000

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

/** Returns true once no dialog is open after the delay, so that the announcement interrupts no form. */
function useNoOpenDialog(waited: boolean): boolean {
  const [turn, setTurn] = useState(false)
  useEffect(() => {
    if (!waited || turn) return
    const check = (): void => {
      if (!isDialogOpen()) setTurn(true)
    }
    const observer = new MutationObserver(check)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
    check()
    return () => observer.disconnect()
  }, [waited, turn])
  return turn
}

/** Returns true while the last sign-in's flag exists, whatever its value (ST-60). */
const flagSet = (): boolean => readStored(storageKeys.popupShown) !== null

/** Shows the announcement once per sign-in, two seconds after load, if no dialog is open (ST-58, ST-59, UI-DASH-47, UI-M-ANNOUNCE rows). */
export function AnnouncementPopup() {
  const flag = useSyncExternalStore(onStored, flagSet)
  const [waited, setWaited] = useState(false)
  const announcement = useAnnouncement(flag)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), POPUP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const turn = useNoOpenDialog(waited)
  if (!flag || !turn || announcement?.isActive !== true) return null
  const close = (): void => writeStored({ [storageKeys.popupShown]: null })
  return (
    <MessageBox
      open
      icon="info"
      title={announcement.title}
      text={<span className="whitespace-pre-line">{announcement.message}</span>}
      okLabel={t('Close')}
      onOk={close}
    />
  )
}
