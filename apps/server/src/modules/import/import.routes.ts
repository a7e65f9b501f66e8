import { earlierMovements } from '@tizara/contract/wallets-movements'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { listEarlier } from './history.ts'

export function importRoutes(bind: Bind): void {
  bind.read(earlierMovements, async ({ db, viewer, query }) => answer(await listEarlier(db, viewer.memberId, query)))
}
