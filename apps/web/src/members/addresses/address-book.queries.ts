import type { ReplyOf } from '@tizara/contract'
import type { payoutGuard } from '@tizara/contract/withdrawals-guard'

export type BookAddress = ReplyOf<typeof payoutGuard>['addresses'][number]
