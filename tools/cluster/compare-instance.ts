import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Order } from './depositor.ts'
import type { Verdict } from './staff-acts.ts'
import type { Acknowledged } from './acknowledged.ts'

interface Deposit {
  id: string
  key: string | null
  asked: boolean
  status: string
  amount: string
  credited: string
  credits: number
}

/** SQL: hosted payments with their credited amount, number of credits, and whether the provider issued an invoice. */
const DEPOSITS = `select d.public_id as id, d.idempotency_key as key, d.invoice_url is not null as asked, d.status, d.amount, d.credited,
    (select count(*)::int from payment_credit c join provider_payment p on p.payment_id = c.payment_id where p.deposit_id = d.id) as credits
  from deposit d where d.method = 'hosted'`
/** Maximum delay of a credit in ms. If a webhook is lost, the server polls the provider one minute later. */
const MAX_CREDIT_DELAY_MS = 180_000

/**
 * Compares members' hosted payments with the database. Each payment with a response must exist with an invoice, and each paid order must be
 * credited fully and once. The database may contain no payment that the member does not know.
 */
export async function depositDifferences(client: Client, orders: readonly Order[]): Promise<string[]> {
  const read = async () => (await client.query<Deposit>(DEPOSITS)).rows
  const paid = new Set(orders.filter((one) => one.isPaid).map((one) => one.invoiceId))
  let rows = await read()
  for (const began = performance.now(); performance.now() - began < MAX_CREDIT_DELAY_MS; rows = await read()) {
    if (rows.every((row) => !paid.has(row.id) || row.credits > 0)) break
    await pause(2_000)
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  const answered = new Set(orders.map((one) => one.invoiceId))
  return [
    ...orders.flatMap(({ invoiceId, call, status }) => {
      const row = byId.get(invoiceId)
      if (status !== 200 || (row?.key === call.key && row.asked)) return []
      return [`a payment was answered and is not there: ${invoiceId}`]
    }),
    ...rows.flatMap(({ id, asked, status, amount, credited, credits }) => {
      const due = paid.has(id) ? [amount, 1, 'APPROVE'] : ['0', 0, status]
      const isRight = credited === due[0] && credits === due[1] && status === due[2]
      return [
        ...(isRight
          ? []
          : [`payment ${id} of ${amount} was ${paid.has(id) ? '' : 'not '}paid, and ${credits} credits of it make ${credited}`]),
        ...(asked && status !== 'REJECT' && !answered.has(id) ? [`payment ${id} has an invoice, but no client got its answer`] : []),
      ]
    }),
  ]
}

/** Compares staff actions with the responses. An action without a response may have taken effect, but at most once. */
export async function staffActionDifferences(
  client: Client,
  acknowledged: readonly Acknowledged[],
  verdicts: readonly Verdict[],
): Promise<string[]> {
  const { rows: postings } = await client.query<{
    kind: string
    n: number
  }>(`select kind, count(distinct posting_id)::int as n from ledger_transfer
    where kind in ('rcmCredit', 'fundRewardPool', 'buyTokenReversed', 'stakeReversed', 'nftPurchaseReversed') group by 1`)
  const { rows: changes } = await client.query<{ id: string; status: string; subject: string }>(
    `select public_id as id, status, subject from staff_proposal where subject in ('purchase-reversal', 'credit')`,
  )
  const of = (...kinds: string[]) => postings.reduce((sum, { kind, n }) => (kinds.includes(kind) ? sum + n : sum), 0)
  const done = (name: string) => acknowledged.filter((one) => one.name === name && one.status === 200)
  const filed = (name: string) =>
    new Set(done(name).map(({ text }) => (JSON.parse(text) as { data: { proposalId: string } }).data.proposalId)).size
  const about = (subject: string) => changes.filter((one) => one.subject === subject)
  const approved = (subject: string) => about(subject).filter(({ status }) => status === 'APPROVED').length
  const counts: [what: string, reported: number, stored: number][] = [
    ['credits of RCM that were filed', filed('creditRcm'), about('credit').length],
    ['credits of RCM in force', approved('credit'), of('rcmCredit')],
    ['fundings of the pool', done('fundRewardPool').length, of('fundRewardPool')],
    ['purchase reversals that were filed', filed('reversePurchase'), about('purchase-reversal').length],
    ['purchase reversals in force', approved('purchase-reversal'), of('buyTokenReversed', 'stakeReversed', 'nftPurchaseReversed')],
  ]
  const expected = { approve: 'APPROVED', reject: 'REFUSED' } as const
  const byId = new Map(changes.map(({ id, status }) => [id, status]))
  return [
    ...counts.flatMap(([what, reported, stored]) =>
      reported === stored ? [] : [`${what}: ${reported} were answered and ${stored} are stored`],
    ),
    ...(of('rcmCredit') * of('fundRewardPool') * approved('purchase-reversal') === 0 ? ['staff credited, funded or undid nothing'] : []),
    ...verdicts.flatMap(({ proposalId, what, status }) =>
      status === 200 && byId.get(proposalId) !== expected[what]
        ? [`change ${proposalId}: ${what} was answered, and it is ${byId.get(proposalId)}`]
        : [],
    ),
    ...changes.flatMap(({ id, status }) =>
      status === 'PENDING' || status === 'OUTDATED' || verdicts.some((one) => one.proposalId === id && expected[one.what] === status)
        ? []
        : [`change ${id} is ${status}, and no client requested it`],
    ),
  ]
}

/** Returns the incidents that the platform recorded. A cluster fault must not start an emergency pause. */
export async function recordedIncidents(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select 'the platform paused itself: ' || why as text from ledger_stop
     union all select 'a red incident: ' || text from staff_incident where level = 'red'`,
  )
  return rows.map(({ text }) => text)
}
