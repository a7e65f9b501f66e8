import { staffAudit } from '@tizara/contract/staff'
import * as wire from '@tizara/contract/staff-audit'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { readAudit } from './audit.queries.ts'
import { auditCheckJob, readChain } from './check-audit-chain.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'
import { startStaffJob } from '../access/start-staff-job.ts'

/** Binds the audit log routes and the chain check. */
export function auditRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(staffAudit, async ({ db, query }) => answer(await readAudit(db, query)))
  bind.read(wire.staffAuditChain, async ({ db }) => answer(await readChain(db)))
  action.write(wire.checkAuditChain, 'audit.check', 'audit', async ({ tx, deps, actor }) => {
    const ask = { right: 'checkAuditChain', action: 'audit.check', input: {} } as const
    return answer({ jobId: await startStaffJob(tx, deps, actor, auditCheckJob, ask) }, 'The check has started')
  })
}
