import * as wire from '@tizara/contract/staff-jobs'
import { answer, type Bind } from '../../http/bind-route.ts'
import type { Viewer } from '../../http/session-guard.ts'
import { jobFile, jobState, type JobState, wireJob } from '../../jobs/background-job.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { mayRole } from './rights.ts'

/** Binds the calls that say how far long work of staff is, and give its file. */
export function jobRoutes(bind: Bind): void {
  bind.read(wire.staffJob, async ({ db, deps, viewer, params }) =>
    answer(wireJob(await staffJob(db, deps, viewer, params.id), '/staff/jobs')),
  )
  bind.file(wire.staffJobFile, async ({ db, deps, viewer, params }) => {
    const { file } = await staffJob(db, deps, viewer, params.id)
    if (file === undefined) throw new AppError('NOT_FOUND')
    return { ...file, parts: jobFile(db, params.id) }
  })
}

/**
 * Members' own jobs are nobody else's; those of staff may be read by who may read what staff did.
 * @throws AppError NOT_FOUND
 */
async function staffJob(db: Db, deps: Deps, viewer: Viewer, id: string): Promise<JobState> {
  const job = await jobState(db, deps, id)
  const may =
    job !== undefined && (job.ownerId === viewer.memberId || (job.kind.startsWith('staff-') && mayRole(viewer.role, 'staffAudit')))
  if (!may) throw new AppError('NOT_FOUND')
  return job
}
