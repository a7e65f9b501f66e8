import { Badge } from '../../../ui/badge.tsx'
/** Active, blocked or not verified. */
export function Status({ row }: { row: { status: boolean; isVerified: boolean } }) {
  if (!row.status) return <Badge tone="danger">Blocked</Badge>
  return row.isVerified ? <Badge tone="success">Active</Badge> : <Badge tone="warning">E-mail not verified</Badge>
}
