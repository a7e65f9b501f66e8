import type { StaffInstance } from './staff-instance.ts'

/** For tests: the staff calls about cases, each about a new member. */
export const caseCalls = (open: () => StaffInstance, reason: string) => {
  const right = 'desk' as const
  const opening = async () => {
    const { publicId } = await open().person()
    return { path: `/staff/members/${publicId}/case`, body: { title: 'Shared device', dueDays: 7, reason } }
  }
  const aboutCase = (what: string, body: object) => async () => {
    const { path, body: opened } = await opening()
    const reply = await open().post(path, open().checker, opened)
    return { path: `/staff/cases/${reply.body.data.caseId}/${what}`, body }
  }
  return {
    staffCases: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/cases' }) },
    openCase: { right, prepare: opening },
    takeCase: { right, prepare: aboutCase('take', { dueDays: 7, reason }) },
    closeCase: { right, prepare: aboutCase('close', { outcome: 'cleared', reason }) },
  }
}
