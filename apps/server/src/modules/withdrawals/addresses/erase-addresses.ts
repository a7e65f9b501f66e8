import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { replaceReceivers } from '../../../gateways/chain/index.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { hasValidOwnerMac, ownerMac } from '../payout-mac.ts'
import { approvalMac, isApproved } from '../sending/approval-mac.ts'

/**
 * Replaces the addresses of an erased member's payouts, payment returns and their transactions, each by one random address, so that all
 * rules about equal addresses still hold. Computes their MACs again where the earlier one was valid, so that the audit still finds forged
 * rows. The caller has checked that no payout is open, and has marked the member as erased.
 * @returns the replaced addresses, as the member entered them, with their replacements
 */
export async function eraseAddresses(tx: Tx, keys: DataKeys, memberId: bigint): Promise<Map<string, string>> {
  const replaced = new Map<string, string>()
  const byKey = new Map<string, string>()
  const replace = (address: string): string => {
    const key = address.toLowerCase()
    // Twelve zero bytes show a reader of the database that it is no real address.
    const other = byKey.get(key) ?? `0x${'0'.repeat(24)}${randomBytes(8).toString('hex')}`
    byKey.set(key, other)
    replaced.set(address, other)
    return other
  }
  const requests = await tx
    .selectFrom('payout_request')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('kind', '<>', 'transfer')
    .execute()
  const requested = requests.map((row) => {
    const after = { ...row, address: replace(row.address) }
    return {
      id: row.id,
      address: after.address,
      mac: (hasValidOwnerMac(keys, row) ? ownerMac(keys, after) : row.owner_mac).toString('hex'),
    }
  })
  await sql`update payout_request r set address = n.address, owner_mac = decode(n.mac, 'hex')
    from json_to_recordset(${asJson(requested)}::json) n (id bigint, address text, mac text) where r.id = n.id`.execute(tx)
  const returned = await tx.selectFrom('payment_return').select(['id', 'address']).where('member_id', '=', memberId).execute()
  await sql`update payment_return r set address = n.address from json_to_recordset(${asJson(
    returned.map(({ id, address }) => ({ id, address: replace(address) })),
  )}::json) n (id bigint, address text) where r.id = n.id`.execute(tx)
  await eraseSendings(
    tx,
    keys,
    [...requests, ...returned].map(({ id }) => id),
    replace,
  )
  const booked = await tx.selectFrom('payout_address').select('address').where('member_id', '=', memberId).execute()
  for (const { address } of booked) replace(address)
  return replaced
}

async function eraseSendings(tx: Tx, keys: DataKeys, ids: readonly bigint[], replace: (address: string) => string): Promise<void> {
  const { rows } = await sql<{ id: bigint; payoutId: string; chainId: number; token: string; to: string; amount: string; mac: Buffer }>`
    select s.request_id as id, p.public_id as "payoutId", s.chain_id::int as "chainId", s.token, s.to_address as "to",
      s.exact_amount::text as amount, s.approval_mac as mac
    from payout_sending s join sent_order p on p.id = s.request_id where s.request_id = any(${[...ids]}::bigint[])`.execute(tx)
  const sent = rows.map(({ id, mac, amount, ...row }) => {
    const before = { ...row, amount: BigInt(amount) }
    const after = { ...before, to: replace(row.to) }
    return { id, before: row.to, after: after.to, mac: (isApproved(keys, before, mac) ? approvalMac(keys, after) : mac).toString('hex') }
  })
  await sql`update payout_sending s set to_address = n.after, approval_mac = decode(n.mac, 'hex')
    from json_to_recordset(${asJson(sent)}::json) n (id bigint, after text, mac text) where s.request_id = n.id`.execute(tx)
  await replaceReceivers(tx, sent)
}

const asJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
