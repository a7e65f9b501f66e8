import { useEffect, useRef, useState } from 'react'

/** Delay before a deposit's redirect, in milliseconds (ST-37, CO-26). */
const DEPARTURE_MS = 2000

/** Leaves the page after two seconds, unless cancelled. */
export function useDeparture(go: (address: string) => void) {
  const [address, setAddress] = useState<string>()
  const leave = useRef(go)
  useEffect(() => {
    leave.current = go
  })
  useEffect(() => {
    if (address === undefined) return
    const timer = setTimeout(() => leave.current(address), DEPARTURE_MS)
    return () => clearTimeout(timer)
  }, [address])
  return { address, start: setAddress, cancel: () => setAddress(undefined) }
}

/**
 * Returns a URL's host.
 * @returns undefined for other than web URLs, which are never followed
 */
export function webHost(address: string): string | undefined {
  try {
    const url = new URL(address, location.href)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : undefined
  } catch {
    return undefined
  }
}
