import type { ReplyOf } from '@tizara/contract'
import type { staffChange, staffChanges } from '@tizara/contract/staff-changes'

export type ChangeFull = ReplyOf<typeof staffChange>

export type ChangeRow = ReplyOf<typeof staffChanges>['data'][number]
