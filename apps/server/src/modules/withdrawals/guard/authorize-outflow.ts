import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { balancesIn } from '../../../ledger/index.ts'
import { okValues, AppError, mapOk } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { queryDeferred, executeDeferred, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import type { FreezeCause } from '../../members/index.ts'
import type { Settings } from '../../settings/index.ts'
import { addressKey, type Network } from '../addresses/address.rules.ts'
import { isGenuine, isUsable, provenBy, type StoredEntry } from '../addresses/address-mac.ts'
import { limitsOf, pastLimit, proofLimitOf } from './day-limit.ts'
import { isStepUp } from '../confirmation/payout-token.ts'

/**
 * Authorizes all outflows that a member requests: payouts, bridges and transfers to members. Every use case that posts an outflow calls
 * this module first (docs/decisions/0030-one-guard-for-outflows.md).
 */

/** Outflow from a member's wallets, requested by the member. */
export interface OutflowInput {
  kind: 'withdrawal' | 'bridge' | 'transfer'
  memberId: bigint
  amount: Units
  /** Payout address, or the receiver's email address for a transfer. */
  address: string
  /** 0 for a transfer. */
  network: Network
  stepUp?: StepUp | undefined
}

/** Step-up proof sent with a call, and the call's session. */
export interface StepUp {
  token: string
  sessionId: bigint
}

/** Confirmation given with the request; null while it awaits the owner. */
export type OutflowConfirmation = 'book' | 'step-up' | 'small' | null
export type Authorized<Input> = Input & { confirmedHow: OutflowConfirmation }

/** Outflow destination. A transfer has none in the address book. */
export type OutflowTarget = Pick<OutflowInput, 'memberId' | 'network' | 'address'> & Partial<Pick<OutflowInput, 'kind'>>
const targetKey = ({ memberId, network, address }: OutflowTarget) => `${memberId} ${network} ${addressKey(address, network)}`

/**
 * Outflows of a member within 24 hours. A returned payout counts in `count`, because it caused work and mails, but not in the amounts.
 * `unconfirmed` sums the transfers without confirmation.
 */
type DayUse = Record<OutflowInput['kind'] | 'unconfirmed', Units> & { count: number }

/** Data about a target, loaded before the decision. */
export interface OutflowChecks extends DayUse {
  /** Entry with the address in the member's book, not yet verified. */
  entry: StoredEntry | null
  stopped: boolean
  frozenUntil: Date | null
  frozenFor: FreezeCause | null
  /** True if a screening match holds the member's payouts. */
  screened: boolean
}

/**
 * Locks the members' rows and loads the checks, in one statement that is sent with the caller's next one. `stopByLink` takes the same
 * lock, so an earlier stop is visible here and a later stop sees this transaction's rows.
 * @returns the checks by target, readable after the next statement's reply
 */
export async function loadOutflowChecks(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  targets: readonly OutflowTarget[],
): Promise<() => OutflowChecksOf> {
  const now = clock.now()
  const keys = targets.map(({ kind, address, network }) => (kind === 'transfer' ? null : addressKey(address, network)))
  const found = await queryDeferred(
    tx,
    sql<OutflowChecks>`
      select * from outflow_checks(${targets.map((target) => target.memberId)}::bigint[], ${targets.map((target) => target.network)}::int[],
        ${keys}::text[], ${new Date(now.getTime() - DAY_MS)}::timestamptz, ${now}::timestamptz)`.compile(tx),
  )
  return () => {
    const byTarget = new Map(found().map((row, index) => [targetKey(targets[index] as OutflowTarget), row]))
    return (target) => {
      const checks = byTarget.get(targetKey(target))
      if (checks === undefined) throw new Error('an outflow was not loaded')
      return checks
    }
  }
}
export type OutflowChecksOf = (target: OutflowTarget) => OutflowChecks

/**
 * Authorizes outflows, unless payouts are stopped or a 24-hour limit is exceeded. A fresh proof, a known address or a small transfer needs
 * no confirmation. Any other outflow awaits its owner. An outflow above both the balance and a limit is refused for the balance, because
 * waiting for the next day would not help.
 * @returns in order: the input, or AppError PAYOUTS_STOPPED, PAYOUT_HELD, PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT, INSUFFICIENT_BALANCE,
 * STEP_UP_REFUSED, PAYOUT_NEEDS_PROOF, ADDRESS_FORGED
 */
export async function authorizeOutflows<Input extends OutflowInput>(
  tx: Tx,
  deps: Deps,
  { settings, checksOf }: { settings: Settings; checksOf: OutflowChecksOf },
  inputs: readonly (Input | AppError)[],
): Promise<(Authorized<Input> | AppError)[]> {
  const used = await usedProofs(tx, okValues(inputs))
  const uses = new Map<bigint, DayUse>()
  const limited = new Map<AppError, Spending>()
  const now = deps.clock.now()
  const decided = mapOk(inputs, (input) => {
    const checks = checksOf(input)
    const refused = rejectionByState(input, checks, now) ?? rejectionOfForged(deps, input, checks) ?? rejectionOfProof(deps, input, used)
    if (refused !== undefined) return refused
    const earlier = uses.get(input.memberId) ?? checks
    const confirmedHow = confirmationOf(deps, input, { checks, use: earlier, settings })
    const next = addUse(earlier, input, confirmedHow)
    const limit =
      rejectionByLimit(next, input.kind, settings) ??
      (input.kind === 'transfer'
        ? undefined
        : rejectionOfUnproven(deps, next[input.kind], { ...input, kind: input.kind }, checks, settings))
    if (limit !== undefined) {
      const wallet = WALLET[input.kind]
      limited.set(limit, { memberId: input.memberId, wallet, amount: spentOf(next, wallet) - spentOf(checks, wallet) })
      return limit
    }
    uses.set(input.memberId, next)
    return { ...input, confirmedHow }
  })
  const uncovered = await uncoveredOf(tx, limited)
  return decided.map((one) => (one instanceof AppError && uncovered.has(one) ? new AppError('INSUFFICIENT_BALANCE') : one))
}

const WALLET = { withdrawal: 'depositWallet', transfer: 'depositWallet', bridge: 'icoWallet' } as const
type PayingWallet = (typeof WALLET)[OutflowInput['kind']]

/** Units that a batch takes from a member's wallet up to an outflow. */
interface Spending {
  memberId: bigint
  wallet: PayingWallet
  amount: Units
}

/**
 * Returns the refusals for a limit whose outflow the wallet does not cover either, after the earlier ones of the batch. Only these calls
 * read balances. The ledger checks again when it posts.
 */
async function uncoveredOf(tx: Tx, limited: ReadonlyMap<AppError, Spending>): Promise<Set<AppError>> {
  const uncovered = new Set<AppError>()
  for (const wallet of ['depositWallet', 'icoWallet'] as const) {
    const spending = [...limited].filter(([, one]) => one.wallet === wallet)
    if (spending.length === 0) continue
    const balances = await balancesIn(tx, wallet, [...new Set(spending.map(([, { memberId }]) => memberId))])
    for (const [refusal, { memberId, amount }] of spending) if (amount > (balances.get(memberId) ?? 0n)) uncovered.add(refusal)
  }
  return uncovered
}

/**
 * Rejects outflows while the owner has stopped payouts. A freeze after a new password or second factor also rejects transfers, which staff
 * never review, and so does a screening match. Payouts may be filed, because staff approve none before the end of either.
 * After a sign-in from a new device the owner's proof decides.
 */
function rejectionByState(
  { kind }: OutflowInput,
  { stopped, screened, frozenUntil, frozenFor }: OutflowChecks,
  now: Date,
): AppError | undefined {
  if (stopped) return new AppError('PAYOUTS_STOPPED')
  if (kind === 'transfer' && screened) return new AppError('TRANSFER_CHECKED')
  if (kind !== 'transfer' || frozenUntil === null || frozenUntil <= now || frozenFor === 'device') return undefined
  return new AppError('PAYOUT_HELD', { at: frozenUntil.toISOString() })
}

/** Rejects outflows to an entry of the address book that SQL confirmed, proved or changed. Staff learn of it from the audit. */
export function rejectionOfForged({ config }: Pick<Deps, 'config'>, target: OutflowTarget, { entry }: OutflowChecks): AppError | undefined {
  return isGenuine(config, target, entry) ? undefined : new AppError('ADDRESS_FORGED')
}

function rejectionOfProof(deps: Deps, input: OutflowInput, used: Set<string>): AppError | undefined {
  const { stepUp } = input
  if (stepUp === undefined) return undefined
  if (!isStepUp(deps, stepUp.token, { ...input, sessionId: stepUp.sessionId })) return new AppError('STEP_UP_REFUSED')
  if (used.has(digest(stepUp.token))) return new AppError('STEP_UP_REFUSED')
  used.add(digest(stepUp.token))
  return undefined
}

function confirmationOf(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  input: OutflowInput,
  { checks, use, settings }: { checks: OutflowChecks; use: DayUse; settings: Settings },
): OutflowConfirmation {
  if (input.stepUp !== undefined) return 'step-up'
  if (input.kind === 'transfer') return use.unconfirmed + input.amount <= settings.unconfirmedTransferDayUsd ? 'small' : null
  return isUsable(config, input, checks.entry, clock.now()) ? 'book' : null
}

/** Adds an outflow to the use of 24 hours. A small transfer is not counted as a request: it causes no mail and no work for staff. */
function addUse(use: DayUse, { kind, amount }: OutflowInput, how: OutflowConfirmation): DayUse {
  return how === 'small' ? { ...use, unconfirmed: use.unconfirmed + amount } : { ...use, count: use.count + 1, [kind]: use[kind] + amount }
}

const spentOf = (use: DayUse, wallet: PayingWallet): Units => (wallet === 'icoWallet' ? use.bridge : usdOf(use))
const usdOf = ({ withdrawal, transfer, unconfirmed }: DayUse): Units => withdrawal + transfer + unconfirmed

function rejectionByLimit(use: DayUse, kind: OutflowInput['kind'], settings: Settings): AppError | undefined {
  if (use.count > settings.payoutDayCount) return new AppError('PAYOUT_DAY_COUNT', { limit: String(settings.payoutDayCount) })
  const limit = limitsOf(settings, kind === 'bridge' ? 'bridge' : 'withdrawal').member
  return spentOf(use, WALLET[kind]) > limit ? pastLimit(limit) : undefined
}

/**
 * Rejects a payout to an unproven address if the member's payouts of 24 hours exceed the sum of the settings. The sum counts payouts to all
 * addresses, so that splitting a payout does not help.
 * @param sum units within 24 hours, with this payout
 */
export function rejectionOfUnproven(
  { config }: Pick<Deps, 'config'>,
  sum: Units,
  payout: OutflowTarget & { kind: 'withdrawal' | 'bridge' },
  { entry }: Pick<OutflowChecks, 'entry'>,
  settings: Settings,
): AppError | undefined {
  const limit = proofLimitOf(settings, payout.kind)
  if (sum <= limit || provenBy(config, payout, entry) !== undefined) return undefined
  return new AppError('PAYOUT_NEEDS_PROOF', { limit: formatUnits(limit) })
}

/** Returns the digests of proofs that already authorized another outflow. */
async function usedProofs(tx: Tx, inputs: readonly OutflowInput[]): Promise<Set<string>> {
  const digests = inputs.flatMap(({ stepUp }) => (stepUp === undefined ? [] : [digest(stepUp.token)]))
  if (digests.length === 0) return new Set()
  const { rows } = await sql<{ used: string }>`
    select step_up_digest as used from payout_request where step_up_digest = any(${digests}::text[])`.execute(tx)
  return new Set(rows.map((row) => row.used))
}

/**
 * Records transfers without confirmation, with the transaction's next statement. The caller holds the locks of the senders' rows.
 */
export async function recordUnconfirmed(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  sent: readonly { memberId: bigint; amount: Units }[],
): Promise<void> {
  const sums = new Map<bigint, Units>()
  for (const { memberId, amount } of sent) sums.set(memberId, (sums.get(memberId) ?? 0n) + amount)
  if (sums.size === 0) return
  const text = 'select from record_unconfirmed($1::bigint[], $2::bigint[], $3::timestamptz)'
  await executeDeferred(tx, text, [[...sums.keys()], [...sums.values()], clock.now()])
}
