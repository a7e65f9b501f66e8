import { purchaseKinds } from '@tizara/contract/staff-purchases'
import { formatUnits } from '@tizara/money'
import { fileUndo, listMemberPurchases } from '../../modules/staff/index.ts'
import { act, table, when } from './act.ts'
import { needed, neededReason, neededWord } from './arguments.ts'
import type { Command } from './command.ts'
import { listQuery } from './list-query.ts'
import { memberIdOf } from './who.ts'

export const purchaseCommands: readonly (readonly [string, Command])[] = [
  [
    'purchases',
    {
      needsActor: true,
      run: async ({ db, deps, args, options }) => {
        const id = await memberIdOf(db, args[0])
        const { data, meta } = await listMemberPurchases(db, deps, id, listQuery(options))
        const rows = data.map((row) => [
          row.kind,
          row.id,
          when(row.createdAt),
          `${formatUnits(row.amount)} ${row.asset}`,
          row.label,
          row.status,
          row.undoableUntil === undefined ? '' : `can be undone until ${when(row.undoableUntil)}`,
        ])
        return [`${meta.total} purchases`, ...table(rows, '  none')]
      },
    },
  ],
  [
    'undo',
    {
      needsActor: true,
      run: async (input) => {
        const reason = neededReason(input.options)
        const kind = neededWord(input.args[0], purchaseKinds, 'KIND')
        const id = needed(input.args[1], 'ID')
        const change = await act(input, { action: 'purchase.undo', subject: { type: kind, id } }, (tx, actor) =>
          fileUndo(tx, input.deps, actor, { kind, id, reason }),
        )
        return [`Filed as change ${change}: another staff member has to approve it.`]
      },
    },
  ],
]
