import { enqueueMails, mailAmount } from '../../../gateways/mailer/index.ts'
import { post } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { returnTransfers } from './return-transfers.ts'

const readReturn = (tx: Tx, id: bigint) => tx.selectFrom('payment_return').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const WORDS = {
  approved: { title: 'your payment goes back', line: 'will be sent to' },
  sent: { title: 'your payment was returned', line: 'was sent to' },
  failed: { title: 'your payment could not be returned', line: 'could not be sent to' },
} as const

/** Mails a step of a payment return to the member whose invoice was paid. */
export async function notifyPayer(tx: Tx, deps: Deps, id: bigint, step: keyof typeof WORDS): Promise<void> {
  const { member_id, deposit, asset, received, address } = await readReturn(tx, id)
  const member = (await membersById(tx, [member_id])).get(member_id)
  if (member === undefined) return
  const { title, line } = WORDS[step]
  const amount = mailAmount(received, asset === 'USD' ? 'USD' : deps.config.tokenSymbol)
  const lines = [
    `A payment to your invoice ${deposit} was not credited. ${amount} ${line} ${address}, which is in your address book.`,
    step === 'failed' ? 'We will contact you, or you can open a ticket.' : 'If you did not ask for this, please open a ticket.',
  ]
  await enqueueMails(tx, deps, [{ to: member.email, template: 'notice', data: { name: member.name, title, lines } }])
}

/** Takes the ledger transfers of a return back, after proof that it cannot arrive. The payment can then be returned again. */
export async function reversePaymentReturn(tx: Tx, deps: Deps, id: bigint): Promise<void> {
  const row = await readReturn(tx, id)
  const amounts = { ...row, asset: row.asset as 'USD' | 'COIN' }
  await post(tx, {
    kind: 'paymentReturnReversed',
    cause: { type: 'payment_return', id: row.public_id },
    at: deps.clock.now(),
    key: `return-reversed:${row.public_id}`,
    transfers: returnTransfers(amounts, true),
  })
  await notifyPayer(tx, deps, id, 'failed')
}
