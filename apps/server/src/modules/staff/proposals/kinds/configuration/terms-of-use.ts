import { termsOfUseValue } from '@tizara/contract/staff-values'
import { publishTerms, scheduleTerms, termsAt } from '../../../../terms-of-use/index.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Publishes a version of the terms of use. All members are asked to accept it from its start. */
export const termsOfUse = proposalKind({
  subject: 'terms-of-use',
  value: termsOfUseValue,
  members: noMembers,
  async current(db, _, __, at) {
    const found = await termsAt(db, at)
    return { text: found?.text ?? null, link: found?.link ?? null }
  },
  baseline: 'all-fields',
  async apply(tx, { clock }, value, { proposer, approverId }) {
    await publishTerms(tx, { terms: value, decidedBy: approverId ?? proposer.memberId, at: clock.now() })
    return {}
  },
  scheduling: {
    topic: 'terms-of-use',
    schedule: (tx, { clock }, _, steps) =>
      scheduleTerms(
        tx,
        clock.now(),
        steps.map(({ value, startsAt, decidedBy }) => ({ terms: value, startsAt, decidedBy })),
      ),
  },
  title: (value) => (typeof value['link'] === 'string' ? `Terms of use: ${textOf(value['link'])}` : 'New text of the terms of use'),
  effect: () => Promise.resolve([{ label: 'All members', after: 'have to accept it before they move money' }]),
})
