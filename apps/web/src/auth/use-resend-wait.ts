import { OTP_RESEND_SECONDS } from '@tizara/contract/limits'
import { useEffect, useState } from 'react'
import { readStored, storageKeys, writeStored } from '../lib/http/storage.ts'
import { useCountdown } from '../lib/use-countdown.ts'

/** Returns the stored wait end if it is in the future and within the maximum wait (ST-57). */
function readExpiry(): number | null {
  const at = Number(readStored(storageKeys.otpResendExpiry) ?? Number.NaN)
  const left = at - Date.now()
  return left > 0 && left <= OTP_RESEND_SECONDS * 1000 ? at : null
}

/**
 * Wait between two code resends, kept across reloads (ST-55 to ST-57, CO-33, BR-11).
 * @returns seconds left, `start` after a resend, and `stop` after success
 */
export function useResendWait(): { seconds: number; start: () => void; stop: () => void } {
  const [expiry, setExpiry] = useState(readExpiry)
  const seconds = useCountdown(expiry)

  function save(at: number | null): void {
    writeStored({ [storageKeys.otpResendExpiry]: at === null ? null : String(at) })
    setExpiry(at)
  }

  useEffect(() => {
    if (seconds === 0 && readStored(storageKeys.otpResendExpiry) !== null && readExpiry() === null) save(null)
  }, [seconds])

  return { seconds, start: () => save(Date.now() + OTP_RESEND_SECONDS * 1000), stop: () => save(null) }
}
