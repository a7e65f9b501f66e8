import { payersOf } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { membersById } from '../members/index.ts'

interface Row {
  event: string
  facts: unknown
}

/** Returns the first name with the initial of the last one, such as `Lena H.` */
function shortName(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/)
  const [initial] = others.at(-1) ?? ''
  return initial === undefined ? first : `${first} ${initial.toUpperCase()}.`
}

const transferOf = ({ event, facts }: Row): bigint | undefined => {
  const id = event === 'received' ? String((facts as { transfer?: unknown }).transfer) : ''
  return /^\d{1,18}$/.test(id) ? BigInt(id) : undefined
}

/**
 * Adds the sender's short name to notifications about received transfers. The name is read from the account of the ledger's transfer and
 * not stored, so an erased account is never named.
 */
export async function nameSenders<Notice extends Row>(db: Db, rows: readonly Notice[]): Promise<Notice[]> {
  const transfers = rows.flatMap((row) => transferOf(row) ?? [])
  if (transfers.length === 0) return [...rows]
  const payers = await payersOf(db, transfers)
  const people = await membersById(db, [...new Set(payers.values())])
  return rows.map((row) => {
    const member = people.get(payers.get(transferOf(row) ?? 0n) ?? 0n)
    if (member === undefined || member.erased_at !== null) return row
    return { ...row, facts: { ...(row.facts as object), sender: shortName(member.name) } }
  })
}
