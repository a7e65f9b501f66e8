import { coverValue } from '@tizara/contract/staff-values'
import type { Db } from '../../../../platform/db/database.ts'
import { currentPolicy, setRewardPolicy } from '../../../rewards/index.ts'
import { omitUndefined } from '../../access/omit-undefined.ts'
import { coverageRows } from '../shared/coverage-rows.ts'
import { noMembers, proposalKind } from '../shared/proposal-kind.ts'
import { asJson } from '../shared/as-json.ts'
import { difference } from '../shared/title-text.ts'

/** Reads the operator's commitment beside the reward pool, with the catalogue's fields. */
export async function coverageValues(db: Db) {
  const { coverageMode, committed } = await currentPolicy(db)
  return { coverageMode, committedCoin: committed.COIN, committedUsd: committed.USD }
}

/** Covers promised rewards by a commitment beside the pool. */
export const coverage = proposalKind({
  subject: 'cover',
  value: coverValue,
  members: noMembers,
  current: async (db) => asJson(await coverageValues(db)),
  baseline: 'changed-fields',
  async apply(tx, { clock }, { committedCoin: COIN, committedUsd: USD, ...rest }, { proposer, approverId, reason }) {
    const policy = omitUndefined({ ...rest, committed: omitUndefined({ COIN, USD }) })
    await setRewardPolicy(tx, { ...policy, at: clock.now(), by: approverId ?? proposer.memberId, reason })
    return {}
  },
  async cover(db, { committedCoin, committedUsd }) {
    const coin = committedCoin === undefined ? [] : await coverageRows(db, 'COIN', { committed: committedCoin })
    const usd = committedUsd === undefined ? [] : await coverageRows(db, 'USD', { committed: committedUsd })
    return [...coin, ...usd]
  },
  title: difference,
})
