import * as wire from '@tizara/contract/notices'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { choose, readChoices, unsubscribe } from './choices.ts'

/** Binds the calls about notification mails. */
export function noticeRoutes(bind: Bind): void {
  bind.read(wire.noticeChoices, async ({ db, viewer }) => answer(await readChoices(db, viewer.memberId)))
  bind.write(wire.chooseNotice, async ({ tx, deps, viewer, body }) => {
    await choose(tx, deps.clock.now(), viewer.memberId, body)
    return answer(null, body.on ? 'You will be notified by mail' : 'You will not be notified by mail')
  })
  bind.write(wire.unsubscribe, async ({ tx, deps, query }) => {
    await unsubscribe(tx, deps, query.token)
    return answer(null, 'You will not be notified by mail')
  })
}
