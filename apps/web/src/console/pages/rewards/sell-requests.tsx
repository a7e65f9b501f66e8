import type { staffRewardPool } from '@tizara/contract/staff-rewards'
import type { ReplyOf } from '@tizara/contract'
import { formatUnits } from '@tizara/money'
import { Link } from 'wouter'
import { formatAmount } from '../../../ui/money-format.ts'
import { Table } from '../../../ui/table.tsx'
import { useUnit } from '../../kit/amount.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { brief } from '../../kit/when.ts'

type OpenRequests = NonNullable<ReplyOf<typeof staffRewardPool>['sellRequests']>

/** Lists the oldest open sell requests, with the sum of all (MF-10). */
export function OpenSellRequests({ open }: { open: OpenRequests }) {
  const coin = useUnit()('coin')
  return (
    <Panel title="Sell requests" right={`${open.count} open: ${formatAmount(open.coin)} ${coin}`}>
      <p className="px-4 pt-3 text-xs text-muted">
        {open.count === 0
          ? 'No open sell requests.'
          : `At the current price they need ${formatAmount(open.needed)} USD of the sales fund. They are served in order of time, before new sales.`}
      </p>
      {open.oldest.length > 0 && (
        <Table>
          <caption className="sr-only">Oldest open sell requests</caption>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">Left</th>
              <th scope="col">Sold</th>
              <th scope="col">Lowest price</th>
              <th scope="col">Until</th>
            </tr>
          </thead>
          <tbody>
            {open.oldest.map((row) => (
              <tr key={row.member.id}>
                <td className="break-all">
                  <Link href={`/staff/members/${row.member.id}`}>{plain(row.member.email)}</Link>
                </td>
                <td>{formatAmount(row.amount - row.sold)}</td>
                <td>{formatAmount(row.sold)}</td>
                <td>{formatUnits(row.lowestPrice)} USD</td>
                <td>{brief(row.expiresAt)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}
