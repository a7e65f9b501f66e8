import * as wire from '@tizara/contract/staff-imports'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { balanceSheetOf, systemBalances } from '../../../ledger/index.ts'
import { listImports, readReport, setImportMails } from '../../import/index.ts'
import { assertStaff, auditStaff } from '../access/actor.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'

/** Binds the imports of members from another platform, their reports, and the mails to the members. */
export function importPageRoutes(bind: Bind): void {
  bind.read(wire.staffImports, async ({ db }) =>
    answer({ free: balanceSheetOf(await systemBalances(db)).free, imports: await listImports(db) }),
  )
  bind.read(wire.staffImportReport, async ({ db, params }) => answer({ report: await readReport(db, params.hash) }))
  bindStaffActions(bind).write(wire.sendImportMails, 'import.mails', 'import', async ({ tx, deps, actor, input }) => {
    const { hash, perHour, reason } = input
    await assertStaff(tx, deps, actor, 'sendImportMails')
    await setImportMails(tx, hash, perHour === 0 ? null : perHour)
    await auditStaff(tx, deps, actor, { action: 'import.mails', subject: { type: 'import', id: hash }, reason, detail: { perHour } })
    return answer(null, perHour === 0 ? 'The mails are stopped' : `At most ${perHour} mails go out per hour`)
  })
}
