import { popup } from '@tizara/contract/announcements'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/query.ts'

/** The announcement, if there is one (API-53); another server may send a list, of which the first counts. */
export function useAnnouncement(enabled: boolean) {
  const { data } = useQuery({ ...read(popup), enabled })
  return Array.isArray(data) ? data[0] : (data ?? undefined)
}
