import type { CountedRows, History } from './history.ts'

/** A counted table, with SQL expressions over a row alias. */
export interface CountedTable {
  table: string
  list: (row: string) => string
  bucket: (row: string) => string
  amount: (row: string) => string
}

/** Rewrites SQL over `row` for another row alias. */
export const withAlias = (expression: string) => (row: string) => expression.replaceAll(/\brow\./g, `${row}.`)

/** Returns the tables behind some lists; a table may hold several lists. */
export function countedTables(histories: readonly History[]): CountedTable[] {
  const lists = histories.flatMap(({ kind, counted }) => (counted === undefined ? [] : [{ kind, ...counted }]))
  return [...Map.groupBy(lists, ({ table }) => table)].map(([table, [first, ...others]]) => {
    const { bucket = "''", amount = '0' }: Partial<CountedRows> = first ?? {}
    if (others.some((other) => other.bucket !== first?.bucket || other.amount !== first?.amount))
      throw new Error(`the lists of ${table} are counted differently`)
    const cases = [first, ...others].map((one) => `when ${one?.where ?? 'true'} then '${one?.kind}'`)
    const list = cases.length === 1 && first?.where === undefined ? `'${first?.kind}'` : `case ${cases.join(' ')} end`
    return { table, list: withAlias(list), bucket: withAlias(bucket), amount: withAlias(amount) }
  })
}

const UPSERT = `group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;`

const triggerFunction = (name: string, rows: string) => `create or replace function ${name}() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  ${rows} ${UPSERT}
  return null;
end $$;
`

/** SQL that excludes rows without a list, if such rows can exist. */
const listed = (list: string) => (list.includes('case ') || list === 'list' ? ` where ${list} is not null` : '')

/**
 * Returns triggers that update the counters of a table's lists: inserts per statement, updates per row. An update fires the trigger only if
 * a counted value changes, because a reward run updates a million stakes without such a change.
 */
export function countingSql({ table, list, bucket, amount }: CountedTable): { functions: string; triggers: string } {
  const fresh = `select r.member_id, ${list('r')}, ${bucket('r')}, count(*), sum(${amount('r')}) from fresh r${listed(list('r'))}`
  const changed = `select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, ${list('new')} as list, ${bucket('new')} as bucket, 1 as rows, ${amount('new')} as amount
    union all select old.member_id, ${list('old')}, ${bucket('old')}, -1, -${amount('old')}) changes${listed(list('new') === list('old') ? '' : 'list')}`
  const figures = [list, bucket, amount].filter((figure) => figure('new') !== figure('old'))
  const columns = new Set(figures.flatMap((figure) => [...figure('new').matchAll(/\bnew\.(\w+)/g)].map((match) => match[1])))
  const moved = figures.map((figure) => `(${figure('old')}) is distinct from (${figure('new')})`).join(' or ')
  return {
    functions: triggerFunction(`${table}_counted`, fresh) + (figures.length === 0 ? '' : triggerFunction(`${table}_recounted`, changed)),
    triggers: `create trigger ${table}_counted after insert on ${table}
  referencing new table as fresh for each statement execute function ${table}_counted();
${
  figures.length === 0
    ? ''
    : `create trigger ${table}_recounted after update of ${[...columns].join(', ')} on ${table}
  for each row when (${moved}) execute function ${table}_recounted();
`
}`,
  }
}
