import { accountTables } from './account-tables.ts'
import { moneyTables } from './money-tables.ts'

/** Every table with rows about one member that the file contains. */
export const ownTables = [...accountTables, ...moneyTables]
