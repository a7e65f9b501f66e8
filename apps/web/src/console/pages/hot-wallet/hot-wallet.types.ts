import type { ReplyOf } from '@tizara/contract'
import type { staffHotWallet } from '@tizara/contract/staff-hot-wallet'

export type HotWallet = ReplyOf<typeof staffHotWallet>
