import { id } from '@tizara/contract'
import * as v from 'valibot'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import type { Db } from '../../../../../platform/db/database.ts'
import { memberByPublicId } from '../../../../members/index.ts'
import { mailAdmins } from '../../../access/mail-admins.ts'
import { confirmPair, isLinkedPair } from '../../../duties/staff-links.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Confirms that two staff accounts with a shared network belong to two people. Two other people decide. */
export const separatePeople = proposalKind({
  subject: 'separate-people',
  value: v.object({ memberId: id, otherId: id, email: v.string(), otherEmail: v.string() }),
  members: async (db, value) => (await pairOf(db, value)) ?? [],
  async current(db, _, value) {
    const pair = await pairOf(db, value)
    return { linked: pair !== undefined && (await isLinkedPair(db, ...pair)) }
  },
  baseline: 'all-fields',
  async apply(tx, deps, value) {
    const pair = await pairOf(tx, value)
    if (pair === undefined || !(await confirmPair(tx, ...pair, deps.clock.now()))) throw new AppError('NOT_FOUND')
    await mailAdmins(tx, deps, 'two staff accounts confirmed', [
      `${value.email} and ${value.otherEmail} shared a network before one of them had a role. Two admins confirmed that they are two people.`,
    ])
    return {}
  },
  title: (value) => `${textOf(value['email'])} and ${textOf(value['otherEmail'])} are two people`,
})

async function pairOf(db: Db, { memberId, otherId }: { memberId: string; otherId: string }): Promise<[bigint, bigint] | undefined> {
  const [one, other] = [await memberByPublicId(db, memberId), await memberByPublicId(db, otherId)]
  return one === undefined || other === undefined ? undefined : [one.id, other.id]
}
