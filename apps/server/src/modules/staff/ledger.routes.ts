import * as wire from '@tizara/contract/staff-ledger'
import { answer, type Bind } from '../../http/bind-route.ts'
import type { MovingKind } from '../wallets/index.ts'
import { findAccounts, readAccount, readEntries } from './ledger.queries.ts'
import { readTransfer } from './ledger-transfer.queries.ts'

/** Binds the calls that show the ledger: account, entry, transfer, cause, and back. */
export function ledgerRoutes(bind: Bind, kinds: Readonly<Record<string, MovingKind>>): void {
  bind.read(wire.staffLedgerAccounts, async ({ db, query }) => answer(await findAccounts(db, query)))
  bind.read(wire.staffLedgerAccount, async ({ db, params }) => answer(await readAccount(db, kinds, params.number)))
  bind.read(wire.staffLedgerEntries, async ({ db, params, query }) => answer(await readEntries(db, kinds, params.number, query)))
  bind.read(wire.staffLedgerTransfer, async ({ db, params }) => answer(await readTransfer(db, kinds, params.id)))
}
