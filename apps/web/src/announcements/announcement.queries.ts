import { popup } from '@tizara/contract/announcements'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/http/query.ts'

/** Loads the announcement, if any (API-53). Other servers may send a list; the first one counts. */
export function useAnnouncement(enabled: boolean) {
  const { data } = useQuery({ ...read(popup), enabled })
  return Array.isArray(data) ? data[0] : (data ?? undefined)
}
