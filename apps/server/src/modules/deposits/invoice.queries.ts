import type { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { INVOICE_CONFIRMATIONS, type ReplyOf } from '@tizara/contract'
import { sql } from 'kysely'
import type { ChainGateway } from '../../gateways/chain/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { type InvoiceState, pageStatus } from './invoice-state.rules.ts'

/** What anyone with the id may know of an invoice: nothing about the member. */
async function publicFacts(db: Db, invoiceId: string) {
  const invoice = await db
    .selectFrom('deposit')
    .select(['amount', 'description', 'created_at', 'expires_at', 'address', 'state', 'state_reason'])
    .select((eb) => [
      eb
        .selectFrom('invoice_transfer')
        .whereRef('deposit_id', '=', 'deposit.id')
        .where('is_live', '=', true)
        .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('received'))
        .as('received'),
      // The youngest transfer decides how much longer it takes.
      eb
        .selectFrom('invoice_transfer')
        .whereRef('deposit_id', '=', 'deposit.id')
        .where('is_live', '=', true)
        .select((inner) => inner.fn.min('confirmations').as('confirmations'))
        .as('confirmations'),
    ])
    .where('public_id', '=', invoiceId)
    .where('way', '=', 'chain')
    .executeTakeFirst()
  if (invoice === undefined || invoice.address === null || invoice.expires_at === null) throw new AppError('NOT_FOUND')
  return {
    ...invoice,
    address: invoice.address,
    expires: invoice.expires_at,
    state: invoice.state as InvoiceState,
    received: invoice.received ?? 0n,
    confirmations: invoice.confirmations ?? 0,
  }
}

/**
 * The invoice as its page shows it (API-95, EN-54). Public: no member data.
 * @throws AppError NOT_FOUND
 */
export async function readInvoice(db: Db, deps: Deps, chain: ChainGateway | null, invoiceId: string): Promise<ReplyOf<typeof getInvoice>> {
  const invoice = await publicFacts(db, invoiceId)
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
          chain_id: chain.token.chainId,
          token_address: chain.token.address,
          token_decimals: chain.token.decimals,
          sandbox: chain.sandbox,
        }),
  }
}

/**
 * How far an invoice is (API-94, ST-66 to ST-69). Public: no member data.
 * @throws AppError NOT_FOUND
 */
export async function readPaymentStatus(db: Db, deps: Deps, invoiceId: string): Promise<ReplyOf<typeof getPaymentStatus>> {
  const invoice = await publicFacts(db, invoiceId)
  return {
    ...pageStatus(invoice.state),
    state: invoice.state,
    reason: invoice.state_reason ?? 'none',
    confirmations: invoice.confirmations,
    received: invoice.received,
    expires_at: invoice.expires,
    server_time: deps.clock.now(),
  }
}
