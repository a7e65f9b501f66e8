/**
 * Screening: compares members with a list of names and addresses that the operator loads (docs/decisions/0071-screening.md).
 * - Owns `screening_list`, `screening_entry`, `screening_key`, `screening_task`, `screening_hit`.
 * - Rules: a match holds the member's payouts until two people have decided; without an active list nothing is compared.
 */
export { assertListSize, readScreeningList, type ScreeningList } from './read-list.ts'
export {
  activateScreeningList,
  advanceAddresses,
  compareStagedList,
  deleteReplacedLists,
  nextListedAddresses,
  readScreeningLists,
  stageScreeningList,
  takeMembersToCompare,
} from './screening-lists.ts'
export {
  assertScreened,
  decideScreeningHits,
  membersHeldByScreening,
  recordScreeningHits,
  type ScreeningHit,
  type ScreeningSubject,
  screeningVerdicts,
  takeScreeningTasks,
} from './screening-hits.ts'
