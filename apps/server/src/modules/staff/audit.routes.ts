import type { BodyOf } from '@tizara/contract'
import { staffAudit } from '@tizara/contract/staff'
import * as wire from '@tizara/contract/staff-audit'
import { answer, type Bind } from '../../http/bind-route.ts'
import type { JobKind } from '../../jobs/background-job.ts'
import { startJob } from '../../jobs/start-job.ts'
import { knownAccount } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberById, memberByPublicId } from '../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'
import { readAudit } from './audit.queries.ts'
import { auditCheckJob, readChain } from './check-audit-chain.ts'
import { exportJob } from './export-list.ts'
import type { StaffRight } from './rights.ts'
import { bindActs } from './bind-acts.ts'

/** Binds the calls about what was done, its chain, and lists as files. */
export function auditRoutes(bind: Bind): void {
  const act = bindActs(bind)
  bind.read(staffAudit, async ({ db, query }) => answer(await readAudit(db, query)))
  bind.read(wire.staffAuditChain, async ({ db }) => answer(await readChain(db)))
  act.write(wire.checkAuditChain, 'audit.check', 'audit', async ({ tx, deps, actor }) => {
    const ask = { right: 'checkAuditChain', action: 'audit.check', input: {} } as const
    return answer({ jobId: await askFor(tx, deps, actor, auditCheckJob, ask) }, 'The check has begun')
  })
  act.write(wire.startExport, 'export', 'export', async ({ tx, deps, actor, body }) => {
    const about = await memberOf(tx, body)
    const ask = { right: 'startExport', action: about === undefined ? 'export' : 'member.export', input: body, about } as const
    return answer({ jobId: await askFor(tx, deps, actor, exportJob, ask) }, 'The file is being written')
  })
}

/**
 * Whose timeline or wallet a file is to hold; undefined where it holds another list, or an account of the house.
 * @throws AppError NOT_FOUND
 */
async function memberOf(tx: Tx, { list, filter }: BodyOf<typeof wire.startExport>): Promise<string | undefined> {
  if (list === 'entries') {
    const account = knownAccount(BigInt(filter.account ?? '0'))
    return account === undefined || 'house' in account ? undefined : (await memberById(tx, account.owner))?.public_id
  }
  if (list !== 'timeline') return undefined
  const member = filter.member === undefined ? undefined : await memberByPublicId(tx, filter.member)
  if (member === undefined) throw new AppError('NOT_FOUND')
  return member.public_id
}

/**
 * Starts long work of staff, and writes that to the trail.
 * @param about the member it is about, by the id on the wire
 * @throws AppError STAFF_ONLY, TOO_MANY_REQUESTS
 */
async function askFor<Input extends object>(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  kind: JobKind<Input>,
  { right, action, input, about }: { right: StaffRight; action: string; input: Input; about?: string | undefined },
): Promise<string> {
  await assertStaff(tx, actor, right)
  const id = await startJob(tx, deps, kind, { ownerId: actor.memberId, input })
  const subject = about === undefined ? { type: 'job', id } : { type: 'member', id: about }
  await auditStaff(tx, deps, actor, { action, subject, detail: Object.fromEntries(Object.entries(input)) })
  return id
}
