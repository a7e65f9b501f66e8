import { staffAccounting, startAccountingExport } from '@tizara/contract/staff-accounting'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { closeOf, closesBefore } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'
import { startStaffJob } from '../access/start-staff-job.ts'
import { accountingJob } from './accounting.job.ts'

/** Binds the routes of the accounting export. */
export function accountingRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(staffAccounting, async ({ db, query: { before, limit = 24 } }) => {
    const closes = await closesBefore(db, before, limit)
    return answer({ data: closes.map(({ month, transfers, hash }) => ({ id: month, transfers: Number(transfers), hash })) })
  })
  action.write(startAccountingExport, 'accounting.export', 'month', async ({ tx, deps, actor, body }) => {
    if (body.month !== undefined && (await closeOf(tx, body.month)) === undefined) throw new AppError('NOT_FOUND')
    const ask = { right: 'startAccountingExport', action: 'accounting.export', input: body } as const
    return answer({ jobId: await startStaffJob(tx, deps, actor, accountingJob, ask) }, 'The file is being written')
  })
}
