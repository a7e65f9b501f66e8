import { activeNfts, buyNft as buyNftRoute, myNftWallet, nftHistory } from '@tizara/contract/nfts'
import { answer, type Bind } from '../../http/bind-route.ts'
import { buyNft } from './buy-nft.ts'
import { holdingsOf, listActive, listPurchases } from './nfts.queries.ts'

/** Binds the calls of NFTs. */
export function nftRoutes(bind: Bind): void {
  bind.read(activeNfts, async ({ db, query }) => answer(await listActive(db, query)))
  bind.money(buyNftRoute, async ({ tx, deps, viewer, body, caller }) => {
    const { purchaseId } = await buyNft(tx, deps, { ...body, memberId: viewer.memberId, quoted: caller.quoted })
    return answer({ receipt: { kind: 'nft-purchase' as const, id: purchaseId } }, 'Successfully purchased')
  })
  bind.read(nftHistory, async ({ db, viewer, query }) => answer(await listPurchases(db, viewer.memberId, query)))
  bind.read(myNftWallet, async ({ db, viewer }) => answer(await holdingsOf(db, viewer.memberId)))
}
