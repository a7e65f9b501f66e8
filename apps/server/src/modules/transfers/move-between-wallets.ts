import type { Units } from '@tizara/money'
import { post, type WalletKind } from '../../ledger/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { firstId } from './send-to-member.ts'

/** The moves between a member's own wallets of one asset, 1:1 and without fee. */
const MOVES = {
  swapNative: { from: 'nativeWallet', to: 'icoWallet' },
  nftToDeposit: { from: 'nftWallet', to: 'depositWallet' },
} as const satisfies Record<string, { from: WalletKind; to: WalletKind }>

/**
 * Moves an amount between two of a member's own wallets: native to my wallet (MF-07) or NFT to deposit wallet (MF-08).
 * @param input which move, whose, how many units
 * @returns id of the ledger transfer
 * @throws AppError INSUFFICIENT_BALANCE
 */
export async function moveBetweenWallets(
  tx: Tx,
  deps: Deps,
  input: { move: keyof typeof MOVES; memberId: bigint; amount: Units },
): Promise<bigint> {
  const { from, to } = MOVES[input.move]
  const posted = await post(tx, {
    kind: input.move,
    cause: { type: 'member', id: String(input.memberId) },
    at: deps.clock.now(),
    transfers: [{ from: { owner: input.memberId, kind: from }, to: { owner: input.memberId, kind: to }, amount: input.amount }],
  })
  return firstId(posted)
}
