import * as wire from '@tizara/contract/api-keys'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { keyRights } from '../../../http/calls/key-rights.ts'
import { createApiKey, endApiKey, listApiKeys } from './api-keys.ts'
import { originOf } from '../sessions/sessions.ts'

/** Binds the routes of a member's API keys. */
export function apiKeyRoutes(bind: Bind): void {
  bind.read(wire.listApiKeys, async ({ db, deps, viewer }) =>
    answer({ keys: await listApiKeys(db, viewer.memberId, deps.clock.now()), rights: [...keyRights.member] }),
  )
  bind.withoutTransaction(wire.createApiKey, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) => {
    const { otp, passkey, password, ...input } = body
    const proof = { otp, passkey, password }
    return answer(await createApiKey(db, deps, { memberId, sessionId, proof, input }, originOf(caller)), 'The API key is created')
  })
  bind.write(wire.endApiKey, async ({ tx, deps, viewer: { memberId }, params, caller }) => {
    await endApiKey(tx, deps, { memberId, id: params.id }, originOf(caller))
    return answer(null, 'The API key is revoked')
  })
}
