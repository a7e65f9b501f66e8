/**
 * Import: members and balances of another platform, from files that its operator exports (docs/import.md).
 * - A check reports every fault with file, line and column, and compares all sums with the control sums of the old platform.
 */
export { checkImport } from './check-import.ts'
export { formatFault, MAX_LISTED_FAULTS } from './faults.ts'
