import type { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { INVOICE_CONFIRMATIONS, type ReplyOf } from '@tizara/contract'
import { sql } from 'kysely'
import type { TokenAsset } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type InvoiceState, pageStatus } from './invoice-state.rules.ts'
import type { DepositPorts } from '../ports.ts'

/** Returns the row of an invoice for the public page, without member data. */
async function publicFacts(db: Db, invoiceId: string) {
  const invoice = await db
    .selectFrom('deposit')
    .select(['id', 'amount', 'asset', 'description', 'created_at', 'expires_at', 'address', 'state', 'state_reason'])
    .select((eb) => [
      eb
        .selectFrom('invoice_transfer')
        .whereRef('deposit_id', '=', 'deposit.id')
        .whereRef('invoice_transfer.asset', '=', 'deposit.asset')
        .where('is_live', '=', true)
        .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('received'))
        .as('received'),
      // The youngest transfer determines the remaining time.
      eb
        .selectFrom('invoice_transfer')
        .whereRef('deposit_id', '=', 'deposit.id')
        .whereRef('invoice_transfer.asset', '=', 'deposit.asset')
        .where('is_live', '=', true)
        .select((inner) => inner.fn.min('confirmations').as('confirmations'))
        .as('confirmations'),
    ])
    .where('public_id', '=', invoiceId)
    .where('method', '=', 'chain')
    .executeTakeFirst()
  if (invoice === undefined || invoice.address === null || invoice.expires_at === null) throw new AppError('NOT_FOUND')
  return {
    ...invoice,
    address: invoice.address,
    expires: invoice.expires_at,
    asset: invoice.asset as TokenAsset,
    state: invoice.state as InvoiceState,
    received: invoice.received ?? 0n,
    confirmations: invoice.confirmations ?? 0,
  }
}

/**
 * Returns the invoice for the public page, without member data (API-95, EN-54).
 * @throws AppError NOT_FOUND, also if the invoice's address was not assigned to it
 */
export async function readInvoice(
  db: Db,
  deps: Deps,
  { chain, sandboxWallet }: Pick<DepositPorts, 'chain' | 'sandboxWallet'>,
  invoiceId: string,
): Promise<ReplyOf<typeof getInvoice>> {
  const invoice = await publicFacts(db, invoiceId)
  // Hides an open invoice with a foreign address, so that members never pay there. An expired invoice asks for no payment, so it is shown.
  if (chain !== null && invoice.expires > deps.clock.now() && !(await chain.isGiven(db, invoice.address, invoiceId))) {
    deps.log.error({ invoice: invoiceId, address: invoice.address }, 'an invoice has an address that was not assigned to it')
    throw new AppError('NOT_FOUND')
  }
  return {
    wallet_address: invoice.address,
    amount: invoice.amount,
    token_name: invoice.description,
    created_at: invoice.created_at,
    expires_at: invoice.expires,
    server_time: deps.clock.now(),
    received: invoice.received,
    confirmations: invoice.confirmations,
    required_confirmations: INVOICE_CONFIRMATIONS,
    ...(chain === null
      ? {}
      : {
          chain_id: chain.chainId,
          token_address: chain.tokens[invoice.asset]?.address,
          token_decimals: chain.tokens[invoice.asset]?.decimals,
          sandbox: sandboxWallet !== undefined,
        }),
  }
}

/**
 * Returns an invoice's payment progress, without member data (API-94, ST-66 to ST-69).
 * @throws AppError NOT_FOUND
 */
export async function readPaymentStatus(
  db: Db,
  deps: Deps,
  { chain }: Pick<DepositPorts, 'chain'>,
  invoiceId: string,
): Promise<ReplyOf<typeof getPaymentStatus>> {
  const invoice = await publicFacts(db, invoiceId)
  return {
    ...pageStatus(invoice.state),
    state: invoice.state,
    reason: invoice.state_reason ?? 'none',
    confirmations: invoice.confirmations,
    received: invoice.received,
    expires_at: invoice.expires,
    server_time: deps.clock.now(),
    not_counted: await readUncredited(db, chain, invoice),
    waits_for: await waitsFor(db, chain, invoice, deps.clock.now()),
  }
}

/**
 * Returns what delays an open invoice or a payment without credit, apart from the usual confirmations; undefined if nothing does.
 */
async function waitsFor(
  db: Db,
  chain: DepositPorts['chain'],
  { id, address, state }: { id: bigint; address: string; state: InvoiceState },
  now: Date,
) {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from invoice_transfer where deposit_id = ${id} and is_live and credited_at is null and held is null) as open`.execute(
    db,
  )
  if (rows[0]?.open !== true && state !== 'awaiting' && state !== 'partial') return undefined
  return chain?.awaited(db, address, now)
}

/** Returns money at an invoice's address without an automatic credit, or undefined. */
async function readUncredited(db: Db, chain: DepositPorts['chain'], { id, address }: { id: bigint; address: string }) {
  const { rows } = await sql<{ other: bigint; late: bigint; differing: bigint }>`
    select coalesce(sum(t.amount) filter (where t.asset <> d.asset and t.held is distinct from 'BALANCE_DIFFERS'), 0)::bigint as other,
      coalesce(sum(t.amount) filter (where t.held = 'BALANCE_DIFFERS'), 0)::bigint as differing,
      coalesce(sum(t.amount) filter (where t.held = 'TOO_LATE'), 0)::bigint as late
    from invoice_transfer t join deposit d on d.id = t.deposit_id
    where t.deposit_id = ${id} and t.is_live and t.credited_at is null`.execute(db)
  const { other = 0n, late = 0n, differing = 0n } = rows[0] ?? {}
  const dust = (await chain?.dustAt(db, address)) ?? 0n
  if (other + late + differing + dust === 0n) return undefined
  return { other_token: other, too_late: late, ...(differing === 0n ? {} : { balance_differs: differing }), dust }
}

/** Returns true if an open invoice must be checked now or within two seconds. */
export async function hasOpenInvoices(db: Db, now: Date): Promise<boolean> {
  // Active invoices are checked every second, so the next check of each lies within two seconds.
  const soon = new Date(now.getTime() + 2_000)
  const found = await sql`
    select from deposit where method = 'chain' and next_check_at <= ${soon} and state in ('awaiting', 'partial', 'confirming') limit 1`.execute(
    db,
  )
  return found.rows.length > 0
}
