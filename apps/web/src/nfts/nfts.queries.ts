import { pageOf } from '@tizara/contract'
import { activeNfts } from '@tizara/contract/nfts'
import { useQuery } from '@tanstack/react-query'
import { partRows } from '../lib/lists/damaged-row.ts'
import { read } from '../lib/http/query.ts'
import { newestFirst } from './nfts.rules.ts'

/** Loads NFTs on sale, newest first (API-68, UI-BUYNFT-01), split into complete and damaged rows. */
export function useActiveNfts() {
  const query = useQuery({ ...read(activeNfts), select: (reply) => partRows(pageOf(reply).data) })
  const { data } = query
  return {
    query,
    data: data && newestFirst(data.whole.filter((nft) => nft.status === 'ACTIVE')),
    damaged: data?.damaged ?? [],
    isPending: query.isPending,
  }
}
