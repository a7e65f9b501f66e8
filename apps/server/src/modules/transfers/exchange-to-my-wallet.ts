import { exchangeShare, ONE, percentOf, type Units } from '@tizara/money'
import { balancesOf, post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockMember } from '../members/index.ts'
import { currentSettings } from '../settings/index.ts'

const HOUR_MS = 3_600_000
const CENT = ONE / 100n

/**
 * Moves the share of the ICO wallet that the settings allow to my wallet (MF-05, VA-45, VA-46). The amount that the
 * client repeats may differ from the share by the rounding of the display and no more (VA-89). The member's row is
 * locked, so that two exchanges never use the same balance for their share.
 * @param input whose, how many coin units
 * @returns id of the exchange on the wire
 * @throws AppError INVALID_AMOUNT when it is not the share, EXCHANGE_TOO_SOON
 */
export async function exchangeToMyWallet(tx: Tx, deps: Deps, input: { memberId: bigint; amount: Units }): Promise<string> {
  const at = deps.clock.now()
  const owner = input.memberId
  await lockMember(tx, owner)
  const settings = await currentSettings(tx, at)
  await assertRested(tx, owner, at, settings.exchangeCooldownHours)
  const { newIcoWallet } = await balancesOf(tx, owner)
  if (!isShare(input.amount, newIcoWallet, settings.exchangeLimit)) throw new AppError('INVALID_AMOUNT')
  const publicId = deps.ids.publicId()
  const posted = await post(tx, {
    kind: 'exchange',
    cause: { type: 'wallet_exchange', id: publicId },
    at,
    ruleVersion: settings.version,
    transfers: [{ from: { owner, kind: 'newIcoWallet' }, to: { owner, kind: 'icoWallet' }, amount: input.amount }],
  })
  await tx
    .insertInto('wallet_exchange')
    .values({
      public_id: publicId,
      member_id: owner,
      amount: input.amount,
      settings_version: settings.version,
      posting_id: posted.postingId,
      created_at: at,
    })
    .execute()
  return publicId
}

function isShare(amount: Units, balance: Units, limitPercent: Units): boolean {
  return amount <= exchangeShare(balance, limitPercent) && amount > percentOf(balance, limitPercent, 'down') - CENT
}

async function assertRested(tx: Tx, memberId: bigint, now: Date, hours: number): Promise<void> {
  if (hours === 0) return
  const last = await tx
    .selectFrom('wallet_exchange')
    .select('created_at')
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  const next = new Date(last.created_at.getTime() + hours * HOUR_MS)
  if (next > now) throw new AppError('EXCHANGE_TOO_SOON', { at: `${next.toISOString().slice(0, 16).replace('T', ' ')} UTC` })
}
