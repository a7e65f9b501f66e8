import { popup } from '@tizara/contract/announcements'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { currentAnnouncement } from './announcements.queries.ts'

export function announcementRoutes(bind: Bind): void {
  bind.read(popup, async ({ db, deps }) => answer(await currentAnnouncement(db, deps.clock.now())))
}
