import { inviter, myProof, publicOffer, trustPage } from '@tizara/contract/trust'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/http/query.ts'
import { readHistory } from './read-history.ts'

/** Loads liabilities and reserves. Servers that implement only the specification lack this call. */
export const useTrust = () => useQuery(read(trustPage))

/** Loads the price and the plans on sale. Servers that implement only the specification lack this call. */
export const useOffer = () => useQuery(read(publicOffer))

/** Loads the first name of the member with a referral code, if the link has one. */
export const useInviter = (code: string) =>
  useQuery({ ...read(inviter, { query: { code } }), enabled: code !== '' }).data?.firstName ?? undefined

/** Loads the member's proof for the newest published day. */
export const useMyProof = () => useQuery(read(myProof))

/** Loads and checks the published history. */
export const useCheckedHistory = () => useQuery({ queryKey: ['checkedHistory'], queryFn: ({ signal }) => readHistory(signal) })
