import type { ReplyOf } from '@tizara/contract'
import type { StaffRole } from '@tizara/contract/staff'
import type { ProposalSubject, effectRow, staffChange } from '@tizara/contract/staff-changes'
import type { GenericSchema, InferOutput } from 'valibot'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import type { StaffAction } from '../../access/actor.ts'
import type { Deciders } from '../../access/deciders.ts'

/** Stored JSON of a proposal's value or baseline. It may be older than the schema. */
export type Fields = Readonly<Record<string, unknown>>

export type EffectRow = InferOutput<typeof effectRow>

/** Facts from which a kind computes an effect. */
export interface EffectInput {
  /** All current fields as JSON; null for a new plan or NFT. */
  before: unknown
  /** All fields after the proposal. */
  after: Fields
  /** The past days: start (inclusive) and end (exclusive). */
  from: Date
  to: Date
  at: Date
}

/** Reason for applying a proposal, and the deciders. */
export interface Approval extends Deciders {
  reason: string
}

/** Follow-up work of an applied proposal, for the kernel. */
export interface Applied {
  /** Audit entries about changed accounts and objects. The kernel adds the reason and the approver. */
  audit?: readonly Pick<StaffAction, 'action' | 'subject' | 'detail'>[]
  /** A person who lost rights. The kernel expires their proposals and first approvals beyond the remaining rights. */
  lostRights?: { memberId: bigint; role: 'MEMBER' | StaffRole }
}

/** One approved proposal with a later start. */
export interface Step<Value> {
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
 * One kind of proposal. The kernel (propose, decide, reschedule, expire, read, preview) uses kinds only through this interface.
 * The contract holds the role for each kind (`proposalRoles`). See docs/decisions/0025-one-file-per-proposal-kind.md.
 */
export interface ProposalKind<Subject extends ProposalSubject, Value extends object> {
  subject: Subject
  value: GenericSchema<unknown, Value>
  /**
   * Members concerned; empty for prices, plans and other values common to all. The kernel keeps them and their linked accounts
   * from proposing, approving, rejecting and cancelling.
   */
  members(db: Db, value: NoInfer<Value>): Promise<readonly bigint[]>
  /**
   * Direction for the member: `takes` if it only takes from them, `gives` if it only favours them. The member may propose the
   * first, and reject or cancel the second. Absent: neither.
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
  apply(tx: Tx, deps: Deps, value: Value, approval: Approval): Promise<Applied>
  /** Short title for lists, such as `Gold 365: 11 → 9.5 %`. */
  title(value: Fields, before: Fields | null): string
  /** Adds the omitted fields to a partial value, for a kind decided as a whole. */
  complete?(db: Db, value: Value, at: Date): Promise<Value>
  /**
   * Checks further conditions of a proposal and its approval.
   * @param startsAt null: on approval
   */
  assertAllowed?(tx: Tx, deps: Deps, value: Value, startsAt: Date | null): Promise<void>
  simulation?: RequiredSimulation<Value>
  /** Present for a kind with scheduling. Kinds with one topic are scheduled together. */
  scheduling?: {
    topic: string
    /** Field with the object's id, for a topic with many objects. A new object has its proposal's id. */
    idKey?: string
    /** Replaces the object's schedule in the owning module. Steps are ordered by start. */
    schedule(tx: Tx, deps: Deps, id: string, steps: readonly Step<Value>[]): Promise<void>
  }
  /** Computes the effect on the figures of the last 30 days, line by line. Absent: the title is enough. */
  effect?(db: Db, value: Value, input: EffectInput): Promise<EffectRow[]>
  /**
   * Computes the cover of promised rewards and the sales fund, before and after, by current figures [RW-10]. Absent: the kind moves
   * neither. Each sale changes these figures, so they are no part of the hash that an approval sends back; the approval checks again.
   */
  cover?(db: Db, value: Value, at: Date): Promise<EffectRow[]>
  /** True if it changes the group bound, which a proposal then shows [RW-14]. */
  affectsEarnings?: true
  /** Returns true if cancelling a scheduled proposal takes two people, because it would loosen a limit. */
  cancelNeedsTwo?(value: Fields, before: Fields | null): boolean
}

/** Declares a kind, with its methods typed by its schema. */
export const proposalKind = <const Subject extends ProposalSubject, Value extends object>(kind: ProposalKind<Subject, Value>) => kind

/** Members of a kind without accounts. */
export const noMembers = () => Promise.resolve([])

/** Current value of a kind for a single act. */
export const noCurrent = () => Promise.resolve(null)
