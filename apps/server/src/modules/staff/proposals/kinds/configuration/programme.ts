import { programmeValue } from '@tizara/contract/staff-values'
import { addProgramme, assertProgramme, currentProgramme, referralsToCome, scheduleProgramme } from '../../../../rewards/index.ts'
import { omitUndefined } from '../../../access/omit-undefined.ts'
import { coverageRows } from '../../shared/coverage-rows.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { asJson } from '../../shared/as-json.ts'
import { assertSimulated, assertStillSimulated, draftAt, newestSimulation } from '../../shared/programme-simulation.ts'
import { programmeValues } from '../../shared/programme-values.ts'
import { difference } from '../../shared/title-text.ts'

/** Replaces the reward programme. The programme is simulated, approved and compared as a whole. */
export const programme = proposalKind({
  subject: 'programme',
  value: programmeValue,
  members: noMembers,
  affectsEarnings: true,
  current: async (db, _, __, at) => asJson((await programmeValues(db, at)).rules),
  baseline: 'changed-fields',
  complete: async (db, value, at) => ({ ...(await programmeValues(db, at)).rules, ...omitUndefined(value) }),
  async assertAllowed(tx, { clock }, value, startsAt) {
    if (startsAt !== null) await assertProgramme(tx, { rules: omitUndefined(value), startsAt, at: clock.now() })
  },
  simulation: {
    assertProposable: async (tx, now, value, seen) => assertSimulated(tx, now, await draftAt(tx, value, now), seen),
    assertFresh: async (tx, now, value) => assertStillSimulated(tx, now, await draftAt(tx, value, now)),
    newest: async (db, now, value) => newestSimulation(db, now, await draftAt(db, value, now)),
  },
  async apply(tx, { clock }, value, { proposer, approverId, reason }) {
    const at = clock.now()
    await addProgramme(tx, { rules: omitUndefined(value), startsAt: at, at, reason, by: approverId ?? proposer.memberId })
    return {}
  },
  scheduling: {
    topic: 'programme',
    schedule: (tx, { clock }, _, steps) => {
      const at = clock.now()
      const versions = steps.map(({ value, startsAt, reason, decidedBy }) => ({
        rules: omitUndefined(value),
        startsAt,
        at,
        reason,
        by: decidedBy,
      }))
      return scheduleProgramme(tx, at, versions)
    },
  },
  async coverage(db, value, at) {
    const current = await currentProgramme(db, at)
    const promised = await referralsToCome(db, current, { ...current, ...omitUndefined(value) }, at)
    return [...(await coverageRows(db, 'COIN', { promised })), ...(await coverageRows(db, 'USD', {}))]
  },
  title: difference,
  // The simulation shows it.
  effect: () => Promise.resolve([]),
})
