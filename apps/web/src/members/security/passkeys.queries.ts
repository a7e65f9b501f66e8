import type { ReplyOf } from '@tizara/contract'
import type { listPasskeys } from '@tizara/contract/passkeys'

export type Passkey = ReplyOf<typeof listPasskeys>[number]
