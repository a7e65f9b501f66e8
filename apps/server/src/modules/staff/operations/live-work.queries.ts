import { staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { staffIncidents, staffPeople } from '@tizara/contract/staff-platform'
import { staffOverview } from '@tizara/contract/staff'
import { staffQueue, staffQueueItem } from '@tizara/contract/staff-queues'
import { staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { staffMemberDetail, staffMembers } from '@tizara/contract/staff-members'
import { staffRewardPool } from '@tizara/contract/staff-rewards'
import type { Route } from '@tizara/contract'
import { sql } from 'kysely'
import type { Marks } from '../../../http/live/live.ts'
import { stopMark } from '../../../ledger/index.ts'
import { writeJson } from '../../../http/server/json.ts'
import type { Db } from '../../../platform/db/database.ts'
import { depositWorkMark } from '../../deposits/index.ts'
import { ticketWorkMark } from '../../support/index.ts'
import { payoutWorkMark } from '../../withdrawals/index.ts'
import { readPresence } from './presence.ts'

/** Staff reads that change with the pending work. */
const WORK_READS = [
  { follows: payoutWorkMark, reads: [staffQueue, staffQueueItem, staffOverview] },
  { follows: depositWorkMark, reads: [staffQueue, staffQueueItem, staffOverview] },
  { follows: ticketWorkMark, reads: [staffTickets, staffTicketDetail, staffOverview] },
  {
    follows: sql`(select concat(count(*), ' ', sum(id), ' ', (select max(decided_at) from staff_proposal)) from staff_proposal where status = 'PENDING')`,
    // Views in which approved values also appear once the values are in force.
    reads: [staffChanges, staffCatalogue, staffOverview, staffMembers, staffMemberDetail, staffPeople, staffRewardPool],
  },
  {
    follows: sql`(select concat(count(*), ' ', sum(id), ' ', max(taken_at)) from staff_incident where ended_at is null)`,
    reads: [staffIncidents, staffOverview],
  },
  { follows: stopMark, reads: [staffIncidents, staffOverview, staffQueue, staffQueueItem] },
] as const satisfies readonly { follows: unknown; reads: readonly Route[] }[]

/** Computes the version of each staff read, in one query over open work. */
async function staffMarks(db: Db): Promise<Marks> {
  const found = await sql<{ marks: (string | null)[] }>`
    select array[${sql.join(WORK_READS.map((watch) => sql`${watch.follows}::text`))}]::text[] as marks`.execute(db)
  const marks = new Map<string, string>()
  WORK_READS.forEach(({ reads }, index) => {
    for (const { name } of reads) marks.set(name, `${marks.get(name) ?? ''};${found.rows[0]?.marks[index] ?? ''}`)
  })
  return marks
}

/** Returns the live stream's staff part. */
export async function staffLive(db: Db, now: Date): Promise<{ marks: Marks; presence: string }> {
  const [marks, presence] = await Promise.all([staffMarks(db), readPresence(db, now)])
  return { marks, presence: writeJson(presence) }
}
