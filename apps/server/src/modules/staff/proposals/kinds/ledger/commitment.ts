import { commitmentValue } from '@tizara/contract/staff-values'
import type { Db } from '../../../../../platform/db/database.ts'
import { currentPolicy, setRewardPolicy } from '../../../../rewards/index.ts'
import { omitUndefined } from '../../../access/omit-undefined.ts'
import { coverageRows } from '../../shared/coverage-rows.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { asJson } from '../../shared/as-json.ts'
import { difference } from '../../shared/title-text.ts'

/** Reads the operator's commitment beside the reward pool, with the catalogue's fields. */
export async function commitmentValues(db: Db) {
  const { committed } = await currentPolicy(db)
  return { committedCoin: committed.COIN, committedUsd: committed.USD }
}

/** Sets the commitment, which covers liabilities in addition to the pool. */
export const commitment = proposalKind({
  subject: 'commitment',
  value: commitmentValue,
  members: noMembers,
  current: async (db) => asJson(await commitmentValues(db)),
  baseline: 'changed-fields',
  async apply(tx, { clock }, { committedCoin: COIN, committedUsd: USD }, { proposer, approverId, reason }) {
    await setRewardPolicy(tx, { committed: omitUndefined({ COIN, USD }), at: clock.now(), by: approverId ?? proposer.memberId, reason })
    return {}
  },
  async coverage(db, { committedCoin, committedUsd }) {
    const coin = committedCoin === undefined ? [] : await coverageRows(db, 'COIN', { committed: committedCoin })
    const usd = committedUsd === undefined ? [] : await coverageRows(db, 'USD', { committed: committedUsd })
    return [...coin, ...usd]
  },
  title: difference,
})
