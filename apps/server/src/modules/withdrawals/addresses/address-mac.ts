import { sql } from 'kysely'
import { type AuditResult, auditRows } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import { isMacOf, macOf } from '../../../platform/crypto/row-mac.ts'
import { addressKey, type Network } from './address.rules.ts'

/** How an address was proven: by the key of the account, or by the answer of a contract. */
export type ProvenBy = 'key' | 'contract'

/** MACs over entries of address books. A confirmation or proof that SQL inserts, changes or copies counts for nothing. */
export const addressMacs: EncryptedColumn = { table: 'payout_address', key: 'id', column: 'entry_mac', purpose: 'payout addresses' }

/** Fields of an entry that its MAC covers, besides its member and address. Times are milliseconds since 1970. */
interface EntryState {
  /** Public id of the entry in the address book. */
  id: string
  /** Time of the member's confirmation; null while the entry waits for it. */
  confirmedAt: number | null
  /** End of the delay after the confirmation. */
  usableFrom: number | null
  by: ProvenBy | null
  /** Time of the proof. */
  at: number | null
}

/** Entry as the database stores it, not yet verified (`address_entry` in functions.sql). */
export interface StoredEntry extends EntryState {
  /** Hexadecimal. */
  mac: string | null
}

interface Target {
  memberId: bigint
  network: number
  address: string
}

const macFields = ({ memberId, network, address }: Target, { id, confirmedAt, usableFrom, by, at }: EntryState) => [
  id,
  memberId,
  network,
  addressKey(address, network as Network),
  confirmedAt ?? 'unconfirmed',
  usableFrom ?? 'unconfirmed',
  by ?? 'unproven',
  at ?? 'unproven',
]

/** Computes the MAC over an entry, its confirmation and its proof. */
export const entryMac = (keys: DataKeys, target: Target, entry: EntryState): Buffer =>
  macOf(keys, addressMacs.purpose, macFields(target, entry))

/** Returns true if the application wrote the confirmation and the proof of an entry, or if it has neither (null). */
export const isGenuine = (keys: DataKeys, target: Target, entry: StoredEntry | null): boolean =>
  entry === null || (entry.mac !== null && isMacOf(keys, addressMacs.purpose, Buffer.from(entry.mac, 'hex'), macFields(target, entry)))

/** @throws AppError ADDRESS_FORGED if the application did not write the confirmation and the proof of an entry */
export function assertGenuine(keys: DataKeys, target: Target, entry: StoredEntry | null): void {
  if (!isGenuine(keys, target, entry)) throw new AppError('ADDRESS_FORGED')
}

/** Returns true if payouts to an entry need no confirmation at a moment: its member confirmed it, and its delay is over. */
export const isUsable = (keys: DataKeys, target: Target, entry: StoredEntry | null, now: Date): boolean =>
  entry !== null && entry.usableFrom !== null && entry.usableFrom <= now.getTime() && isGenuine(keys, target, entry)

/** Returns how a member proved an address; undefined without a proof, or if the proof was not written by the application. */
export const provenBy = (keys: DataKeys, target: Target, entry: StoredEntry | null): ProvenBy | undefined =>
  entry !== null && entry.by !== null && isGenuine(keys, target, entry) ? entry.by : undefined

/** SQL: the entry `a` of the address book; null if it is neither confirmed nor proven. */
export const storedEntry = sql<StoredEntry | null>`address_entry(a.public_id, a.confirmed_at, a.usable_from, a.proven_by, a.proven_at, a.entry_mac)`

/** SQL: the entry with the address of request `p` in its member's book. */
export const entryOfRequest = sql<StoredEntry | null>`(select ${storedEntry} from payout_address a where a.member_id = p.member_id
  and a.network = p.network and a.removed_at is null and a.address_key = case p.network when 2 then p.address else lower(p.address) end)`

const BATCH = 1000

/** Verifies the entries of all address books for `ledger:audit`. A query cannot, because the database has no key. */
export const auditAddresses = (db: Db, keys: DataKeys): Promise<AuditResult> =>
  auditRows({ invariant: 'I7', title: 'each confirmation and proof of a payout address was written by the application' }, async (after) => {
    const { rows } = await sql<Target & { rowId: bigint; entry: StoredEntry }>`
      select a.id as "rowId", a.member_id as "memberId", a.network, a.address, ${storedEntry} as entry from payout_address a
      where (a.confirmed_at is not null or a.proven_at is not null) and a.removed_at is null and a.id > ${after}
      order by a.id limit ${BATCH}`.execute(db)
    return rows.map((row) => ({ id: row.rowId, name: row.entry.id, isValid: isGenuine(keys, row, row.entry) }))
  })
