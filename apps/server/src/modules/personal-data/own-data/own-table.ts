import { type RawBuilder, sql } from 'kysely'
import type { DB } from '../../../platform/db/tables.generated.ts'

/** The member whose data is collected. */
export interface Owner {
  id: bigint
  publicId: string
}

/** The member's rows of a table, in one pair of files. */
export interface OwnTable {
  /** Name of the files, without ending. */
  file: string
  table: keyof DB
  /** Condition for the member's rows. */
  of: (owner: Owner) => RawBuilder<boolean>
  /** Columns that sort the rows and are unique together. An index on these columns or the condition limits the rows that a page reads. */
  key: readonly string[]
  columns: readonly string[]
  /** Columns in units of 10^-8, written as decimals. */
  amounts?: readonly string[]
  /** Columns that are not in the file, by the reason. */
  omitted?: Readonly<Record<string, readonly string[]>>
}

/** Reasons that many columns share. */
export const SECRET = 'a secret or its digest, which would weaken the account'
export const CONTROL = 'an integrity check or a state of the software, without information about the person'
export const STAFF = 'names a member of staff'
export const OTHER = 'names another member'
export const REPEATED = 'the same for each row of the file: the member'
export const INTERNAL = 'an internal number; the file has the public id or the facts'

/** Columns of a table, separated by spaces, and the differences from a table with the member's id and a row id. */
interface OwnColumns {
  of?: OwnTable['of']
  key?: readonly string[]
  columns: string
  amounts?: string
  omitted?: Readonly<Record<string, string>>
}

export const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Describes a table. The member's id and the row id are omitted, unless they are columns of the file. */
export function ownTable(file: string, table: keyof DB, { of, key = ['id'], omitted = {}, ...rest }: OwnColumns): OwnTable {
  const [columns, amounts] = [words(rest.columns), words(rest.amounts ?? '')]
  return {
    file,
    table,
    of: of ?? member('member_id'),
    key,
    columns,
    amounts,
    omitted: {
      ...Object.fromEntries(Object.entries(omitted).map(([reason, names]) => [reason, words(names)])),
      [INTERNAL]: [...(key[0] === 'id' && !columns.includes('id') ? ['id'] : []), ...words(omitted[INTERNAL] ?? '')],
      [REPEATED]: [...(of === undefined ? ['member_id'] : []), ...words(omitted[REPEATED] ?? '')],
    },
  }
}

export const member = (column: string) => (owner: Owner) => sql<boolean>`${sql.ref(column)} = ${owner.id}`
export const ownDeposits = (column: string) => (owner: Owner) =>
  sql<boolean>`${sql.ref(column)} in (select id from deposit where member_id = ${owner.id})`
export const ownPayouts =
  (column: string, of = 'id') =>
  (owner: Owner) =>
    sql<boolean>`${sql.ref(column)} in (select ${sql.ref(of)} from payout_request where member_id = ${owner.id})`
export const ownTickets = (column: string) => (owner: Owner) =>
  sql<boolean>`${sql.ref(column)} in (select id from ticket where member_id = ${owner.id})`
