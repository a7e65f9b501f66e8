import { screeningListValue } from '@tizara/contract/staff-values'
import { activateScreeningList, compareStagedList, readScreeningLists } from '../../../../screening/index.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Puts an uploaded screening list in force, or switches screening off. A job then compares all members. */
export const screeningList = proposalKind({
  subject: 'screening-list',
  value: screeningListValue,
  members: noMembers,
  current: async (db) => ({ hash: (await readScreeningLists(db)).active?.hash ?? null }),
  baseline: 'all-fields',
  async apply(tx, { clock }, { hash }) {
    await activateScreeningList(tx, hash, clock.now())
    return {}
  },
  async effect(db, { hash }) {
    const { active, staged } = await readScreeningLists(db)
    const now = String(active?.entries ?? 0)
    if (hash === null) return [{ label: 'Entries that members are compared with', before: now, after: '0' }]
    const { added, removed } = await compareStagedList(db)
    return [
      { label: 'Entries that members are compared with', before: now, after: String(staged?.entries ?? 0) },
      { label: 'New entries', after: String(added) },
      { label: 'Removed entries', after: String(removed) },
    ]
  },
  title: ({ hash }) => (hash === null ? 'Switch screening off' : `Screening list, hash ${textOf(hash).slice(0, 12)}`),
})
