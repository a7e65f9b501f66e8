import { accountTables } from './account-tables.ts'
import { moneyTables } from './money-tables.ts'

/** All tables with rows about one member that the file contains. */
export const ownTables = [...accountTables, ...moneyTables]
