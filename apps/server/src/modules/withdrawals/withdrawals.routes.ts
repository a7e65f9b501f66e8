import * as wire from '@tizara/contract/withdrawals'
import { answer, answers, type Bind, type Caller } from '../../http/calls/bind-route.ts'
import type { Viewer } from '../../http/calls/session-guard.ts'
import { guardRoutes } from './guard/guard.routes.ts'
import type { FiledRequest } from './hold-requests.ts'
import { recordRejectedOutflow } from './guard/record-rejected-outflow.ts'
import { requestBridges } from './request-bridge.ts'
import { requestWithdrawals } from './request-withdrawal.ts'
import { listBridges, listWithdrawals } from './withdrawals.queries.ts'

/** Builds the request context: the member, the quoted amount and the step-up proof. */
const contextOf = ({ memberId, sessionId }: Viewer, { quoted }: Caller, token: string | undefined) => ({
  memberId,
  quoted,
  stepUp: token === undefined ? undefined : { token, sessionId },
})

const receiptOf = <const Kind extends string>(kind: Kind, { id, waitsUntil }: FiledRequest) => ({
  receipt: { kind, id },
  ...(waitsUntil === undefined ? {} : { waitsUntil }),
})

/** Adds to the success text that the request waits. */
const successText = (success: string, { waitsUntil }: FiledRequest): string =>
  waitsUntil === undefined ? success : `${success}. It waits for your confirmation`

const GUARDED = { onRejection: recordRejectedOutflow }

export function withdrawalRoutes(bind: Bind): void {
  guardRoutes(bind)
  bind.moneyBatch(
    wire.withdrawDeposit,
    async (tx, deps, calls) => {
      const inputs = calls.map(({ viewer, body: { stepUp, ...input }, caller }) => ({ ...input, ...contextOf(viewer, caller, stepUp) }))
      return answers(await requestWithdrawals(tx, deps, inputs), (one) =>
        answer(receiptOf('withdrawal', one), successText('Withdraw request success', one)),
      )
    },
    GUARDED,
  )
  bind.moneyBatch(
    wire.bridge,
    async (tx, deps, calls) => {
      const inputs = calls.map(({ viewer, body: { to: address, stepUp, ...input }, caller }) => ({
        ...input,
        address,
        ...contextOf(viewer, caller, stepUp),
      }))
      return answers(await requestBridges(tx, deps, inputs), (one) =>
        answer(receiptOf('bridge', one), successText('Bridged Request success', one)),
      )
    },
    GUARDED,
  )
  bind.read(wire.bridgeHistory, async ({ db, deps, viewer, query }) => answer(await listBridges(db, deps, viewer.memberId, query)))
  bind.read(wire.withdrawalHistory, async ({ db, deps, viewer, query }) => answer(await listWithdrawals(db, deps, viewer, query)))
}
