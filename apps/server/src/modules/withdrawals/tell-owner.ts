import { formatUnits, type Units } from '@tizara/money'
import type { Selectable } from 'kysely'
import { enqueueMails, type PayoutStep } from '../../gateways/mailer/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { PayoutRequestTable } from '../../platform/tables.generated.ts'
import { membersById } from '../members/index.ts'
import { linkToken } from './payout-token.ts'

/** What a mail says of a payout; the amount in units. */
export interface ToldPayout {
  publicId: string
  kind: string
  memberId: bigint
  amount: Units
  address: string
  /** Until when its owner can confirm it. */
  confirmBy: Date
}

/**
 * Mails the owners of payouts what happens to them, with a way to stop it: the one who is robbed has to hear of it
 * (ASVS 6.3.5).
 */
export async function tellOwners(tx: Tx, deps: Deps, step: PayoutStep, payouts: readonly ToldPayout[]): Promise<void> {
  if (payouts.length === 0) return
  const owners = await membersById(
    tx,
    payouts.map((payout) => payout.memberId),
  )
  const mails = payouts.flatMap(({ publicId, kind, memberId, amount, address, confirmBy }) => {
    const owner = owners.get(memberId)
    if (owner === undefined) return []
    const told = `${formatUnits(amount)} ${kind === 'withdrawal' ? 'USD' : deps.config.tokenSymbol}`
    const token = linkToken(deps, { about: 'payout', id: publicId })
    const moments = { at: deps.clock.now().toUTCString(), until: confirmBy.toUTCString() }
    return [{ to: owner.email, template: 'payout' as const, data: { name: owner.name, step, amount: told, address, token, ...moments } }]
  })
  await enqueueMails(tx, deps, mails)
}

/** Mails the owner of a payout what happens to it. */
export function tellOwner(tx: Tx, deps: Deps, step: PayoutStep, row: Selectable<PayoutRequestTable>): Promise<void> {
  const { public_id: publicId, member_id: memberId, confirm_by: confirmBy, kind, amount, address } = row
  return tellOwners(tx, deps, step, [{ publicId, memberId, confirmBy, kind, amount, address }])
}
