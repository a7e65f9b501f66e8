import { type Selectable, sql } from 'kysely'
import { type AuditResult, auditRows, type AuditWindow, atSql, type AuditedRow } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import type { PayoutRequestTable } from '../../platform/db/tables.generated.ts'
import { hasNoForgedFirstApproval, hasValidOwnerMac } from './payout-mac.ts'
import { type ApprovedPayment, isApproved } from './sending/approval-mac.ts'

const BATCH = 1000
const FIRST_PLATFORM_PAYOUT = -(2n ** 63n - 1n)

/**
 * Verifies row MACs for `ledger:audit`. A query cannot, because the database has no key.
 * @param window starts with the oldest payout open in it; all rows if omitted
 */
export async function auditPayoutMacs(db: Db, keys: DataKeys, window?: AuditWindow): Promise<AuditResult[]> {
  const first = window === undefined ? 0n : await firstOf(db, window)
  return [
    await auditRows(
      {
        invariant: 'I7',
        title: 'each payout is as its owner requested and confirmed it, and as its first approver approved it',
      },
      (after) => requests(db, keys, after),
      first,
    ),
    await auditRows({ invariant: 'I7', title: 'each queued payment is as approved' }, (after) => payments(db, keys, after), first),
    // Cold moves and payment returns have negative ids and are few, so each audit reads all of them.
    await auditRows(
      { invariant: 'I7', title: 'each cold move and each payment return is as approved' },
      (after) => payments(db, keys, after, 0n),
      FIRST_PLATFORM_PAYOUT,
    ),
  ]
}

async function firstOf(db: Db, window: AuditWindow): Promise<bigint> {
  const found = await sql<{ id: bigint | null }>`select least(
    (select min(id) from payout_request where ${sql.raw(atSql('created_at', window))}),
    (select min(id) from payout_request where ${sql.raw(atSql('decided_at', window))}),
    (select min(id) from payout_request where status = 'PENDING' and confirmed_at is null),
    (select min(id) from payout_request where status = 'PENDING' and confirmed_at is not null)) as id`.execute(db)
  const { rows } =
    found.rows[0]?.id === null ? await sql<{ id: bigint | null }>`select max(id) + 1 as id from payout_request`.execute(db) : found
  return (rows[0]?.id ?? 1n) - 1n
}

async function requests(db: Db, keys: DataKeys, after: bigint): Promise<AuditedRow[]> {
  const { rows } = await sql<Selectable<PayoutRequestTable>>`
    select * from payout_request where id > ${after} order by id limit ${BATCH}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.public_id,
    isValid: hasValidOwnerMac(keys, row) && hasNoForgedFirstApproval(keys, row),
  }))
}

/** @param below ids end before it */
async function payments(db: Db, keys: DataKeys, after: bigint, below = 2n ** 63n - 1n): Promise<AuditedRow[]> {
  const { rows } = await sql<Omit<ApprovedPayment, 'amount'> & { id: bigint; amount: string; mac: Buffer }>`
    select s.request_id as id, p.public_id as "payoutId", s.chain_id::int as "chainId", s.token, s.to_address as "to",
      s.exact_amount::text as amount, s.approval_mac as mac
    from payout_sending s join sent_order p on p.id = s.request_id where s.request_id > ${after} and s.request_id < ${below} order by s.request_id limit ${BATCH}`.execute(
    db,
  )
  return rows.map(({ id, mac, ...row }) => ({
    id,
    name: row.payoutId,
    isValid: isApproved(keys, { ...row, amount: BigInt(row.amount) }, mac),
  }))
}
