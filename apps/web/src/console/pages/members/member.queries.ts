import type { ReplyOf } from '@tizara/contract'
import type { staffMemberDetail } from '@tizara/contract/staff-members'

export type MemberDetail = ReplyOf<typeof staffMemberDetail>
