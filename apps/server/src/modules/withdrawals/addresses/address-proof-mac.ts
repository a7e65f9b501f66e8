import { sql } from 'kysely'
import { type AuditResult, auditRows } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import { isMacOf, macOf } from '../../../platform/crypto/row-mac.ts'
import { addressKey, type Network } from './address.rules.ts'

/** How an address was proven: by the key of the account, or by the answer of a contract. */
export type ProvenBy = 'key' | 'contract'

/** MACs over proofs of payout addresses. A proof that SQL inserts, changes or copies counts for nothing. */
export const addressProofMacs: EncryptedColumn = { table: 'payout_address', key: 'id', column: 'proof_mac', purpose: 'address proofs' }

/** Proof as the database stores it, not yet verified (`address_proof` in functions.sql). */
export interface StoredProof {
  /** Public id of the entry in the address book. */
  id: string
  by: ProvenBy
  /** Milliseconds since 1970. */
  at: number
  /** Hexadecimal. */
  mac: string
}

interface Target {
  memberId: bigint
  network: number
  address: string
}

const macFields = ({ memberId, network, address }: Target, { id, by, at }: Omit<StoredProof, 'mac'>) => [
  id,
  memberId,
  network,
  addressKey(address, network as Network),
  by,
  at,
]

/** Computes the MAC over a proof. */
export const proofMac = (keys: DataKeys, target: Target, proof: Omit<StoredProof, 'mac'>): Buffer =>
  macOf(keys, addressProofMacs.purpose, macFields(target, proof))

/** Returns how a member proved an address; undefined without a proof, or if the proof was not written by the application. */
export function provenBy(keys: DataKeys, target: Target, proof: StoredProof | null): ProvenBy | undefined {
  if (proof === null) return undefined
  return isMacOf(keys, addressProofMacs.purpose, Buffer.from(proof.mac, 'hex'), macFields(target, proof)) ? proof.by : undefined
}

/** SQL: the stored proof of an entry `a` of the address book; null if it is not proven. */
export const storedProof = sql<StoredProof | null>`address_proof(a.public_id, a.proven_by, a.proven_at, a.proof_mac)`

/** SQL: the stored proof of the address of request `p`. */
export const addressProof = sql<StoredProof | null>`(select ${storedProof} from payout_address a where a.member_id = p.member_id
  and a.network = p.network and a.removed_at is null and a.address_key = case p.network when 2 then p.address else lower(p.address) end)`

const BATCH = 1000

/** Verifies the proofs in all address books for `ledger:audit`. A query cannot, because the database has no key. */
export const auditAddressProofs = (db: Db, keys: DataKeys): Promise<AuditResult> =>
  auditRows({ invariant: 'I7', title: 'each proof of a payout address was written by the application' }, async (after) => {
    const { rows } = await sql<Target & { rowId: bigint; proof: StoredProof }>`
      select a.id as "rowId", a.member_id as "memberId", a.network, a.address, ${storedProof} as proof from payout_address a
      where a.proven_at is not null and a.removed_at is null and a.id > ${after} order by a.id limit ${BATCH}`.execute(db)
    return rows.map((row) => ({ id: row.rowId, name: row.proof.id, holds: provenBy(keys, row, row.proof) !== undefined }))
  })
