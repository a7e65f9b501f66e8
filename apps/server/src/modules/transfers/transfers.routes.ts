import * as wire from '@tizara/contract/transfers'
import { answer, answers, type Bind } from '../../http/calls/bind-route.ts'
import { type OpenedTransfer, recordRejectedOutflow } from '../withdrawals/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { convertAll } from './convert-to-my-wallet.ts'
import { exchangeAll } from './exchange-to-my-wallet.ts'
import { findReceiver } from './find-receiver.ts'
import { moveAll } from './move-between-wallets.ts'
import { listPayees, namePayee } from './payees.ts'
import { readSalesFund } from './sales-fund.ts'
import { sellAll } from './sell-coin.ts'
import { leaveRequest, listRequests, withdrawRequest } from './sell-requests.ts'
import { sendToMembers } from './send-to-member.ts'
import { listExchanges } from './transfers.queries.ts'

const moved = (transfers: readonly (bigint | AppError)[], message: string) =>
  answers(transfers, (id) => answer({ receipt: { kind: 'transfer' as const, id: String(id) } }, message))

/**
 * Builds the response of a transfer. For a held one, the message tells the sender to confirm it, because generic clients read only that.
 */
const sent = ({ transferId, waiting }: OpenedTransfer) => {
  const data = { receipt: { kind: 'transfer' as const, id: String(transferId) } }
  if (waiting === undefined) return answer(data, 'Successfully transferred')
  return answer(
    { ...data, request: waiting.id, waitsUntil: waiting.until },
    'Please confirm this transfer with the link that we mailed you',
  )
}

export function transferRoutes(bind: Bind): void {
  bind.moneyBatch(
    wire.userToUserDeposit,
    async (tx, deps, calls) => {
      const payments = calls.map(({ viewer: { memberId, sessionId }, body: { stepUp, ...payment } }) => ({
        ...payment,
        senderId: memberId,
        stepUp: stepUp === undefined ? undefined : { token: stepUp, sessionId },
      }))
      return answers(await sendToMembers(tx, deps, payments), sent)
    },
    { onRejection: recordRejectedOutflow },
  )
  bind.withoutTransaction(wire.findReceiver, async ({ db, deps, viewer, body }) =>
    answer(await findReceiver(db, deps, { ...body, senderId: viewer.memberId })),
  )
  bind.read(wire.payees, async ({ db, deps, viewer }) => answer(await listPayees(db, viewer.memberId, deps.clock.now())))
  bind.write(wire.namePayee, async ({ tx, deps, viewer, body }) => {
    await namePayee(tx, deps, viewer.memberId, body)
    return answer(null, body.name === '' ? 'Removed' : 'Saved')
  })
  bind.moneyBatch(wire.swapNativeToMyWallet, async (tx, deps, calls) => {
    const moves = calls.map(({ viewer, body }) => ({ move: 'swapNative' as const, memberId: viewer.memberId, amount: body.amount }))
    return moved(await moveAll(tx, deps, moves), 'Successfully swapped')
  })
  bind.moneyBatch(wire.nftToDepositWallet, async (tx, deps, calls) => {
    const moves = calls.map(({ viewer, body }) => ({ move: 'nftToDeposit' as const, memberId: viewer.memberId, amount: body.amount }))
    return moved(await moveAll(tx, deps, moves), 'Successfully transferred')
  })
  bind.moneyBatch(wire.convertToMyWallet, async (tx, deps, calls) => {
    const conversions = calls.map(({ viewer, body, caller }) => ({ memberId: viewer.memberId, usd: body.usd, quoted: caller.quoted }))
    return moved(await convertAll(tx, deps, conversions), 'Successfully converted')
  })
  bind.moneyBatch(wire.myWalletToUsd, async (tx, deps, calls) => {
    const sales = calls.map(({ viewer, body, caller }) => ({
      memberId: viewer.memberId,
      wallet: 'icoWallet' as const,
      amount: body.amount,
      quoted: caller.quoted,
    }))
    return moved(await sellAll(tx, deps, sales), 'Successfully swapped to USD')
  })
  bind.moneyBatch(wire.withdrawRcmCoin, async (tx, deps, calls) => {
    const sales = calls.map(({ viewer, body, caller }) =>
      viewer.isSpecialRcm
        ? { memberId: viewer.memberId, wallet: 'rcmWallet' as const, amount: body.amount, quoted: caller.quoted }
        : new AppError('SPECIAL_MEMBERS_ONLY'),
    )
    return moved(await sellAll(tx, deps, sales), 'Successfully transferred to the deposit wallet')
  })
  bind.moneyBatch(wire.exchangeToMyWallet, async (tx, deps, calls) => {
    const inputs = calls.map(({ viewer, body }) => ({ memberId: viewer.memberId, amount: body.amount }))
    const say = (id: string) => answer({ receipt: { kind: 'exchange' as const, id } }, 'Successfully transferred to my wallet')
    return answers(await exchangeAll(tx, deps, inputs), say)
  })
  bind.read(wire.salesFund, async ({ db, deps }) => answer(await readSalesFund(db, deps.clock.now())))
  bind.write(wire.leaveSellRequest, async ({ tx, deps, viewer, body }) =>
    answer({ id: await leaveRequest(tx, deps, viewer.memberId, body) }, 'Your sell request was saved'),
  )
  bind.write(wire.withdrawSellRequest, async ({ tx, deps, viewer, body }) => {
    await withdrawRequest(tx, deps, viewer.memberId, body.id)
    return answer(null, 'Your sell request was withdrawn')
  })
  bind.read(wire.sellRequests, async ({ db, viewer }) => answer(await listRequests(db, viewer.memberId)))
  bind.read(wire.exchangeHistory, async ({ db, viewer, query }) => answer(await listExchanges(db, viewer, query)))
}
