import * as wire from '@tizara/contract/notices'
import { unreadNotices } from '@tizara/contract/notices-unread'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { choose, readChoices, unsubscribe } from './choices.ts'
import { countUnread, markAllRead, markRead, readInbox } from './inbox.queries.ts'

/** Binds the calls about notifications: the inbox, and the choice between mail and inbox. */
export function noticeRoutes(bind: Bind): void {
  bind.read(wire.noticeChoices, async ({ db, viewer }) => answer(await readChoices(db, viewer.memberId)))
  bind.write(wire.chooseNotice, async ({ tx, deps, viewer, body }) => {
    await choose(tx, deps.clock.now(), viewer.memberId, body)
    return answer(null, 'Your choice was saved')
  })
  bind.write(wire.unsubscribe, async ({ tx, deps, query }) => {
    await unsubscribe(tx, deps, query.token)
    return answer(null, 'You will not be notified by mail')
  })
  bind.read(wire.inbox, async ({ db, deps, viewer, query }) => answer(await readInbox(db, deps.config, viewer.memberId, query)))
  bind.read(unreadNotices, async ({ db, deps, viewer }) => answer({ count: await countUnread(db, deps.config, viewer.memberId) }))
  bind.write(wire.readNotice, async ({ tx, deps, viewer, params }) => {
    await markRead(tx, deps.clock.now(), viewer.memberId, params.id)
    return answer(null, 'Marked as read')
  })
  bind.write(wire.readAllNotices, async ({ tx, deps, viewer, body }) => {
    await markAllRead(tx, deps.clock.now(), viewer.memberId, body.through)
    return answer(null, 'Marked as read')
  })
}
