import { formatUnits, type Units } from '@tizara/money'
import { enqueueMail, type PayoutStep } from '../../gateways/mailer/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberById } from '../members/index.ts'

/** Mails the owner of a payout what happens to it: the one who is robbed has to hear of it (ASVS 6.3.5). */
export async function tellOwner(
  tx: Tx,
  deps: Deps,
  step: PayoutStep,
  payout: { kind: string; memberId: bigint; amount: Units; address: string },
): Promise<void> {
  const owner = await memberById(tx, payout.memberId)
  if (owner === undefined) return
  const amount = `${formatUnits(payout.amount)} ${payout.kind === 'withdrawal' ? 'USD' : deps.config.tokenSymbol}`
  const data = { name: owner.name, step, amount, address: payout.address, at: deps.clock.now().toUTCString() }
  await enqueueMail(tx, deps, { to: owner.email, template: 'payout', data })
}
