import { announcePresence, presence } from '@tizara/contract/staff-platform'
import { useEffect, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { call } from '../../lib/http/api.ts'
import { followChanges } from '../../lib/http/live.ts'
import { useMe } from './me.tsx'
import { away } from './watch.ts'

/** Interval of presence signals in ms. The server expires one after 45 seconds. */
const SIGN_MS = 20_000

type Presence = v.InferOutput<typeof presence>
/** Activity of a staff member at a location: reading, writing to the member, or writing a note. */
export type PresenceActivity = Colleague['activity']
export type Colleague = Presence[number]['people'][number]

let current: Presence = []
const listeners = new Set<() => void>()
const NO_COLLEAGUES: readonly Colleague[] = []

function handleEvent(event: string, data: unknown): void {
  const read = event === 'presence' ? v.safeParse(presence, data) : undefined
  if (read?.success !== true) return
  current = read.output
  for (const listener of listeners) listener()
}

/** Follows the staff event stream until the signal aborts. */
export function followPlatform(over: AbortSignal): void {
  followChanges(over, {
    afterGap: ['staffQueue', 'staffQueueItem', 'staffTickets', 'staffTicketDetail', 'staffChanges', 'staffOverview', 'staffMe'],
    onEvent: handleEvent,
  })
}

const usePresence = (): Presence =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

/** Returns the ids of all staff present in the console. */
export function usePresentStaff(): ReadonlySet<string> {
  return new Set(usePresence().flatMap((one) => one.people.map((person) => person.id)))
}

/**
 * Returns colleagues by location, without the reader, for rows.
 * @returns a function of one location: `payouts/p1`
 */
export function useColleagues(): (location: string) => readonly Colleague[] {
  const all = usePresence()
  const me = useMe().person.id
  return (location) => all.find((one) => one.location === location)?.people.filter((person) => person.id !== me) ?? NO_COLLEAGUES
}

/**
 * Announces the reader's presence and activity at a location, and returns who else is there. Presence is a hint, never a lock.
 * @param location `payouts/p1`; undefined while nothing is open
 * @param activity whether the reader is typing there: `Tomas is writing`
 */
export function useColleaguesAt(location: string | undefined, activity: PresenceActivity = 'viewing'): readonly Colleague[] {
  useEffect(() => {
    if (location === undefined) return
    const say = () =>
      // An idle reader's signal must not extend the session. A lost signal is harmless.
      void call(announcePresence, { body: { location, activity }, quiet: away() }).catch(() => undefined)
    const stay = () => {
      if (document.visibilityState === 'visible') say()
    }
    stay()
    const timer = setInterval(stay, SIGN_MS)
    return () => clearInterval(timer)
  }, [location, activity])
  useEffect(() => {
    if (location === undefined) return
    const leave = () =>
      void call(announcePresence, { body: { location, activity: 'gone' }, quiet: away(), keepalive: true }).catch(() => undefined)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [location])
  return useColleagues()(location ?? '')
}
