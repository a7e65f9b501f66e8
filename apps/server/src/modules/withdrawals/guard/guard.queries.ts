import type { ReplyOf } from '@tizara/contract'
import type { payoutGuard } from '@tizara/contract/withdrawals-guard'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { hasPasskey } from '../../auth/index.ts'
import { type FreezeCause, type Member, memberById } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { readBook } from '../addresses/address-book.ts'
import { provenBy } from '../addresses/address-mac.ts'

/** Maximum pending transfers per response. */
const MAX_WAITING = 100

const WHY: Readonly<Record<FreezeCause, string>> = {
  password: 'the password was reset with a mailed link',
  'second-factor': 'the authenticator app was turned on or off, or a passkey changed',
  contact: 'the phone number or the email address was changed',
  device: 'a new device signed in',
  restore: 'the platform was restored from a backup',
}

function freezeOf(member: Member | undefined, now: Date) {
  if (member === undefined) return null
  if (member.payouts_stopped_at !== null) return { until: null, why: 'all payouts were stopped with a mailed link' }
  const { payouts_frozen_until: until, payouts_frozen_for: cause } = member
  if (until === null || until <= now) return null
  return { until, why: WHY[cause as FreezeCause] ?? '' }
}

/** Returns a member's payout protection and the reasons for a freeze. */
export async function readGuard(
  db: Db,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  memberId: bigint,
): Promise<ReplyOf<typeof payoutGuard>> {
  const now = clock.now()
  const [member, passkey, settings, book, waiting] = await Promise.all([
    memberById(db, memberId),
    hasPasskey(db, memberId),
    currentSettings(db, now),
    readBook(db, memberId),
    waitingTransfers(db, memberId),
  ])
  return {
    proof: member?.second_factor === true ? 'otp' : 'password',
    passkey,
    confirmHours: settings.payoutConfirmHours,
    delayHours: settings.addressDelayHours,
    held: freezeOf(member, now),
    addresses: book
      .map((entry) => ({ entry, by: provenBy(config, { ...entry, memberId }, entry.stored) }))
      .map(({ entry, by }) => ({
        id: entry.public_id,
        address: entry.address,
        network: entry.network,
        label: entry.label,
        createdAt: entry.created_at,
        usableFrom: entry.usable_from,
        ...(by === undefined ? {} : { provenBy: by }),
      })),
    transfers: waiting.map((row) => ({
      id: row.public_id,
      amount: row.amount,
      email: row.address,
      createdAt: row.created_at,
      waitsUntil: row.confirm_by,
    })),
  }
}

/** Lists a member's transfers awaiting confirmation. The daily request limit bounds them. */
const waitingTransfers = (db: Db, memberId: bigint) =>
  db
    .selectFrom('payout_request')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('kind', '=', 'transfer')
    .where('status', '=', 'PENDING')
    .orderBy('id', 'desc')
    .limit(MAX_WAITING)
    .execute()
