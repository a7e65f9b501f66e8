import * as wire from '@tizara/contract/staff-ledger'
import { answer, type Bind, type Caller } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { knownAccount } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { findAccounts, readAccount, readEntries } from './ledger.queries.ts'
import { proposeTransferReversal } from './propose-transfer-reversal.ts'
import { readReceipts, readTransfer } from './ledger-transfer.queries.ts'
import { recordView, viewOfMember } from '../access/personal-views.ts'
import { actorOf } from '../access/viewer.ts'
import { bindStaffActions, proposed } from '../access/bind-staff-actions.ts'

interface LedgerView {
  db: Db
  deps: Deps
  viewer: Viewer
  caller: Caller
  params: { number: string }
}

/** Binds the routes for ledger accounts, entries, transfers and causes, and for reversals. */
export function ledgerRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(wire.staffLedgerAccounts, async ({ db, query }) => answer(await findAccounts(db, query)))
  bind.read(wire.staffLedgerAccount, async ({ db, deps, params }) => answer(await readAccount(db, params.number, deps.clock.now())), {
    onRead: recordOwnerView,
  })
  bind.read(wire.staffLedgerEntries, async ({ db, params, query }) => answer(await readEntries(db, params.number, query)), {
    onRead: recordOwnerView,
  })
  bind.read(wire.staffLedgerTransfer, async ({ db, params }) => answer(await readTransfer(db, params.id)))
  bind.read(wire.staffTransferReceipts, async ({ db, params }) => answer(await readReceipts(db, params.id)))
  action.write(wire.reverseTransfer, 'transfer.reverse', 'transfer', async ({ tx, deps, actor, input }) =>
    proposed(await proposeTransferReversal(tx, deps, actor, input)),
  )
}

/** Records a wallet view as a view of its member. System accounts have no owner. */
async function recordOwnerView({ db, deps, viewer, caller, params }: LedgerView): Promise<void> {
  const account = knownAccount(BigInt(params.number))
  if (account === undefined || 'system' in account) return
  const owner = await memberById(db, account.owner)
  if (owner !== undefined) await recordView(db, deps, actorOf(viewer, caller), viewOfMember(owner.public_id))
}
