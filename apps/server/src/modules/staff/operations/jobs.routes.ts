import * as wire from '@tizara/contract/staff-jobs'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { jobFile, jobState, type JobState, wireJob } from '../../../jobs/background-job.ts'
import { cancelJob } from '../../../jobs/start-job.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditStaff } from '../access/actor.ts'
import { accountingJob } from '../accounting/accounting.job.ts'
import { auditCheckJob } from '../audit-log/check-audit-chain.ts'
import { exportJob } from './export-list.ts'
import { mayRole, type StaffRight } from '../access/rights.ts'
import { simulationJob } from '../rewards/simulate-programme.ts'
import { actorOf } from '../access/viewer.ts'

/** Binds the routes for staff jobs' progress and files. */
export function jobRoutes(bind: Bind): void {
  bind.read(wire.staffJob, async ({ db, deps, viewer, params }) =>
    answer(wireJob(await staffJob(db, deps, viewer, params.id), '/staff/jobs')),
  )
  bind.write(wire.cancelStaffJob, async ({ tx, deps, viewer, caller, params: { id } }) => {
    if (!(await cancelJob(tx, deps, { id, ownerId: viewer.memberId })))
      throw new AppError((await jobState(tx, deps, id))?.ownerId === viewer.memberId ? 'ALREADY_DECIDED' : 'NOT_FOUND')
    await auditStaff(tx, deps, actorOf(viewer, caller), { action: 'job.cancel', subject: { type: 'job', id } })
    return answer(null, 'The job is cancelled')
  })
  bind.file(wire.staffJobFile, async ({ reads, deps, viewer, params }) => {
    const { file } = await reads.read((db) => staffJob(db, deps, viewer, params.id))
    if (file === undefined) throw new AppError('NOT_FOUND')
    return { ...file, parts: jobFile(reads, params.id) }
  })
}

/** Right required to read each job's result. */
const RIGHTS: Readonly<Record<string, StaffRight>> = {
  [exportJob.name]: 'startExport',
  [accountingJob.name]: 'startAccountingExport',
  [auditCheckJob.name]: 'checkAuditChain',
  [simulationJob.name]: 'simulateProgramme',
}

/**
 * Finds a background job of staff. The person who started the job may read it while the right lasts, and so may readers of the audit log.
 * Jobs of members stay private.
 * @throws AppError NOT_FOUND
 */
async function staffJob(db: Db, deps: Deps, viewer: Viewer, id: string): Promise<JobState> {
  const job = await jobState(db, deps, id)
  if (job === undefined) throw new AppError('NOT_FOUND')
  const right = RIGHTS[job.kind]
  const isOwn = job.ownerId === viewer.memberId && (right === undefined || mayRole(viewer.role, right))
  if (!isOwn && !(job.kind.startsWith('staff-') && mayRole(viewer.role, 'staffAudit'))) throw new AppError('NOT_FOUND')
  return job
}
