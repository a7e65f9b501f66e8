import { useEffect, useRef, useState } from 'react'

/** How long a deposit waits before the page is left, in milliseconds (ST-37, CO-26). */
const DEPARTURE_MS = 2000

/** Leaves the page after two seconds, unless it is called off. */
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
 * The host that an address leads to.
 * @returns undefined when it is no address of the web: such a one is never followed
 */
export function webHost(address: string): string | undefined {
  try {
    const url = new URL(address, location.href)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : undefined
  } catch {
    return undefined
  }
}
