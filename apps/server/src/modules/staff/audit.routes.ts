import { staffAudit } from '@tizara/contract/staff'
import * as wire from '@tizara/contract/staff-audit'
import { answer, type Bind } from '../../http/bind-route.ts'
import type { JobKind } from '../../jobs/background-job.ts'
import { startJob } from '../../jobs/start-job.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'
import { readAudit } from './audit.queries.ts'
import { auditCheckJob, readChain } from './check-audit-chain.ts'
import { exportJob } from './export-list.ts'
import type { StaffRight } from './rights.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the calls about what was done, its chain, and lists as files. */
export function auditRoutes(bind: Bind): void {
  bind.read(staffAudit, async ({ db, query }) => answer(await readAudit(db, query)))
  bind.read(wire.staffAuditChain, async ({ db }) => answer(await readChain(db)))
  bind.write(
    wire.checkAuditChain,
    async ({ tx, deps, viewer, caller }) => {
      const ask = { right: 'checkAuditChain', action: 'audit.check', input: {} } as const
      return answer({ jobId: await askFor(tx, deps, actorOf(viewer, caller), auditCheckJob, ask) }, 'The check has begun')
    },
    refusals('audit.check', 'audit'),
  )
  bind.write(
    wire.startExport,
    async ({ tx, deps, viewer, caller, body }) => {
      const ask = { right: 'startExport', action: 'export', input: body } as const
      return answer({ jobId: await askFor(tx, deps, actorOf(viewer, caller), exportJob, ask) }, 'The file is being written')
    },
    refusals('export', 'export'),
  )
}

/**
 * Starts long work of staff, and writes that to the trail.
 * @throws AppError STAFF_ONLY, TOO_MANY_REQUESTS
 */
async function askFor<Input extends object>(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  kind: JobKind<Input>,
  { right, action, input }: { right: StaffRight; action: string; input: Input },
): Promise<string> {
  await assertStaff(tx, actor, right)
  const id = await startJob(tx, deps, kind, { ownerId: actor.memberId, input })
  await auditStaff(tx, deps, actor, { action, subject: { type: 'job', id }, detail: Object.fromEntries(Object.entries(input)) })
  return id
}
