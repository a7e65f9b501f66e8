import { announcePresence, presence } from '@tizara/contract/staff-house'
import { useEffect, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { call } from '../../lib/api.ts'
import { followChanges } from '../../lib/live.ts'
import { useMe } from './me.tsx'
import { away } from './watch.ts'

/** A sign lasts 45 seconds; so often one is sent while somebody stays. */
const SIGN_MS = 20_000

type Presence = v.InferOutput<typeof presence>
/** What somebody does at a place: reads, writes to the member, or a note for staff. */
export type Doing = Colleague['doing']
export type Colleague = Presence[number]['people'][number]

let told: Presence = []
const listeners = new Set<() => void>()
const NOBODY: readonly Colleague[] = []

function hear(event: string, data: unknown): void {
  const read = event === 'presence' ? v.safeParse(presence, data) : undefined
  if (read?.success !== true) return
  told = read.output
  for (const listener of listeners) listener()
}

/** Follows what staff are told, until it is over. */
export function followHouse(over: AbortSignal): void {
  followChanges(over, {
    unheard: ['staffQueue', 'staffQueueItem', 'staffTickets', 'staffTicketDetail', 'staffChanges', 'staffOverview', 'staffMe'],
    told: hear,
  })
}

const usePresence = (): Presence =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => told,
  )

/** Everybody of the staff who is anywhere in the console now, by their ids. */
export function useHere(): ReadonlySet<string> {
  return new Set(usePresence().flatMap((one) => one.people.map((person) => person.id)))
}

/**
 * The colleagues at places, without the reader: for rows.
 * @returns asks for those at one place: `payouts/p1`
 */
export function useColleagues(): (place: string) => readonly Colleague[] {
  const all = usePresence()
  const me = useMe().person.id
  return (place) => all.find((one) => one.place === place)?.people.filter((person) => person.id !== me) ?? NOBODY
}

/**
 * Says that the reader is at a place and what for, and who else is there. A hint, never a lock.
 * @param place `payouts/p1`; undefined while nothing is open
 * @param doing whether something is being typed there: `Tomas is writing`
 */
export function useTogether(place: string | undefined, doing: Doing = 'looking'): readonly Colleague[] {
  useEffect(() => {
    if (place === undefined) return
    const say = () =>
      // Whoever is not there any more keeps no session alive with it; a sign that is lost is only a sign.
      void call(announcePresence, { body: { place, doing }, quiet: away() }).catch(() => undefined)
    const stay = () => {
      if (document.visibilityState === 'visible') say()
    }
    stay()
    const timer = setInterval(stay, SIGN_MS)
    return () => clearInterval(timer)
  }, [place, doing])
  useEffect(() => {
    if (place === undefined) return
    const leave = () =>
      void call(announcePresence, { body: { place, doing: 'gone' }, quiet: away(), keepalive: true }).catch(() => undefined)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [place])
  return useColleagues()(place ?? '')
}
