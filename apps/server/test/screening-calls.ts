import { readScreeningList, stageScreeningList } from '../src/modules/screening/index.ts'
import { screenMembers } from '../src/modules/staff/members/screen-members.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'
import type { StaffInstance } from './staff-instance.ts'

/** For tests: the job that compares members with the screening list. */
export const screeningJob = { name: 'screening', everySeconds: 5, run: screenMembers }

/** For tests: a screening list with its end mark. @param rows lines without the header */
export const screeningCsv = (rows: readonly string[], end = `#end,${rows.length}`): Buffer =>
  Buffer.from(['source,reference,name,aliases,addresses,listed_on', ...rows, end, ''].join('\n'))

/** For tests: stores a list, and returns its hash. */
export async function stageList({ db, clock }: Pick<TestApp, 'db' | 'clock'>, rows: readonly string[]): Promise<string> {
  const list = await readScreeningList(screeningCsv(rows))
  await inTransaction(db, (tx) => stageScreeningList(tx, list, clock.now()))
  return list.hash
}

/** For tests: records a match of a member by name, and returns its public id. */
export async function addHit({ db, deps, clock }: TestApp, memberId: bigint): Promise<string> {
  const public_id = deps.ids.publicId()
  const entry = { kind: 'name', key: 'listed', source: 'EU', reference: public_id, listed_name: 'Listed', cause: 'list' }
  await db
    .insertInto('screening_hit')
    .values({ public_id, member_id: memberId, found_at: clock.now(), ...entry })
    .execute()
  return public_id
}

/** For tests: the staff calls about screening. */
export const screeningCalls = (open: () => StaffInstance, reason: string) => ({
  staffScreeningLists: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/screening/lists' }) },
  staffScreeningHits: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/screening/hits' }) },
  uploadScreeningList: { right: 'platform' as const, prepare: () => Promise.resolve({ path: '/staff/screening/lists', body: {} }) },
  decideScreening: {
    right: 'money' as const,
    prepare: async () => {
      const { id, publicId } = await open().person()
      const hits = [await addHit(open().at, id)]
      return { path: `/staff/members/${publicId}/screening`, body: { hits, verdict: 'different', reason } }
    },
  },
})
