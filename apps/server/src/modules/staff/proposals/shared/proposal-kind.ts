import type { ReplyOf } from '@tizara/contract'
import type { StaffRole } from '@tizara/contract/staff'
import type { ProposalSubject, effectRow, staffChange } from '@tizara/contract/staff-changes'
import type { GenericSchema, InferOutput } from 'valibot'
import type { DataKeys } from '../../../../platform/crypto/encrypt.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import type { StaffAction } from '../../access/actor.ts'
import type { Deciders } from '../../access/deciders.ts'

/** Stored JSON of a proposal's value or baseline. An older version of the schema may have written it. */
export type Fields = Readonly<Record<string, unknown>>

export type EffectRow = InferOutput<typeof effectRow>

/** Inputs from which a proposal kind computes its effect. */
export interface EffectInput {
  /** All current fields as JSON; null for a new plan or NFT. */
  before: unknown
  /** All fields after the proposal. */
  after: Fields
  /** Start of the last 30 days (inclusive), over which the effect is computed. */
  from: Date
  /** End of the last 30 days (exclusive). */
  to: Date
  /** Time of the computation. */
  now: Date
  /** Keys that verify MACs of rows. */
  keys: DataKeys
}

/** Reason for applying a proposal, and the deciders. */
export interface Approval extends Deciders {
  reason: string
}

/** Follow-up work that the proposal engine does after applying a proposal. */
export interface ApplyResult {
  /** Audit entries about changed accounts and objects. The engine adds the reason and the approver. */
  audit?: readonly Pick<StaffAction, 'action' | 'subject' | 'detail'>[]
  /** A person who lost rights. The engine expires the proposals and first approvals that their new role no longer permits. */
  lostRights?: { memberId: bigint; role: 'MEMBER' | StaffRole }
}

/** An approved proposal that takes effect later. */
export interface ScheduledChange<Value> {
  value: Value
  startsAt: Date
  reason: string
  decidedBy: bigint | null
}

/** A simulation required before a proposal and its approval. */
export interface RequiredSimulation<Value> {
  /**
   * Rejects a proposal without a fresh simulation by its proposer.
   * @throws AppError SIMULATION_NEEDED
   */
  assertProposable(tx: Tx, now: Date, value: Value, seen: { hash: string | undefined; by: bigint }): Promise<void>
  /**
   * Rejects an approval without a fresh simulation.
   * @returns the simulation's hash
   * @throws AppError SIMULATION_NEEDED, CHANGE_OUTDATED
   */
  assertFresh(tx: Tx, now: Date, value: Value): Promise<string>
  newest(db: Db, now: Date, value: Value): Promise<ReplyOf<typeof staffChange>['simulation']>
}

/**
 * One kind of proposal. The proposal engine (propose, decide, reschedule, expire, read, preview) uses kinds only through this interface.
 * The contract contains the role for each kind (`proposalRoles`). See docs/decisions/0025-one-file-per-proposal-kind.md.
 */
export interface ProposalKind<Subject extends ProposalSubject, Value extends object> {
  subject: Subject
  value: GenericSchema<unknown, Value>
  /**
   * Returns the members concerned; none for prices, plans and other values that apply to all. These members and their linked accounts
   * cannot propose, approve, reject or cancel.
   */
  members(db: Db, value: NoInfer<Value>): Promise<readonly bigint[]>
  /**
   * Returns the direction for the member: `takes` if the proposal only takes from the member, `gives` if it only gives to the member,
   * otherwise undefined. Staff may propose `takes` for themselves, and reject or cancel `gives`.
   * @param before baseline as JSON
   */
  direction?(value: Value, before: unknown): 'gives' | 'takes' | undefined
  /**
   * Reads all fields of the object at a moment, current or scheduled, as JSON; null for a new object.
   * @throws AppError NOT_FOUND
   */
  current(db: Db, deps: Pick<Deps, 'config'>, value: Value, at: Date): Promise<unknown>
  /** Current fields that must be unchanged at approval: all, or only those in the value. */
  baseline: 'all-fields' | 'changed-fields'
  /** Puts the proposal in force through the owning module's use case. */
  apply(tx: Tx, deps: Deps, value: Value, approval: Approval): Promise<ApplyResult>
  /** Short title for lists, such as `Gold 365: 11 → 9.5 %`. */
  title(value: Fields, before: Fields | null): string
  /** Adds the omitted fields to a partial value, for kinds approved as a whole object. */
  complete?(db: Db, value: Value, at: Date): Promise<Value>
  /**
   * Checks further conditions of a proposal and its approval.
   * @param startsAt null if the proposal takes effect on approval
   */
  assertAllowed?(tx: Tx, deps: Deps, value: Value, startsAt: Date | null): Promise<void>
  simulation?: RequiredSimulation<Value>
  /** Defined if proposals of this kind can have a later start. Kinds with the same topic share one schedule. */
  scheduling?: {
    topic: string
    /** Field with the object's id, for a topic with many objects. A new object has its proposal's id. */
    idKey?: string
    /** Replaces the object's schedule in the owning module. The changes are ordered by start. */
    schedule(tx: Tx, deps: Deps, id: string, changes: readonly ScheduledChange<Value>[]): Promise<void>
  }
  /** Computes the effect on the amounts of the last 30 days, as rows. A kind without this method shows only the title. */
  effect?(db: Db, value: Value, input: EffectInput): Promise<EffectRow[]>
  /**
   * Computes the coverage of liabilities and the sales fund, before and after, from current amounts [RW-10]. Undefined for kinds that
   * change neither. Each sale changes these amounts, so the hash that an approval sends does not include them; the approval checks them
   * again.
   */
  coverage?(db: Db, value: Value, at: Date): Promise<EffectRow[]>
  /** True if proposals of this kind can change the maximum group gain, which is then shown [RW-14]. */
  affectsEarnings?: true
  /** True if a value can be approved only once, so that it must not be pending twice. */
  isPendingOnce?: true
  /** Returns true if the cancellation of a scheduled proposal requires two people, because a limit would become less strict. */
  cancelNeedsTwo?(value: Fields, before: Fields | null): boolean
}

/** Declares a proposal kind. The schema determines the types of the methods. */
export const proposalKind = <const Subject extends ProposalSubject, Value extends object>(kind: ProposalKind<Subject, Value>) => kind

/** Returns no members, for proposal kinds that concern no member. */
export const noMembers = () => Promise.resolve([])

/** Returns null, for one-off actions without a current value. */
export const noCurrent = () => Promise.resolve(null)
