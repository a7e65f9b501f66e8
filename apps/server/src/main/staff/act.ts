import { recordRefusal, type StaffActor } from '../../modules/staff/index.ts'
import { inTransaction, type Tx } from '../../platform/database.ts'
import { printable } from '../../platform/printable.ts'
import { BadUsage } from './arguments.ts'
import type { CommandInput } from './command.ts'

/** Runs one act of staff in one transaction; a refusal is noted in the audit trail. */
export async function act<T>(
  { db, deps, actor, options }: CommandInput,
  attempt: { action: string; subject: { type: string; id: string } },
  work: (tx: Tx, actor: StaffActor) => Promise<T>,
): Promise<T> {
  if (actor === null) throw new BadUsage('--as STAFF_EMAIL is missing.')
  try {
    return await inTransaction(db, (tx) => work(tx, actor))
  } catch (error) {
    await recordRefusal(db, deps, actor, { ...attempt, reason: options.reason }, error)
    throw error
  }
}

/**
 * Rows as aligned columns; a cell stays in its line, whatever members typed.
 * @param none what to say when there are none
 */
export function table(rows: readonly (readonly string[])[], none: string): string[] {
  if (rows.length === 0) return [none]
  const shown = rows.map((row) => row.map((cell) => printable(cell).replaceAll('\n', '\\n')))
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => (row[column] ?? '').length)))
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** A moment for people. */
export const when = (moment: Date) => moment.toISOString().slice(0, 16).replace('T', ' ')
