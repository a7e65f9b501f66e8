import type { Selectable } from 'kysely'
import { isFirstApproval, macOfFirstApproval } from '../../platform/db/first-approval.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import { isMacOf, macOf } from '../../platform/crypto/row-mac.ts'
import type { PayoutRequestTable } from '../../platform/db/tables.generated.ts'

/** MACs over requests and their confirmations. */
export const requestMacs: EncryptedColumn = { table: 'payout_request', key: 'id', column: 'owner_mac', purpose: 'asked payouts' }

/** MACs over first approvals. */
export const firstApprovalMacs: EncryptedColumn = { table: 'payout_request', key: 'id', column: 'first_mac', purpose: 'first approvals' }

/** Fields covered by the request MAC. `confirmed_how` is null until the owner confirms. */
export type PayoutMacFields = Pick<
  Selectable<PayoutRequestTable>,
  | 'public_id'
  | 'member_id'
  | 'kind'
  | 'amount'
  | 'platform_fee'
  | 'network_fee'
  | 'received'
  | 'address'
  | 'network'
  | 'receiver_id'
  | 'hold_id'
> & { confirmed_how: string | null }

const macFields = (payout: PayoutMacFields, how: string | null) => [
  payout.public_id,
  payout.member_id,
  payout.kind,
  payout.amount,
  payout.platform_fee,
  payout.network_fee,
  payout.received,
  payout.address,
  payout.network,
  payout.receiver_id ?? 'outside',
  payout.hold_id,
  how ?? 'waits',
]

/**
 * Computes the MAC over a request and its confirmation. An attacker who can only write to the database can neither redirect nor confirm a
 * payout.
 */
export const ownerMac = (keys: DataKeys, payout: PayoutMacFields): Buffer =>
  macOf(keys, requestMacs.purpose, macFields(payout, payout.confirmed_how))

/** Returns true if the MAC matches the request and its confirmation. */
export const hasValidOwnerMac = (keys: DataKeys, row: PayoutMacFields & { owner_mac: Buffer }): boolean =>
  // Tries all kinds of confirmation if the row has none, because a stop removes the confirmation from the row but not from the MAC.
  (row.confirmed_how === null ? [null, 'book', 'step-up', 'page', 'link'] : [row.confirmed_how]).some((how) =>
    isMacOf(keys, requestMacs.purpose, row.owner_mac, macFields(row, how)),
  )

/** Column values without a first approval. */
export const NO_FIRST_APPROVAL = { first_approved_by: null, first_approved_at: null, first_mac: null }

type FirstApproval = Pick<Selectable<PayoutRequestTable>, 'public_id' | 'first_approved_by' | 'first_approved_at' | 'first_mac'>

export const firstApproval = (keys: DataKeys, row: Pick<FirstApproval, 'public_id'>, by: bigint, at: Date) => ({
  first_approved_by: by,
  first_approved_at: at,
  first_mac: macOfFirstApproval(keys, firstApprovalMacs, { by, at }, [row.public_id]),
})

/** Returns true if a request has no first approval, or a valid MAC for its approver and time. */
export function hasNoForgedFirstApproval(keys: DataKeys, row: FirstApproval): boolean {
  const { first_approved_by: by, first_approved_at: at, first_mac: mac } = row
  return by === null || (at !== null && isFirstApproval(keys, firstApprovalMacs, mac, { by, at }, [row.public_id]))
}
