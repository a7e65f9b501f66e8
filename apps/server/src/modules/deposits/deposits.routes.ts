import {
  createInvoice as createInvoiceRoute,
  createPayment as createPaymentRoute,
  depositRequests,
  getInvoice,
  getPaymentStatus,
  myDeposits,
  myReturnable,
  paymentNotice,
  payInSandbox as payInSandboxRoute,
  requestReturn as requestReturnRoute,
} from '@tizara/contract/deposits'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { createInvoice } from './invoices/create-invoice.ts'
import { createPayment } from './provider/create-payment.ts'
import { listDepositRequests, listPayments } from './deposits.queries.ts'
import { readInvoice, readPaymentStatus } from './invoices/invoice.queries.ts'
import { payInSandbox } from './provider/pay-in-sandbox.ts'
import type { DepositPorts } from './ports.ts'
import { receiveNotice } from './provider/receive-notice.ts'
import { readOwnReturnable, requestReturn } from './returns/request-return.ts'

/** Binds the routes for deposits and the invoice service. */
export function depositRoutes(bind: Bind, ports: DepositPorts): void {
  bind.withoutTransaction(createPaymentRoute, async ({ db, deps, viewer, body, caller }) => {
    const invoice = await createPayment(db, deps, ports, { memberId: viewer.memberId, amount: body.amount, key: caller.idempotencyKey })
    return answer({ invoice_url: invoice.invoiceUrl, invoice_id: invoice.invoiceId })
  })
  bind.withoutTransaction(paymentNotice, async ({ db, deps, caller }) => {
    const signature = caller.request.headers['x-nowpayments-sig']
    await receiveNotice(db, deps, ports, { body: caller.request.body, signature: typeof signature === 'string' ? signature : undefined })
    return answer({ ok: true })
  })
  bind.read(depositRequests, async ({ db, viewer, query }) => answer(await listDepositRequests(db, viewer.memberId, query)))
  bind.read(myDeposits, async ({ db, viewer, query }) => answer(await listPayments(db, viewer.memberId, query)))
  bind.money(createInvoiceRoute, async ({ tx, deps, viewer, body }) => {
    const { invoiceId } = await createInvoice(tx, deps, ports, {
      memberId: viewer.memberId,
      amount: body.amount,
      asset: body.asset === 'usd' ? 'USD' : 'COIN',
    })
    return answer({ data: { invoice_id: invoiceId } })
  })
  bind.read(myReturnable, async ({ db, deps, viewer, params }) =>
    answer({ returnable: await readOwnReturnable(db, deps, { memberId: viewer.memberId, deposit: params.id }) }),
  )
  bind.write(requestReturnRoute, async ({ tx, deps, viewer, params, body, caller: { ip, requestId } }) => {
    await requestReturn(tx, deps, { ...body, memberId: viewer.memberId, deposit: params.id, ip, requestId })
    return answer(null, 'Our staff will decide about the return')
  })
  bind.read(getInvoice, async ({ db, deps, params }) => answer(await readInvoice(db, deps, ports, params.id)))
  bind.read(getPaymentStatus, async ({ db, deps, params }) => answer(await readPaymentStatus(db, deps, ports, params.id)))
  const { sandboxWallet } = ports
  if (sandboxWallet !== undefined) {
    bind.withoutTransaction(payInSandboxRoute, async ({ db, deps, params, body }) => {
      await payInSandbox(db, deps, sandboxWallet, { invoiceId: params.id, outcome: body.outcome })
      return answer({ ok: true })
    })
  }
}
