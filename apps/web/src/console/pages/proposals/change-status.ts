import type { ChangeRow } from './proposals.queries.ts'

const BADGES: Readonly<Record<ChangeRow['status'], readonly [string, string]>> = {
  PENDING: ['badge acc', 'For you'],
  PLANNED: ['badge acc', 'Planned'],
  IN_FORCE: ['badge ok', 'In force'],
  REFUSED: ['badge bad', 'Refused'],
  CANCELLED: ['badge', 'Taken back'],
  OUTDATED: ['badge warn', 'Outdated'],
}

/** Whether a change waits for somebody else, whatever the reader's role: it is the reader's own, or about their account. */
export const isOwn = (row: Pick<ChangeRow, 'status' | 'mine' | 'aboutYou'>): boolean =>
  row.status === 'PENDING' && (row.mine || row.aboutYou === true)

/** How a change stands, as a class and a word. */
export const badgeOf = (row: Pick<ChangeRow, 'status' | 'mine' | 'aboutYou'>): readonly [string, string] =>
  isOwn(row) ? ['badge', 'For others'] : BADGES[row.status]
