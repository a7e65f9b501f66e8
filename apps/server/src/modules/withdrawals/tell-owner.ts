import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { enqueueMails, mailAmount, mailTime, type PayoutStep } from '../../gateways/mailer/index.ts'
import type { Batch } from '../../jobs/lease.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { membersById } from '../members/index.ts'
import { linkToken } from './payout-token.ts'

/** Mails in one transaction. */
const BATCH = 100

/** Notes that the owners of payouts are to be told what happens to them; it goes with the caller's next statement. */
export async function tellOwners(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  told: readonly { publicId: string; step: PayoutStep }[],
): Promise<void> {
  await insertRows(
    tx,
    'payout_word',
    told.map(({ publicId, step }) => ({ request: publicId, step, said_at: clock.now() })),
  )
}

/** The same for one payout. */
export const tellOwner = (tx: Tx, deps: Pick<Deps, 'clock'>, step: PayoutStep, row: { public_id: string }): Promise<void> =>
  tellOwners(tx, deps, [{ publicId: row.public_id, step }])

interface Word {
  step: PayoutStep
  saidAt: Date
  publicId: string
  kind: string
  memberId: bigint
  /** Units. */
  amount: Units
  address: string
  confirmBy: Date
}

/**
 * Mails the owners of payouts what happened to them, with a way to stop it: the one who is robbed has to hear of it
 * (ASVS 6.3.5).
 */
export async function mailWords(tx: Tx, deps: Deps): Promise<Batch> {
  const { rows: words } = await sql<Word>`
    with taken as (delete from payout_word where id in (select id from payout_word order by id limit ${BATCH}) returning *)
    select w.step, w.said_at as "saidAt", r.public_id as "publicId", r.kind, r.member_id as "memberId", r.amount, r.address,
      r.confirm_by as "confirmBy"
    from taken w join payout_request r on r.public_id = w.request order by w.id`.execute(tx)
  const owners = await membersById(
    tx,
    words.map((word) => word.memberId),
  )
  const mails = words.flatMap(({ step, saidAt, publicId, kind, memberId, amount, address, confirmBy }) => {
    const owner = owners.get(memberId)
    if (owner === undefined) return []
    const told = mailAmount(amount, kind === 'withdrawal' ? 'USD' : deps.config.tokenSymbol)
    const token = linkToken(deps, { about: 'payout', id: publicId })
    const moments = { at: mailTime(saidAt), until: mailTime(confirmBy) }
    return [{ to: owner.email, template: 'payout' as const, data: { name: owner.name, step, amount: told, address, token, ...moments } }]
  })
  await enqueueMails(tx, deps, mails)
  return { done: words.length, more: words.length === BATCH }
}

/** Turns what owners of payouts are to be told into mails. */
export const payoutWordSweeps: Sweep[] = [
  { name: 'tell-owners', everySeconds: 5, run: (lease, deps) => lease.untilDone((tx) => mailWords(tx, deps)) },
]
