import { profile } from '@tizara/contract/members'
import { useQuery } from '@tanstack/react-query'
import { queryClient, read } from '../lib/http/query.ts'
import { useToken } from '../lib/http/session.ts'

/** `GET /profile`, shared by all member displays (RT-01). */
export const profileQuery = read(profile)

/** Returns the signed-in member; loads only while a token is stored (RT-02). Works outside the query provider too. */
export function useProfile() {
  const token = useToken()
  return useQuery({ ...profileQuery, enabled: token !== null }, queryClient)
}
