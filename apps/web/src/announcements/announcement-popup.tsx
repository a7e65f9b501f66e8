import { useEffect, useState, useSyncExternalStore } from 'react'
import { onStored, readStored, storageKeys, writeStored } from '../lib/storage.ts'
import { MessageBox } from '../ui/message-box.tsx'
import { useAnnouncement } from './announcement.queries.ts'

/** How long after the page's load the announcement waits, in milliseconds (ST-58, CO-27). */
const POPUP_DELAY_MS = 2000

const somethingOpen = (): boolean => document.querySelector('dialog[open]') !== null

/** True once no dialog has been open after the wait: an announcement breaks into nobody's form. */
function useTurn(waited: boolean): boolean {
  const [turn, setTurn] = useState(false)
  useEffect(() => {
    if (!waited || turn) return
    const look = (): void => {
      if (!somethingOpen()) setTurn(true)
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
    look()
    return () => observer.disconnect()
  }, [waited, turn])
  return turn
}

/** Whether the flag of the last sign-in is still there, whatever its value (ST-60). */
const flagSet = (): boolean => readStored(storageKeys.popupShown) !== null

/**
 * The announcement, two seconds after load, when no other dialog is open, and once for each sign-in
 * (ST-58, ST-59, UI-DASH-47, UI-M-ANNOUNCE rows).
 */
export function AnnouncementPopup() {
  const flag = useSyncExternalStore(onStored, flagSet)
  const [waited, setWaited] = useState(false)
  const announcement = useAnnouncement(flag)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), POPUP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const turn = useTurn(waited)
  if (!flag || !turn || announcement?.isActive !== true) return null
  const close = (): void => writeStored({ [storageKeys.popupShown]: null })
  return (
    <MessageBox
      open
      icon="info"
      title={announcement.title}
      text={<span className="whitespace-pre-line">{announcement.message}</span>}
      okLabel="Close"
      onOk={close}
    />
  )
}
