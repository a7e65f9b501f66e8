import * as wire from '@tizara/contract/staff-screening'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { requireMember } from '../../members/index.ts'
import { readScreeningList, stageScreeningList } from '../../screening/index.ts'
import { assertStaff, auditStaff } from '../access/actor.ts'
import { actorOf, rejectionRecorder } from '../access/viewer.ts'
import { bindProposals } from '../proposals/bind-proposals.ts'
import { readHits, readLists } from './screening.queries.ts'

/** Binds the screening lists, and the matches of members with their verdicts. */
export function screeningRoutes(bind: Bind): void {
  bind.read(wire.staffScreeningLists, async ({ db }) => answer(await readLists(db)))
  bind.read(wire.staffScreeningHits, async ({ db, query }) => answer(await readHits(db, query)))
  bindProposals(bind).write(wire.decideScreening, ['screening.propose', 'member'], 'screening', async ({ id, hits, verdict }, tx) => {
    const member = await requireMember(tx, id)
    return { memberId: member.public_id, email: member.email, hits: [...new Set(hits)], verdict }
  })
  const rejected = rejectionRecorder('screening.upload', 'screening_list')
  bind.withoutTransaction(
    wire.uploadScreeningList,
    async (call) => {
      const { db, viewer, caller, file } = call
      try {
        if (file === undefined) throw new AppError('FILE_REQUIRED')
        // Parsed before the transaction, which would otherwise stay open for seconds.
        const list = await readScreeningList(file.bytes)
        const deps = withFrozenClock(call.deps)
        const reply = { hash: list.hash, entries: list.entries.length }
        await inTransaction(db, async (tx) => {
          const actor = actorOf(viewer, caller)
          await assertStaff(tx, deps, actor, 'uploadScreeningList')
          await stageScreeningList(tx, list, deps.clock.now())
          const subject = { type: 'screening_list', id: list.hash }
          await auditStaff(tx, deps, actor, { action: 'screening.upload', subject, detail: { entries: reply.entries } })
        })
        return answer(reply)
      } catch (error) {
        await rejected.onRejection(call, error)
        throw error
      }
    },
    rejected,
  )
}
