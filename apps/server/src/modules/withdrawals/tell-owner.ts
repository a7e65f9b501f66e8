import { formatUnits, type Units } from '@tizara/money'
import { enqueueMails, type PayoutStep } from '../../gateways/mailer/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { membersById } from '../members/index.ts'

/** What a mail says of a payout; the amount in units. */
export interface ToldPayout {
  kind: string
  memberId: bigint
  amount: Units
  address: string
}

/** Mails the owners of payouts what happens to them: the one who is robbed has to hear of it (ASVS 6.3.5). */
export async function tellOwners(tx: Tx, deps: Deps, step: PayoutStep, payouts: readonly ToldPayout[]): Promise<void> {
  const owners = await membersById(
    tx,
    payouts.map((payout) => payout.memberId),
  )
  const mails = payouts.flatMap(({ kind, memberId, amount, address }) => {
    const owner = owners.get(memberId)
    if (owner === undefined) return []
    const told = `${formatUnits(amount)} ${kind === 'withdrawal' ? 'USD' : deps.config.tokenSymbol}`
    const data = { name: owner.name, step, amount: told, address, at: deps.clock.now().toUTCString() }
    return [{ to: owner.email, template: 'payout' as const, data }]
  })
  await enqueueMails(tx, deps, mails)
}
