import { pageOf } from '@tizara/contract'
import { activeNfts } from '@tizara/contract/nfts'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/query.ts'
import { newestFirst } from './nfts.rules.ts'

/** The NFTs on sale, newest first (API-68, UI-BUYNFT-01). */
export const useActiveNfts = () =>
  useQuery({ ...read(activeNfts), select: (reply) => newestFirst(pageOf(reply).data.filter((nft) => nft.status === 'ACTIVE')) })
