import { myProof, trustPage } from '@tizara/contract/trust'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { readProof } from './read-proof.ts'
import { readTrust } from './read-trust.ts'

/** Binds the calls about reserves. */
export function trustRoutes(bind: Bind): void {
  bind.read(trustPage, async ({ db, deps }) => answer(await readTrust(db, deps.clock.now())))
  bind.read(myProof, async ({ db, viewer }) => answer(await readProof(db, viewer.memberId)))
}
