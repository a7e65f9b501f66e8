import { pageOf } from '@tizara/contract'
import { activeNfts, myNftWallet, nftHistory } from '@tizara/contract/nfts'
import { upcoming } from '@tizara/contract/staking'
import { useQuery } from '@tanstack/react-query'
import { read, refetch } from '../lib/query.ts'
import { refetchWallets } from '../wallets/index.ts'
import { newestFirst } from './nfts.rules.ts'

/** The NFTs on sale, newest first (API-68, UI-BUYNFT-01). */
export const useActiveNfts = () =>
  useQuery({ ...read(activeNfts), select: (reply) => newestFirst(pageOf(reply).data.filter((nft) => nft.status === 'ACTIVE')) })

/** Everything that a purchase changes (UI-M-COMMON-01). */
export const refetchNfts = async (): Promise<void> => {
  await Promise.all([refetchWallets(), refetch(activeNfts, myNftWallet, nftHistory, upcoming)])
}
