import type { Units } from '@tizara/money'
import { isPersonName } from '@tizara/contract/text'
import { sql } from 'kysely'
import { enqueueMails, type OutflowKind, type PayoutStep } from '../../gateways/mailer/index.ts'
import type { Batch } from '../../jobs/lease.ts'
import type { Job } from '../../jobs/job.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { initialsOf, type Member, membersById } from '../members/index.ts'
import { recordEvents } from '../notices/index.ts'
import { entryOfRequest, provenBy, type StoredEntry } from './addresses/address-mac.ts'
import { linkToken } from './confirmation/payout-token.ts'

/** Mails per transaction. */
const BATCH = 100

/** Records steps of payouts and transfers for their owners, with the caller's next statement. */
export async function notifyOwners(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  steps: readonly { publicId: string; step: PayoutStep }[],
): Promise<void> {
  await insertRows(
    tx,
    'payout_notification',
    steps.map(({ publicId, step }) => ({ request: publicId, step, created_at: clock.now() })),
  )
}

/** Records a notification about one step of a payout. */
export const notifyOwner = (tx: Tx, deps: Pick<Deps, 'clock'>, step: PayoutStep, row: { public_id: string }): Promise<void> =>
  notifyOwners(tx, deps, [{ publicId: row.public_id, step }])

interface Notification {
  id: bigint
  step: PayoutStep
  createdAt: Date
  publicId: string
  kind: OutflowKind
  memberId: bigint
  /** Amount in units. */
  amount: Units
  address: string
  /** Receiver of a transfer. */
  receiverId: bigint | null
  confirmBy: Date
  network: number
  entry: StoredEntry | null
}

/** Mails each step of a payout or transfer to the member, with a link to stop payouts (ASVS 6.3.5), and records the step for the inbox. */
export async function sendPayoutNotifications(tx: Tx, deps: Deps): Promise<Batch> {
  const { rows: steps } = await sql<Notification>`
    with taken as (delete from payout_notification where id in (select id from payout_notification order by id limit ${BATCH}) returning *)
    select w.id, w.step, w.created_at as "createdAt", p.public_id as "publicId", p.kind, p.member_id as "memberId", p.amount, p.address, p.network,
      p.receiver_id as "receiverId",      p.confirm_by as "confirmBy", ${entryOfRequest} as entry
    from taken w join payout_request p on p.public_id = w.request order by w.id`.execute(tx)
  const people = await membersById(
    tx,
    steps.flatMap(({ memberId, receiverId }) => (receiverId === null ? [memberId] : [memberId, receiverId])),
  )
  const mails = steps.flatMap(({ step, createdAt, publicId, kind, memberId, amount, address, receiverId, network, confirmBy, entry }) => {
    const owner = people.get(memberId)
    if (owner === undefined) return []
    const unit = kind === 'bridge' ? deps.config.tokenSymbol : 'USD'
    const token = linkToken(deps, { about: 'payout', id: publicId })
    const receiver = receiverId === null ? undefined : shownInitials(people.get(receiverId))
    const isProven = provenBy(deps.config, { memberId, network, address }, entry) !== undefined
    return [
      {
        to: owner.email,
        language: owner.language,
        template: 'payout' as const,
        data: { name: owner.name, kind, step, amount, unit, address, receiver, token, isProven, at: createdAt, until: confirmBy },
      },
    ]
  })
  await enqueueMails(tx, deps, mails)
  await recordSteps(tx, steps)
  return { done: steps.length, more: steps.length === BATCH }
}

/** Returns a receiver's initials, which the sender also sees before the transfer; none for an erased account. */
const shownInitials = (receiver: Member | undefined): string | undefined =>
  receiver === undefined || receiver.erased_at !== null || !isPersonName(receiver.name) ? undefined : initialsOf(receiver.name)

/** Records the steps for the inbox, in one statement per step and time. */
async function recordSteps(tx: Tx, steps: readonly Notification[]): Promise<void> {
  for (const [at, ofTime] of Map.groupBy(steps, ({ createdAt }) => createdAt.getTime()))
    await recordEvents(
      tx,
      new Date(at),
      ofTime.map(({ id, memberId, amount, kind, step, address, publicId }) => ({
        memberId,
        event: 'payout',
        cause: String(id),
        amount,
        asset: kind === 'bridge' ? 'coin' : 'usd',
        facts: { outflow: kind, step, address, request: publicId },
      })),
    )
}

/** The recurring job that mails recorded steps. */
export const payoutNotificationJobs: Job[] = [
  { name: 'send-payout-notifications', everySeconds: 5, run: (lease, deps) => lease.untilDone((tx) => sendPayoutNotifications(tx, deps)) },
]
