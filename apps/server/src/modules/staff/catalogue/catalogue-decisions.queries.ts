import type { ReplyOf } from '@tizara/contract'
import type { staffCatalogue } from '@tizara/contract/staff-changes'
import type { Db } from '../../../platform/db/database.ts'
import { membersById } from '../../members/index.ts'
import { titleOf } from '../proposals/proposal.ts'
import { openProposals, statusOf } from '../proposals/proposal-status.ts'
import { scheduledSubjects, topicName, topicOf } from '../proposals/reschedule.ts'
import { personOf } from '../access/person.ts'

type ValueDecisions = NonNullable<ReplyOf<typeof staffCatalogue>['decisions']>

/** Maximum number of decided proposals that are read. A value that an older proposal set is shown as unchanged. */
const MAX_PROPOSALS = 1000

/** Returns the catalogue keys changed by a proposal: each setting's name, or the topic. */
function catalogueKeysOf(row: { public_id: string; subject: string; value: unknown }): string[] {
  const topic = topicOf(row, row.public_id)
  if (topic?.name === 'settings') return Object.keys(Object(row.value))
  return topic === undefined ? [] : [topicName(topic)]
}

/** Returns each catalogue value's start, deciders and open proposals. */
export async function catalogueDecisions(db: Db, viewerId: bigint, now: Date): Promise<ValueDecisions> {
  const proposals = await db
    .selectFrom('staff_proposal')
    .select(['public_id', 'subject', 'value', 'proposed_by', 'decided_by', 'decided_at', 'starts_at'])
    .where('status', '=', 'APPROVED')
    .where('subject', 'in', scheduledSubjects)
    .where((row) => row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)]))
    .orderBy('id', 'desc')
    .limit(MAX_PROPOSALS)
    .execute()
  const open = await openProposals(db, now).limit(MAX_PROPOSALS).execute()
  const people = await membersById(
    db,
    [...proposals, ...open].flatMap((row) => [row.proposed_by, row.decided_by].filter((id) => id !== null)),
  )
  const decisions: ValueDecisions = {}
  const at = (key: string) => (decisions[key] ??= { since: null, by: [], pending: [] })
  const startOf = (row: (typeof proposals)[number]) => (row.starts_at ?? row.decided_at ?? now).getTime()
  for (const row of proposals.toSorted((a, b) => startOf(a) - startOf(b))) {
    const by = [row.proposed_by, row.decided_by].flatMap((id) => (id === null ? [] : [personOf(people.get(id))]))
    for (const key of catalogueKeysOf(row)) Object.assign(at(key), { since: new Date(startOf(row)), by })
  }
  for (const row of open) {
    const pending = {
      proposalId: row.public_id,
      title: titleOf({ subject: row.subject, value: row.value, before: row.base }),
      status: statusOf(row, now) === 'PLANNED' ? ('PLANNED' as const) : ('PENDING' as const),
      startsAt: row.starts_at,
      value: row.value,
      by: personOf(people.get(row.proposed_by)),
      mine: row.proposed_by === viewerId,
    }
    for (const key of catalogueKeysOf(row)) at(key).pending.push(pending)
  }
  return decisions
}
