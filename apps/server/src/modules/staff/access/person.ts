import type { Member } from '../../members/index.ts'

/** Formats a member for a list row. */
export const personOf = (member: Member | undefined) => ({
  id: member?.public_id ?? '',
  name: member?.name ?? '',
  email: member?.email ?? '',
})
