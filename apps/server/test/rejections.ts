import type { Db } from '../src/platform/db/database.ts'

/** Lists the refused actions of a person in the audit log, oldest first: the action and the code of the refusal. */
export async function rejectionsOf(db: Db, { id }: { id: bigint }): Promise<string[]> {
  const found = db
    .selectFrom('audit_event')
    .select(['action', 'outcome'])
    .where('actor_id', '=', id)
    .where('outcome', '<>', 'ok')
    .orderBy('id')
  return (await found.execute()).map(({ action, outcome }) => `${action} ${outcome}`)
}
