import { sql } from 'kysely'
import { sendDue, type Sent } from '../../../gateways/chain/index.ts'
import { NO_GAS } from './sending-problem.ts'
import { signedSendings } from './open-sendings.queries.ts'
import type { Sender } from './sender.ts'

/**
 * Sends signed, unmined transactions to the node (`sendDue`).
 * @returns the number of sent transactions
 */
export async function broadcast(sender: Sender): Promise<number> {
  const open = (await sender.lease.read(signedSendings)).filter(({ state }) => state === 'SIGNED')
  return sendDue(sender, open, async (tx, results) => {
    const problems = results.flatMap(({ owner, sent }) => {
      const problem = problemIn(sent)
      return problem === undefined ? [] : [{ id: owner.requestId, problem }]
    })
    await sql`
      update payout_sending s set problem = w.problem
      from unnest(${problems.map(({ id }) => id)}::bigint[], ${problems.map(({ problem }) => problem)}::text[]) as w (id, problem)
      where s.request_id = w.id`.execute(tx)
  })
}

/** Returns the problem shown to staff; undefined for a used nonce and a low fee, which the job resolves from the state of the chain. */
function problemIn(sent: Sent): string | undefined {
  if (typeof sent === 'object') return `the node refuses it: ${sent.refused}`
  return sent === 'no gas' ? NO_GAS : undefined
}
