import * as wire from '@tizara/contract/transfers'
import { answer, type Bind } from '../../http/bind-route.ts'
import { AppError } from '../../platform/app-error.ts'
import { convertToMyWallet } from './convert-to-my-wallet.ts'
import { exchangeToMyWallet } from './exchange-to-my-wallet.ts'
import { moveBetweenWallets } from './move-between-wallets.ts'
import { sellCoin } from './sell-coin.ts'
import { sendToMembers } from './send-to-member.ts'
import { listExchanges } from './transfers.queries.ts'

const moved = (transferId: bigint, message: string) => answer({ receipt: { kind: 'transfer' as const, id: String(transferId) } }, message)

/** Binds the calls of this capability. */
export function transferRoutes(bind: Bind): void {
  bind.grouped(wire.userToUserDeposit, async (tx, deps, calls) => {
    const payments = calls.map(({ viewer, body }) => ({ senderId: viewer.memberId, amount: body.amount, email: body.email }))
    const sent = await sendToMembers(tx, deps, payments)
    return sent.map((one) => (one instanceof AppError ? one : moved(one, 'Successfully transferred')))
  })
  bind.write(wire.swapNativeToMyWallet, async ({ tx, deps, viewer, body }) =>
    moved(
      await moveBetweenWallets(tx, deps, { move: 'swapNative', memberId: viewer.memberId, amount: body.amount }),
      'Successfully swapped',
    ),
  )
  bind.write(wire.nftToDepositWallet, async ({ tx, deps, viewer, body }) =>
    moved(
      await moveBetweenWallets(tx, deps, { move: 'nftToDeposit', memberId: viewer.memberId, amount: body.amount }),
      'Successfully transferred',
    ),
  )
  bind.write(wire.convertToMyWallet, async ({ tx, deps, viewer, body, caller }) =>
    moved(await convertToMyWallet(tx, deps, { memberId: viewer.memberId, usd: body.usd, quoted: caller.quoted }), 'Successfully converted'),
  )
  bind.write(wire.myWalletToUsd, async ({ tx, deps, viewer, body, caller }) =>
    moved(
      await sellCoin(tx, deps, { memberId: viewer.memberId, wallet: 'icoWallet', amount: body.amount, quoted: caller.quoted }),
      'Successfully swapped to USD',
    ),
  )
  bind.write(wire.withdrawRcmCoin, async ({ tx, deps, viewer, body, caller }) => {
    if (!viewer.isSpecialRcm) throw new AppError('SPECIAL_MEMBERS_ONLY')
    const id = await sellCoin(tx, deps, { memberId: viewer.memberId, wallet: 'rcmWallet', amount: body.amount, quoted: caller.quoted })
    return moved(id, 'Successfully transferred to the deposit wallet')
  })
  bind.write(wire.exchangeToMyWallet, async ({ tx, deps, viewer, body }) => {
    const id = await exchangeToMyWallet(tx, deps, { memberId: viewer.memberId, amount: body.amount })
    return answer({ receipt: { kind: 'exchange', id } }, 'Successfully transferred to my wallet')
  })
  bind.read(wire.exchangeHistory, async ({ db, viewer, query }) => answer(await listExchanges(db, viewer, query)))
}
