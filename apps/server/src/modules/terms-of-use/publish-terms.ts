import { createHash } from 'node:crypto'
import type { TermsOfUseValue } from '@tizara/contract/staff-values'
import type { Tx } from '../../platform/db/database.ts'

export interface NewTerms {
  terms: TermsOfUseValue
  decidedBy: bigint | null
}

/** Puts terms of use in force. Members are asked to accept them from then on. */
export const publishTerms = (tx: Tx, input: NewTerms & { at: Date }): Promise<void> => insert(tx, input, input.at, input.at)

/** Replaces the planned terms of use. */
export async function scheduleTerms(tx: Tx, now: Date, planned: readonly (NewTerms & { startsAt: Date })[]): Promise<void> {
  await tx.deleteFrom('terms_of_use').where('starts_at', '>', now).execute()
  for (const one of planned) await insert(tx, one, now, one.startsAt)
}

async function insert(tx: Tx, { terms: { text, link }, decidedBy }: NewTerms, at: Date, startsAt: Date): Promise<void> {
  const hash = createHash('sha256')
    .update(text ?? link ?? '')
    .digest('hex')
  await tx.insertInto('terms_of_use').values({ text, link, hash, created_at: at, created_by: decidedBy, starts_at: startsAt }).execute()
}
