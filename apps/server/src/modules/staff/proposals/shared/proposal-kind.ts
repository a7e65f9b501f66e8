import type { ReplyOf } from '@tizara/contract'
import type { StaffRole } from '@tizara/contract/staff'
import type { ChangeSubject, effectRow, staffChange } from '@tizara/contract/staff-changes'
import type { GenericSchema, InferOutput } from 'valibot'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import type { StaffAction } from '../../access/actor.ts'
import type { Deciders } from '../../access/deciders.ts'

/** Stored JSON of a proposal's value or baseline. It may be older than the schema. */
export type Fields = Readonly<Record<string, unknown>>

export type EffectRow = InferOutput<typeof effectRow>

/** The facts from which a kind computes the effect of a proposal. */
export interface EffectInput {
  /** All current fields as JSON; null for a new plan or NFT. */
  before: unknown
  /** All fields after the proposal. */
  after: Fields
  /** The days of the past: first moment, and first moment after them. */
  from: Date
  to: Date
  at: Date
}

/** Why a proposal is applied, and the people who decided. */
export interface Approval extends Deciders {
  reason: string
}

/** Follow-up work of an applied proposal, which the kernel does. */
export interface Applied {
  /** Audit entries about the accounts and objects that changed. The kernel adds the reason and the approver. */
  audit?: readonly Pick<StaffAction, 'action' | 'subject' | 'detail'>[]
  /** A person who lost rights. The kernel expires the proposals and first approvals that they may no longer make. */
  lostRights?: { memberId: bigint; role: 'MEMBER' | StaffRole }
}

/** One approved proposal that starts later. */
export interface Step<Value> {
  value: Value
  startsAt: Date
  reason: string
  decidedBy: bigint | null
}

/** A dry run that a proposal needs before it is made and approved. */
export interface RequiredSimulation<Value> {
  /**
   * Rejects a proposal that is not based on a fresh run by its maker.
   * @throws AppError SIMULATION_NEEDED
   */
  assertProposable(tx: Tx, now: Date, value: Value, seen: { hash: string | undefined; by: bigint }): Promise<void>
  /**
   * Rejects an approval without a fresh run.
   * @returns the run's hash
   * @throws AppError SIMULATION_NEEDED, CHANGE_OUTDATED
   */
  assertFresh(tx: Tx, now: Date, value: Value): Promise<string>
  newest(db: Db, now: Date, value: Value): Promise<ReplyOf<typeof staffChange>['simulation']>
}

/**
 * One kind of proposal. The kernel (propose, decide, reschedule, expire, read, preview) knows kinds only by this interface.
 * The contract holds the role that may propose and decide it (`proposalRoles`). See docs/decisions/0025-one-file-per-proposal-kind.md.
 */
export interface ProposalKind<Subject extends ChangeSubject, Value extends object> {
  subject: Subject
  value: GenericSchema<unknown, Value>
  /**
   * Members whom the proposal is about; empty for prices, plans and other values that are the same for all. The kernel
   * keeps them and their linked accounts from proposing, approving, rejecting and cancelling it.
   */
  members(db: Db, value: NoInfer<Value>): Promise<readonly bigint[]>
  /**
   * Direction for the member: `takes` when it only takes from them, `gives` when it only favours them. The member may
   * propose the first, and reject and cancel the second. Absent: neither.
   * @param before baseline as JSON
   */
  direction?(value: Value, before: unknown): 'gives' | 'takes' | undefined
  /**
   * All fields of the object as they are, or are scheduled to be, at a moment, as JSON; null for something new.
   * @throws AppError NOT_FOUND
   */
  current(db: Db, deps: Pick<Deps, 'config'>, value: Value, at: Date): Promise<unknown>
  /** Which current fields must be unchanged at approval: all, or those that the value names. */
  baseline: 'all-fields' | 'changed-fields'
  /** Puts the proposal in force through the use case of the module that owns the object. */
  apply(tx: Tx, deps: Deps, value: Value, approval: Approval): Promise<Applied>
  /** A few words for lists, such as `Gold 365: 11 → 9.5 %`. */
  title(value: Fields, before: Fields | null): string
  /** Adds the fields that a partial value leaves out, for a kind that is decided as a whole. */
  complete?(db: Db, value: Value, at: Date): Promise<Value>
  /**
   * Further conditions of a proposal and its approval.
   * @param startsAt null: on approval
   */
  assertAllowed?(tx: Tx, deps: Deps, value: Value, startsAt: Date | null): Promise<void>
  simulation?: RequiredSimulation<Value>
  /** Present for a kind that can start later. Kinds with one topic are scheduled together. */
  scheduling?: {
    topic: string
    /** The field that names the object, for a topic with many objects. A new object has its proposal's id. */
    idKey?: string
    /** Replaces the object's schedule in the owning module. Steps are in the order of their starts. */
    schedule(tx: Tx, deps: Deps, id: string, steps: readonly Step<Value>[]): Promise<void>
  }
  /** The effect on the figures of the last 30 days, line by line. Absent: the title says everything. */
  effect?(db: Db, value: Value, input: EffectInput): Promise<EffectRow[]>
  /** True if it changes how much coin a group can earn, so that a proposal shows that bound (RW-14). */
  affectsEarnings?: true
  /** Returns true if cancelling a scheduled proposal takes two people, because it would loosen a limit. */
  cancelNeedsTwo?(value: Fields, before: Fields | null): boolean
}

/** Declares a kind, so that its methods are typed by its schema. */
export const proposalKind = <const Subject extends ChangeSubject, Value extends object>(kind: ProposalKind<Subject, Value>) => kind

/** The members of a kind that is about no account. */
export const noMembers = () => Promise.resolve([])

/** The current value of a kind that has none: an act, not a setting. */
export const noCurrent = () => Promise.resolve(null)
