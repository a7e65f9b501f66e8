import * as wire from '@tizara/contract/terms-of-use'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { acceptTerms, acceptTermsByLink } from './accept-terms.ts'
import { termsAt } from './terms.queries.ts'

/** Binds the calls about the terms of use. */
export function termsRoutes(bind: Bind): void {
  bind.read(wire.termsOfUse, async ({ db, deps }) => answer((await termsAt(db, deps.clock.now())) ?? null))
  bind.write(wire.acceptTerms, async ({ tx, deps, viewer, body, caller: { ip, requestId } }) => {
    await acceptTerms(tx, deps, viewer, { read: body, how: 'app', ip, requestId })
    return answer(null, 'You accepted the terms of use')
  })
  bind.write(wire.acceptTermsByLink, async ({ tx, deps, body, caller: { token, ip, requestId } }) => {
    await acceptTermsByLink(tx, deps, token, { read: body, ip, requestId })
    return answer(null, 'You accepted the terms of use')
  })
}
