/** Active, blocked or not proved. */
export function Status({ row }: { row: { status: boolean; isVerified: boolean } }) {
  if (!row.status) return <span className="badge bad">Blocked</span>
  return row.isVerified ? <span className="badge ok">Active</span> : <span className="badge warn">Address not proved</span>
}
