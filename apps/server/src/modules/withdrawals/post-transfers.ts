import type { Units } from '@tizara/money'
import { type Posting, postEach } from '../../ledger/index.ts'
import { okValues, type AppError, zipOk, mapOk } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type NoticeEvent, recordEvents } from '../notices/index.ts'

/** Transfer in USD units from one member to another. */
export interface MemberTransfer {
  senderId: bigint
  receiverId: bigint
  amount: Units
}

/**
 * Posts transfers between members (MF-09) and notifies the receivers. The caller has authorized them (`authorizeOutflows`).
 * @returns in order: the ledger transfer, or the refusal
 */
export async function postTransfers(tx: Tx, at: Date, transfers: readonly (MemberTransfer | AppError)[]): Promise<(bigint | AppError)[]> {
  const posted = await postEach(
    tx,
    mapOk(transfers, (one) => postingOf(one, at)),
  )
  const ids = mapOk(posted, ({ transfers: [first] }) => {
    if (first === undefined) throw new Error('a posting without a transfer')
    return first.id
  })
  await recordEvents(tx, at, okValues(zipOk(transfers, ids, received)))
  return ids
}

const received = ({ receiverId, amount }: MemberTransfer, id: bigint): NoticeEvent => ({
  memberId: receiverId,
  event: 'received',
  cause: String(id),
  amount,
  asset: 'usd',
  facts: { transfer: String(id) },
})

function postingOf({ senderId, receiverId, amount }: MemberTransfer, at: Date): Posting {
  return {
    kind: 'userToUser',
    cause: { type: 'member', id: String(receiverId) },
    at,
    transfers: [{ from: { owner: senderId, kind: 'depositWallet' }, to: { owner: receiverId, kind: 'depositWallet' }, amount }],
  }
}
