import type { StaffInstance } from './staff-instance.ts'

/** Creates two admins who count as one person, and returns the call that confirms them. */
export async function linkedPair(instance: StaffInstance, reason: string): Promise<{ path: string; body: object }> {
  const [one, other] = [await instance.person({ role: 'ADMIN' }), await instance.person({ role: 'ADMIN' })]
  await instance.at.db.insertInto('staff_link').values({ one_id: one.id, other_id: other.id, found_at: instance.at.clock.now() }).execute()
  return { path: `/staff/members/${one.publicId}/separate-people`, body: { otherId: other.publicId, reason } }
}

/** Creates a staff member who reached the hourly limit for personal data, and returns the call that allows more. */
export async function readerAtLimit(instance: StaffInstance, reason: string): Promise<{ path: string; body: object }> {
  const { id, publicId } = await instance.person({ role: 'SUPPORT' })
  await instance.at.db.insertInto('staff_view_limit').values({ member_id: id, reached_at: instance.at.clock.now() }).execute()
  return { path: `/staff/members/${publicId}/allow-views`, body: { reason } }
}
