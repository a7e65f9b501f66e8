import { okValues, AppError, zipOk, mapOk } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { memberById } from '../members/index.ts'
import type { Settings } from '../settings/index.ts'
import {
  type Authorized,
  authorizeOutflows,
  type OutflowChecksOf,
  type OutflowInput,
  recordUnconfirmed,
} from './guard/authorize-outflow.ts'
import { completeTransfer } from './complete-transfer.ts'
import { assertIndependent, type FiledRequest, holdRequests } from './hold-requests.ts'
import { ownerMac } from './payout-mac.ts'
import { postTransfers } from './post-transfers.ts'

/** Transfer to another member; `address` is the receiver's email address. */
export interface TransferInput extends OutflowInput {
  kind: 'transfer'
  network: 0
  receiverId: bigint
}

/** Transfer that was posted, or that is on hold until the sender confirms it. */
export interface OpenedTransfer {
  /** Ledger transfer to the receiver, or into the hold. */
  transferId: bigint
  /** Public id and expiry of the request while it awaits confirmation. */
  waiting?: { id: string; until: Date } | undefined
}

/**
 * Authorizes transfers between members. Posts a transfer with a proof or within the 24-hour limit for transfers without confirmation. Holds
 * any other transfer until the sender confirms it.
 * @param guard settings and checks loaded for the whole batch (`loadOutflowChecks`)
 * @returns in order: the transfer, or AppError INSUFFICIENT_BALANCE, PAYOUTS_STOPPED, PAYOUT_HELD, PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT,
 * STEP_UP_REFUSED
 * @throws AppError if an outcome may depend on another refused transfer
 */
export async function openTransfers(
  tx: Tx,
  deps: Deps,
  guard: { settings: Settings; checksOf: OutflowChecksOf },
  inputs: readonly (TransferInput | AppError)[],
): Promise<(OpenedTransfer | AppError)[]> {
  const authorized = await authorizeOutflows(tx, deps, guard, inputs)
  const small = await postSmall(tx, deps, authorized)
  const held = await holdOthers(tx, deps, guard.settings, authorized)
  const results = authorized.map((one, index) => (one instanceof AppError ? one : ((isSmall(one) ? small : held)[index] ?? missing())))
  assertIndependent(inputs, authorized, results)
  return results
}

type AuthorizedTransfer = Authorized<TransferInput>
const isSmall = ({ confirmedHow }: AuthorizedTransfer) => confirmedHow === 'small'
const missing = () => new AppError('INTERNAL')

/** Posts the transfers that need no confirmation. The result has no entry for the others. */
async function postSmall(tx: Tx, deps: Deps, authorized: readonly (AuthorizedTransfer | AppError)[]) {
  const selected = select(authorized, isSmall)
  if (selected.length === 0) return []
  const sent = selected.map(({ one }) => ({ senderId: one.memberId, receiverId: one.receiverId, amount: one.amount }))
  const posted = await postTransfers(tx, deps.clock.now(), sent)
  const recorded = zipOk(sent, posted, ({ senderId, amount }) => ({ memberId: senderId, amount }))
  await recordUnconfirmed(tx, deps, okValues(recorded))
  return spread(
    selected,
    mapOk(posted, (transferId): OpenedTransfer => ({ transferId })),
  )
}

async function holdOthers(tx: Tx, deps: Deps, settings: Settings, authorized: readonly (AuthorizedTransfer | AppError)[]) {
  const selected = select(authorized, (one) => !isSmall(one))
  if (selected.length === 0) return []
  const filed = await holdRequests(
    tx,
    deps,
    settings,
    selected.map(({ one }) => ({
      ...one,
      wallet: 'depositWallet' as const,
      platformFee: 0n,
      networkFee: 0n,
      received: one.amount,
      settingsVersion: settings.version,
    })),
  )
  const opened: (OpenedTransfer | AppError)[] = []
  for (const [index, one] of filed.entries()) opened.push(one instanceof AppError ? one : await finish(tx, deps, selected[index]?.one, one))
  return spread(selected, opened)
}

/** Posts a transfer at once if it came with a proof. */
async function finish(tx: Tx, deps: Deps, input: AuthorizedTransfer | undefined, filed: FiledRequest): Promise<OpenedTransfer> {
  if (filed.waitsUntil !== undefined) return { transferId: filed.holdId, waiting: { id: filed.id, until: filed.waitsUntil } }
  const request = await tx.selectFrom('payout_request').selectAll().where('public_id', '=', filed.id).executeTakeFirstOrThrow()
  const owner = input === undefined ? undefined : await memberById(tx, input.memberId)
  if (owner === undefined) throw new AppError('INTERNAL')
  const mac = ownerMac(deps.config, { ...request, confirmed_how: 'step-up' })
  return { transferId: await completeTransfer(tx, deps, owner, request, { how: 'step-up', mac }) }
}

/** Returns the transfers that match a predicate, with their indexes in the batch. */
const select = (all: readonly (AuthorizedTransfer | AppError)[], part: (one: AuthorizedTransfer) => boolean) =>
  all.flatMap((one, index) => (one instanceof AppError || !part(one) ? [] : [{ one, index }]))

function spread<Result>(selected: readonly { index: number }[], results: readonly Result[]): (Result | undefined)[] {
  const byIndex: (Result | undefined)[] = []
  for (const [number, { index }] of selected.entries()) byIndex[index] = results[number]
  return byIndex
}
