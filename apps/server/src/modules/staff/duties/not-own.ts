import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { shareTraces } from './shared-traces.ts'
import type { ChangeMakers } from '../access/decider.ts'

/**
 * Refuses what people of the staff do to an account of their own, or to one that looks like a second one of theirs.
 * @throws AppError FOUR_EYES
 */
export async function assertNotOwn(
  tx: Tx,
  memberId: bigint,
  { maker, checkerId }: Pick<ChangeMakers, 'maker' | 'checkerId'>,
): Promise<void> {
  for (const id of [maker.memberId, checkerId]) {
    if (id !== undefined && (id === memberId || (await shareTraces(tx, id, memberId)))) throw new AppError('FOUR_EYES')
  }
}
