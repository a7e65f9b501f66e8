import { staffLogo, uploadLogo } from '@tizara/contract/staff-brand'
import * as wire from '@tizara/contract/staff-changes'
import { staffTermsOfUse } from '@tizara/contract/staff-terms-of-use'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { readLogo, renderLogo, storeLogo } from '../../brand/index.ts'
import { coinPriceDays } from '../../settings/index.ts'
import { listTerms } from '../../terms-of-use/index.ts'
import { assertStaff, auditStaff } from '../access/actor.ts'
import { actorOf, rejectionRecorder } from '../access/viewer.ts'
import { readCatalogue } from './catalogue.queries.ts'
import { catalogueDecisions } from './catalogue-decisions.queries.ts'

/** Binds the routes that read current prices, plans and rules, and their history. */
export function catalogueRoutes(bind: Bind): void {
  bind.read(wire.staffCatalogue, async ({ db, deps, viewer }) => {
    const decisions = await catalogueDecisions(db, viewer.memberId, deps.clock.now())
    return answer({ ...(await readCatalogue(db, deps)), decisions })
  })
  bind.read(wire.priceHistory, async ({ db, deps, query }) => answer(await coinPriceDays(db, deps.clock.now(), query.days)))
  bind.read(staffTermsOfUse, async ({ db, deps }) => answer(await listTerms(db, deps.clock.now())))
  bind.read(staffLogo, async ({ db, params }) => {
    const bytes = await readLogo(db, params.id, '96')
    if (bytes === undefined) throw new AppError('NOT_FOUND')
    return answer({ image: `data:image/png;base64,${bytes.toString('base64')}` })
  })
  const rejectedLogo = rejectionRecorder('brand.logo', 'brand')
  bind.withoutTransaction(
    uploadLogo,
    async (call) => {
      const { db, viewer, caller, file } = call
      try {
        if (file === undefined) throw new AppError('FILE_REQUIRED')
        const logo = await renderLogo(file.bytes)
        const deps = withFrozenClock(call.deps)
        await inTransaction(db, async (tx) => {
          const actor = actorOf(viewer, caller)
          await assertStaff(tx, deps, actor, 'uploadLogo')
          await storeLogo(tx, deps, actor.memberId, logo)
          await auditStaff(tx, deps, actor, { action: 'brand.logo', subject: { type: 'brand', id: logo.hash } })
        })
        return answer({ hash: logo.hash })
      } catch (error) {
        await rejectedLogo.onRejection(call, error)
        throw error
      }
    },
    rejectedLogo,
  )
}
