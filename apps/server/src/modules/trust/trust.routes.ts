import { inviter, myProof, publicOffer, trustHistory, trustPage } from '@tizara/contract/trust'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { readInviter } from './read-inviter.ts'
import { readOffer } from './read-offer.ts'
import { readProof } from './read-proof.ts'
import { readHistory, readTrust } from './read-trust.ts'

/** Binds the calls about balances, reserves and their proofs. */
export function trustRoutes(bind: Bind): void {
  bind.read(trustPage, async ({ db, deps }) => answer(await readTrust(db, deps.clock.now())))
  bind.read(trustHistory, async ({ db, query }) => answer(await readHistory(db, query.after)))
  bind.read(publicOffer, async ({ db, deps }) => answer(await readOffer(db, deps.clock.now())))
  bind.read(inviter, async ({ db, query }) => answer({ firstName: await readInviter(db, query.code) }))
  bind.read(myProof, async ({ db, viewer }) => answer(await readProof(db, viewer.memberId)))
}
