/**
 * Histories: a member's own lists, with counters, pages and receipts.
 * - Owns `member_list_counter`, maintained by triggers; each module declares its lists in its `history.ts`.
 */
export { type ListCounters, listCounters, sumByStatus, sumWithoutReversed, counterCheck, counterMarks } from './list-counters.ts'
export { findReceipt, type History, type ReceiptFinder } from './history.ts'
export { readHistory } from './read-history.ts'
