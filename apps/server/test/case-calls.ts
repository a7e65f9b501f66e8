import type { Person, StaffInstance } from './staff-instance.ts'

const input = { title: 'Shared device', dueDays: 7 }

/** For tests: opens a case about a new member, and returns its path. */
export async function openTestCase({ at, person }: StaffInstance, by: Pick<Person, 'token'>, reason: string): Promise<string> {
  const { publicId } = await person()
  const { body } = await at.call('POST', `/staff/members/${publicId}/case`, { token: by.token, body: { ...input, reason } })
  return `/staff/cases/${body.data?.caseId}`
}

/** For tests: the staff calls about cases, each about a new member. */
export const caseCalls = (open: () => StaffInstance, reason: string) => {
  const right = 'desk' as const
  return {
    staffCases: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/cases' }) },
    openCase: {
      right,
      prepare: async () => ({ path: `/staff/members/${(await open().person()).publicId}/case`, body: { ...input, reason } }),
    },
    takeCase: {
      right,
      prepare: async () => ({ path: `${await openTestCase(open(), open().checker, reason)}/take`, body: { dueDays: 7, reason } }),
    },
    // One person closes a case that only this person worked on.
    closeCase: {
      right,
      prepare: async (token: string = open().checker.token) => ({
        path: `${await openTestCase(open(), { token }, reason)}/close`,
        body: { outcome: 'cleared', reason },
      }),
    },
  }
}
