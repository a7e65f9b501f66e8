import type { AuditCheck } from './audit.ts'
import { type AuditWindow, atSql, inSql } from './audit-window.ts'
import { accountSql, systemSql, sideNumber, sideSql, type TransferKind, type TransferKindName } from './transfer-kinds.ts'

/** Optional columns for a check, in addition to kind, cause, both accounts and the amount. */
type ComparedColumn = 'created_at' | 'rule_version' | 'id' | 'posting_id' | 'key' | 'resolves'

/** A check of a module's rows against the transfers that these rows imply. */
export interface FactCheck {
  invariant: string
  title: string
  kinds: readonly TransferKindName[]
  compare: readonly ComparedColumn[]
  /**
   * A query with the columns kind, cause id, debited and credited account, amount, and the columns of `compare`. A query
   * over the ledger receives its source of transfers.
   */
  facts: string | ((transfers: string) => string)
}

/** SQL conditions on the facts and transfers of a check. */
interface Part {
  facts: string
  transfers: string
}

/**
 * Returns a check that the ledger has exactly the transfers that a module's rows imply. A comparison of both sets finds missing legs, wrong
 * accounts, amounts or causes, and duplicates. If the rows have a transfer time, the times must be equal too.
 */
export function factCheck(check: FactCheck): AuditCheck {
  const { invariant, title } = check
  const complete = { invariant, title, sql: differencesSql(check) }
  if (!check.compare.includes('created_at')) return complete
  return { ...complete, afterClose: { within: (window) => differencesSql(check, partOf(window)) } }
}

/** Selects the window's transfers at any time, and all transfers with a time in the window. */
const partOf = (window: AuditWindow): Part => ({
  facts: atSql('created_at', window),
  transfers: `${inSql('id', window.wide)} and (${inSql('id', window.own)} or ${atSql('created_at', window)})`,
})

/** SQL for the differences between facts and transfers. */
export function differencesSql({ kinds, compare, facts }: Omit<FactCheck, 'invariant' | 'title'>, part?: Part): string {
  const columns = ['kind', 'cause_id', 'debited', 'credited', 'amount', ...compare].join(', ')
  const ownColumns = compare.map((column) => `, ${column}`).join('')
  const transfers = `(select * from ledger_transfer where kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}) and ${part?.transfers ?? 'true'})`
  return `with fact as materialized (
      select * from (${typeof facts === 'string' ? facts : facts(transfers)}) recorded (${columns}) where ${part?.facts ?? 'true'}),
    moved as materialized (
      select kind, cause_id, ${accountSql('debit_account')} as debited, ${accountSql('credit_account')} as credited, amount${ownColumns} from ${transfers} t)
    select 'is not in the ledger' as what, a.* from (select ${columns} from fact except all select ${columns} from moved) a
    union all
    select 'has no such cause', b.* from (select ${columns} from moved except all select ${columns} from fact) b`
}

/**
 * Returns a check that the ledger has only declared kinds, each between the declared accounts and with the declared cause type. Only kinds
 * with `bringsNewMoney` may bring new money.
 */
export function closedListCheck(kinds: Readonly<Record<string, TransferKind>>): AuditCheck {
  const rows = Object.entries(kinds).flatMap(([kind, { cause, pairs }]) =>
    pairs.map(([from, to]) => `('${kind}', '${cause}', ${sideNumber(from)}, ${sideNumber(to)})`),
  )
  const bringing = Object.entries(kinds).flatMap(([kind, { bringsNewMoney }]) => (bringsNewMoney === true ? [`'${kind}'`] : []))
  return {
    invariant: 'I4',
    title: 'every transfer is of a declared kind, between its accounts and with its type of cause',
    afterClose: 'same',
    sql: `select m.* from (
        select kind, cause_type, ${sideSql('debit_account')} as debited, ${sideSql('credit_account')} as credited, count(*) as transfers,
          bool_or(new_money is not null and debit_account < 0) as brings
        from ledger_transfer group by 1, 2, 3, 4) m
      where m.brings and m.kind not in (${["''", ...bringing].join(', ')}) or not (m.kind = 'shardMove' and m.debited = m.credited and m.debited < 0)
        and not exists (select from (values ${rows.join(', ')}) k (kind, cause, debited, credited)
          where k.kind = m.kind and k.cause = m.cause_type and k.debited = m.debited and k.credited = m.credited)`,
  }
}

/** The coin supply is issued once (CO-21), to the shards of the stock. */
export const supplyCheck: AuditCheck = factCheck({
  invariant: 'I9',
  title: 'the supply was issued once: 15,000,000,000 coin in 16 equal parts',
  kinds: ['issue'],
  compare: ['created_at'],
  facts: `select 'issue', '1', ${systemSql('SYS-ISSUE', 'COIN')}, ${systemSql('SYS-COIN', 'COIN')}, 93750000000000000, timestamptz '2026-01-01 00:00:00+00'
    from generate_series(1, 16)`,
})
