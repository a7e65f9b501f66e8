import * as wire from '@tizara/contract/account-closing'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { memberById } from '../../members/index.ts'
import { closeAccount, type ObstaclesOf } from './account-closing.ts'
import { originOf } from '../sessions/sessions.ts'

/** Binds the routes that close the member's own account. */
export function closingRoutes(bind: Bind, obstaclesOf: ObstaclesOf): void {
  bind.read(wire.closingObstacles, async ({ db, viewer }) => {
    const member = await memberById(db, viewer.memberId)
    return answer({ obstacles: member === undefined ? [] : await obstaclesOf(db, member) })
  })
  bind.withoutTransaction(wire.closeAccount, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) =>
    answer(
      await closeAccount(db, deps, { memberId, sessionId, proof: body }, originOf(caller), obstaclesOf),
      'Your account will be closed. Sign in within 30 days to keep it',
    ),
  )
}
