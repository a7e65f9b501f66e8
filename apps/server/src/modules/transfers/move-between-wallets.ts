import type { Units } from '@tizara/money'
import { postEach, type WalletKind } from '../../ledger/index.ts'
import { type AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { firstIds } from './first-ids.ts'

/** Moves between a member's own wallets of one asset, 1:1 and without fee. */
const MOVES = {
  swapNative: { from: 'nativeWallet', to: 'icoWallet' },
  nftToDeposit: { from: 'nftWallet', to: 'depositWallet' },
} as const satisfies Record<string, { from: WalletKind; to: WalletKind }>

/** Move between a member's wallets, in units. */
export interface WalletMove {
  move: keyof typeof MOVES
  memberId: bigint
  amount: Units
}

/**
 * Moves an amount between a member's wallets: Native Wallet to My Wallet (MF-07), or NFT Wallet to Deposit Wallet (MF-08).
 * @returns ledger transfer id
 * @throws AppError INSUFFICIENT_BALANCE
 */
export async function moveBetweenWallets(tx: Tx, deps: Deps, input: WalletMove): Promise<bigint> {
  return unwrapSingle(await moveAll(tx, deps, [input]))
}

/** Handles a batch like `moveBetweenWallets`, in order. A refused move has no effect. */
export async function moveAll(tx: Tx, deps: Deps, inputs: readonly WalletMove[]): Promise<(bigint | AppError)[]> {
  const at = deps.clock.now()
  const postings = inputs.map(({ move, memberId: owner, amount }) => ({
    kind: move,
    cause: { type: 'member', id: String(owner) },
    at,
    transfers: [{ from: { owner, kind: MOVES[move].from }, to: { owner, kind: MOVES[move].to }, amount }],
  }))
  return firstIds(await postEach(tx, postings))
}
