import type { Member } from '../../members/index.ts'

/** The person as staff see one in a row. */
export const personOf = (member: Member | undefined) => ({
  id: member?.public_id ?? '',
  name: member?.name ?? '',
  email: member?.email ?? '',
})
