import { createContext, use, useEffect, useState } from 'react'
import { plain } from './strip-control-characters.ts'
import { bothClocks } from './when.ts'

/** `17:32, Nairobi` in a time zone; undefined where this browser knows no such zone. */
export function localTime(zone: string | undefined, at = new Date()): string | undefined {
  if (zone === undefined) return undefined
  try {
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)
    return `${time}, ${zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone}`
  } catch {
    return undefined
  }
}

/** The same with the clock of the member whom it is about, where that is known. */
export const allClocks = (at: Date, zone: string | undefined): string => {
  const theirs = localTime(zone, at)
  return theirs === undefined ? bothClocks(at) : `${bothClocks(at)} · theirs ${theirs}`
}

/** The time zone of the member whose pages these are. */
export const ZoneContext = createContext<string | undefined>(undefined)

/** What the title of a time says: every clock that is known. */
export function useClocks(): (at: Date) => string {
  const zone = use(ZoneContext)
  return (at) => allClocks(at, zone)
}

/** What time it is where a member is, as far as their browser said; the time by itself, or nothing where it did not. */
export function LocalTime({ zone }: { zone: string | undefined }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000)
    return () => clearInterval(timer)
  }, [])
  const text = localTime(zone, now)
  return text === undefined ? null : <span title="By the browser of the newest sign-in">{plain(text)}</span>
}

/** The same as a fact in a list of them. */
export const LocalTimeFact = ({ zone }: { zone: string | undefined }) =>
  zone === undefined ? null : (
    <>
      <dt>Local time</dt>
      <dd>
        <LocalTime zone={zone} />
      </dd>
    </>
  )
