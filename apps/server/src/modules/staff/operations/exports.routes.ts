import type { BodyOf } from '@tizara/contract'
import { startExport } from '@tizara/contract/staff-audit'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { knownAccount } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { memberById, memberByPublicId } from '../../members/index.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'
import { startStaffJob } from '../access/start-staff-job.ts'
import { assertSegment } from '../segments/segment.queries.ts'
import { exportJob } from './export-list.ts'

/** Binds the route that exports a list. */
export function exportRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  action.write(startExport, 'export', 'export', async ({ tx, deps, actor, body }) => {
    assertSegment(body.filter)
    const about = await memberOf(tx, body)
    const ask = { right: 'startExport', action: about === undefined ? 'export' : 'member.export', input: body, about } as const
    return answer({ jobId: await startStaffJob(tx, deps, actor, exportJob, ask) }, 'The file is being written')
  })
}

/**
 * Returns the member behind an exported timeline or wallet; undefined for other lists and system accounts.
 * @throws AppError NOT_FOUND
 */
async function memberOf(tx: Tx, { list, filter }: BodyOf<typeof startExport>): Promise<string | undefined> {
  if (list === 'entries') {
    const account = knownAccount(BigInt(filter.account ?? '0'))
    return account === undefined || 'system' in account ? undefined : (await memberById(tx, account.owner))?.public_id
  }
  if (list !== 'timeline') return undefined
  const member = filter.member === undefined ? undefined : await memberByPublicId(tx, filter.member)
  if (member === undefined) throw new AppError('NOT_FOUND')
  return member.public_id
}
