import { isDeepStrictEqual } from 'node:util'
import type { ProposalSubject } from '@tizara/contract/staff-changes'
import * as v from 'valibot'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { kinds } from './kinds/index.ts'
import type { Fields, ProposalKind } from './shared/proposal-kind.ts'

/** A proposal kind with the types erased, as the proposal engine uses it. The methods take a value that the kind's schema has parsed. */
export type AnyKind = ProposalKind<ProposalSubject, object>

/** Value and reason of a proposal. */
export type Proposal = {
  [Subject in ProposalSubject]: {
    subject: Subject
    value: v.InferOutput<(typeof kinds)[Subject]['value']>
    reason: string
    /** Start; absent or null if the proposal takes effect on approval. */
    startsAt?: Date | null | undefined
    /** Hash of the simulation shown to the proposer. */
    simulation?: string | undefined
  }
}[ProposalSubject]

/** Returns the kind of a subject. */
export const kindOf = (subject: ProposalSubject): AnyKind => kinds[subject]

/** Returns the kind of a stored subject; undefined for an unknown subject. */
export const storedKind = (subject: string): AnyKind | undefined =>
  Object.hasOwn(kinds, subject) ? kindOf(subject as ProposalSubject) : undefined

/**
 * Reads a stored proposal with today's schema.
 * @throws AppError CHANGE_OUTDATED if the value no longer fits
 */
export function readProposal({ subject, value, reason }: { subject: string; value: unknown; reason: string }): Proposal {
  const kind = storedKind(subject)
  const read = kind && v.safeParse(kind.value, value)
  if (kind === undefined || read?.success !== true) throw new AppError('CHANGE_OUTDATED')
  return { subject: kind.subject, value: read.output, reason } as Proposal
}

/** Works like `readProposal`, but returns undefined for a value that no longer fits. */
export function readProposalSafely(row: { subject: string; value: unknown; reason: string }): Proposal | undefined {
  try {
    return readProposal(row)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Returns a proposal's start; null if it takes effect on approval. */
export const startOf = ({ startsAt }: Proposal): Date | null => startsAt ?? null

/**
 * Reads the values that are or will be in force at a moment for all fields of a proposal's object, as JSON; null for a new object.
 * @throws AppError NOT_FOUND if the object does not exist then
 */
export const currentValueAt = (db: Db, deps: Pick<Deps, 'config'>, { subject, value }: Proposal, at: Date): Promise<unknown> =>
  kindOf(subject).current(db, deps, value, at)

/** Returns a proposal's baseline: only the changed fields for settings, all fields for a plan, NFT or announcement. */
export function pickBaseline({ subject, value }: Pick<Proposal, 'subject' | 'value'>, current: unknown): unknown {
  if (kindOf(subject).baseline === 'all-fields' || typeof current !== 'object' || current === null) return current
  return Object.fromEntries(Object.entries(current).filter(([key]) => Object.hasOwn(value, key)))
}

/**
 * Reads a proposal's baseline at a moment, as JSON; null for a new object.
 * @throws AppError NOT_FOUND if the object does not exist then
 */
export const baselineOf = async (db: Db, deps: Pick<Deps, 'config'>, proposal: Proposal, at: Date): Promise<unknown> =>
  pickBaseline(proposal, await currentValueAt(db, deps, proposal, at))

/** Returns a stored JSON object; empty for anything else. */
export const fieldsOf = (json: unknown): Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {}

/** Returns the fields of a value without the id of its object, so that it can be compared with a current value. */
export function withoutId({ subject }: { subject: ProposalSubject }, json: unknown): Fields {
  const idKey = kindOf(subject).scheduling?.idKey
  return Object.fromEntries(Object.entries(fieldsOf(json)).filter(([key]) => key !== idKey))
}

/** Returns a short title, such as `Gold 365: 11 → 9.5 %`. */
export function titleOf({ subject, value, before }: { subject: string; value: unknown; before: unknown }): string {
  const kind = storedKind(subject)
  return kind === undefined ? subject : kind.title(fieldsOf(value), before === null ? null : fieldsOf(before))
}

/** Returns true if two JSON values are equal. */
export const sameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b)

/** Reads current values; null if the object does not exist. */
export const orNull = <T>(read: Promise<T>): Promise<T | null> =>
  read.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
