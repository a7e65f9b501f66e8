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

/** Creates a member who shares a network with the sponsor, and returns the call that reviews the two. */
export async function linkedAccount({ at, person }: StaffInstance, reason: string): Promise<{ path: string; body: object }> {
  const upline = await person()
  const member = await person({ sponsorId: upline.id })
  const seen = { first_seen_at: at.clock.now(), last_seen_at: at.clock.now(), same_address: true, same_device: false }
  const { id } = await at.db
    .insertInto('linked_account')
    .values({ member_id: member.id, upline_id: upline.id, level: 1, same_payout_address: false, ...seen })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { path: `/staff/linked-accounts/${id}/review`, body: { verdict: 'harmless', reason } }
}
