import type { Tone } from '../../../ui/badge.tsx'
import type { ChangeRow } from './proposals.queries.ts'

const BADGES: Readonly<Record<ChangeRow['status'], readonly [Tone, string]>> = {
  PENDING: ['accent', 'For you'],
  PLANNED: ['accent', 'Planned'],
  IN_FORCE: ['success', 'In force'],
  REFUSED: ['danger', 'Rejected'],
  CANCELLED: ['neutral', 'Cancelled'],
  OUTDATED: ['warning', 'Outdated'],
}

/** Returns true if a proposal needs another person: the reader made it, or it concerns their account. */
export const isOwn = (row: Pick<ChangeRow, 'status' | 'mine' | 'aboutYou'>): boolean =>
  row.status === 'PENDING' && (row.mine || row.aboutYou === true)

/** Returns the tone and label of a proposal's status. */
export const badgeOf = (row: Pick<ChangeRow, 'status' | 'mine' | 'aboutYou'>): readonly [Tone, string] =>
  isOwn(row) ? ['neutral', 'For others'] : BADGES[row.status]
