import type { ChangeRow } from './changes.view.tsx'

const BADGES: Readonly<Record<ChangeRow['status'], readonly [string, string]>> = {
  PENDING: ['badge acc', 'For you'],
  PLANNED: ['badge acc', 'Planned'],
  IN_FORCE: ['badge ok', 'In force'],
  REFUSED: ['badge bad', 'Refused'],
  CANCELLED: ['badge', 'Taken back'],
  OUTDATED: ['badge warn', 'Outdated'],
}

/** How a change stands, as a class and a word. */
export const badgeOf = (row: Pick<ChangeRow, 'status' | 'mine'>): readonly [string, string] =>
  row.status === 'PENDING' && row.mine ? ['badge', 'For others'] : BADGES[row.status]
