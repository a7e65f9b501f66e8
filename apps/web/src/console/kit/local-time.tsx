import { createContext, use, useEffect, useState } from 'react'
import { plain } from './strip-control-characters.ts'
import { utcAndLocal } from './when.ts'

/** Formats a time in a zone: `17:32, Nairobi`. Returns undefined if the browser does not know the zone. */
export function localTime(zone: string | undefined, at = new Date()): string | undefined {
  if (zone === undefined) return undefined
  try {
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)
    return `${time}, ${zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone}`
  } catch {
    return undefined
  }
}

/** Formats UTC, browser time and, if known, the member's local time. */
export const allClocks = (at: Date, zone: string | undefined): string => {
  const theirs = localTime(zone, at)
  return theirs === undefined ? utcAndLocal(at) : `${utcAndLocal(at)} · theirs ${theirs}`
}

/** Time zone of the member shown on the page. */
export const ZoneContext = createContext<string | undefined>(undefined)

/** Returns the formatter for time tooltips, with every known clock. */
export function useClocks(): (at: Date) => string {
  const zone = use(ZoneContext)
  return (at) => allClocks(at, zone)
}

/** Shows the member's local time in the zone that their browser reported, or nothing. */
export function LocalTime({ zone }: { zone: string | undefined }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000)
    return () => clearInterval(timer)
  }, [])
  const text = localTime(zone, now)
  return text === undefined ? null : <span title="By the browser of the newest sign-in">{plain(text)}</span>
}

/** Shows the local time as an entry of a fact list. */
export const LocalTimeFact = ({ zone }: { zone: string | undefined }) =>
  zone === undefined ? null : (
    <>
      <dt>Local time</dt>
      <dd>
        <LocalTime zone={zone} />
      </dd>
    </>
  )
