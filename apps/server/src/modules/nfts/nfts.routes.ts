import { activeNfts, buyNft as buyNftRoute, myNftWallet, nftHistory } from '@tizara/contract/nfts'
import { answer, answers, type Bind } from '../../http/calls/bind-route.ts'
import { buyNfts } from './buy-nft.ts'
import { holdingsOf, listActive, listPurchases } from './nfts.queries.ts'

export function nftRoutes(bind: Bind): void {
  bind.read(activeNfts, async ({ db, deps, query }) => answer(await listActive(db, deps.clock.now(), query)))
  bind.moneyBatch(buyNftRoute, async (tx, deps, calls) => {
    const inputs = calls.map(({ viewer, body, caller }) => ({ ...body, memberId: viewer.memberId, quoted: caller.quoted }))
    const say = (id: string) => answer({ receipt: { kind: 'nft-purchase' as const, id } }, 'Successfully purchased')
    return answers(await buyNfts(tx, deps, inputs), say)
  })
  bind.read(nftHistory, async ({ db, viewer, query }) => answer(await listPurchases(db, viewer.memberId, query)))
  bind.read(myNftWallet, async ({ db, viewer }) => answer(await holdingsOf(db, viewer.memberId)))
}
