import { sql } from 'kysely'
import type { ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** Progress of the scan of the provider's list, and payments that only the provider or only the platform has. */
export interface ProviderScan {
  scannedAt: Date
  listedTo: Date
  monthAt: Date
  /** Provider payments without an order here, and credited payments unknown to the provider. */
  unknown: string[]
  missing: string[]
}

/** Returns undefined before the first scan. */
export async function lastScan(db: Db): Promise<ProviderScan | undefined> {
  const { rows } = await sql<ProviderScan>`
    select scanned_at as "scannedAt", listed_to as "listedTo", month_at as "monthAt", unknown, missing from provider_scan`.execute(db)
  return rows[0]
}

export async function saveScan(tx: Tx, { scannedAt, listedTo, monthAt, unknown, missing }: ProviderScan): Promise<void> {
  await sql`
    insert into provider_scan (scanned_at, listed_to, month_at, unknown, missing)
    values (${scannedAt}, ${listedTo}, ${monthAt}, ${unknown}::text[], ${missing}::text[])
    on conflict (one) do update set scanned_at = excluded.scanned_at, listed_to = excluded.listed_to, month_at = excluded.month_at,
      unknown = excluded.unknown, missing = excluded.missing`.execute(tx)
}

/** Maps payments to their orders, and reports whether the provider's data is new. An existing order link wins over the list. */
export async function ordersOf(db: Db, payments: readonly ProviderPayment[]): Promise<Map<string, { depositId: bigint; news: boolean }>> {
  const column = <T>(of: (payment: ProviderPayment) => T) => payments.map(of)
  const { rows } = await sql<{ id: string; depositId: bigint; news: boolean }>`
    select l.id, d.id as "depositId", (p.status, p.paid_text, p.pay_currency) is distinct from (l.status, l.paid, l.currency) as news
    from unnest(${column(({ paymentId }) => paymentId)}::text[], ${column(({ orderId }) => orderId)}::text[], ${column(({ status }) => status)}::text[],
      ${column(({ paidText }) => paidText)}::text[], ${column(({ payCurrency }) => payCurrency)}::text[]) l (id, order_id, status, paid, currency)
    join deposit d on d.public_id = l.order_id and d.method = 'hosted'
    left join provider_payment p on p.payment_id = l.id`.execute(db)
  return new Map(rows.map(({ id, ...order }) => [id, order]))
}

/** Returns provider payments credited to orders opened within a range, newest first. Manual credits are excluded. */
export async function creditedSince(db: Db, from: Date, to: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct c.payment_id as id from deposit d join provider_payment p on p.deposit_id = d.id
    join payment_credit c on c.payment_id = p.payment_id
    where d.method = 'hosted' and d.created_at >= ${from} and c.credited_at < ${to} and p.payment_id <> 'hand-' || d.public_id`.execute(db)
  return rows.map(({ id }) => id)
}
