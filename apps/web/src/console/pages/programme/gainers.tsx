import { Link } from 'wouter'
import { downloadFile } from '../../../lib/http/load-file.ts'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { change, type Result, short } from './result.tsx'
import { Heads } from '../../kit/heads.tsx'
import { Table } from '../../../ui/table.tsx'

/** Lists members who would get more, and those who would get less. */
export function Gainers({ result, file }: { result: Result; file: { href: string; name: string } | undefined }) {
  const { more, less, same, buckets, top } = result
  const all = more + less + same
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)] gap-4 max-[900px]:grid-cols-1">
      <Panel title="Impact by member">
        <div className="px-4 pt-3 pb-4">
          <Spread buckets={buckets} same={same} />
          <p className="text-xs text-muted mt-1">
            {same.toLocaleString('en-US')} the same · <span className="text-success">{more.toLocaleString('en-US')} more</span> ·{' '}
            <span className="text-warning">{less.toLocaleString('en-US')} less</span>
          </p>
        </div>
      </Panel>
      <Panel
        title="Largest changes"
        right={
          file !== undefined && (
            <button type="button" className="link text-xs" onClick={() => void downloadFile(file.href, file.name)}>
              All {all.toLocaleString('en-US')}, CSV
            </button>
          )
        }
      >
        {top.length === 0 ? (
          <p className="px-4 pt-3 pb-4 text-muted">No member would receive more or less.</p>
        ) : (
          <Table dense className="whitespace-nowrap [&_:is(td,th)]:px-2!">
            <Heads columns={['Member', ['Before, after', 'num'], ['Change', 'num']]} />
            <tbody>
              {top.slice(0, 5).map(({ member, asset, before, after }) => (
                <tr key={`${member.id} ${asset}`}>
                  <td>
                    <Link href={`/staff/members/${member.id}`} className="link">
                      {plain(member.name)}
                    </Link>
                  </td>
                  <td className="text-right whitespace-nowrap">
                    <span className="text-muted">{short(before)} →</span> {short(after)}
                    {asset === 'usd' && <span className="ml-[3px] text-2xs font-medium tracking-normal text-faint">USD</span>}
                  </td>
                  <td className="text-right whitespace-nowrap">
                    <b className={after > before ? 'text-success font-semi' : 'text-warning font-semi'}>{change(before, after)}</b>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Panel>
    </div>
  )
}

function Spread({ buckets, same }: { buckets: Result['buckets']; same: number }) {
  const bars = [...buckets.map((one) => ({ from: one.fromPercent, members: one.members })), { from: -0.5, members: same }].toSorted(
    (a, b) => a.from - b.from,
  )
  const largest = Math.max(1, ...bars.map((one) => one.members))
  const [low, high] = [buckets[0]?.fromPercent ?? 0, buckets.at(-1)?.fromPercent ?? 0]
  const sign = (percent: number) => (percent > 0 ? `+${percent}` : percent < 0 ? `−${-percent}` : '0')
  return (
    <>
      <div
        className="flex h-[92px] items-end gap-[3px] border-b border-line-strong"
        role="img"
        aria-label={`Members by change, from ${sign(low)} to ${sign(high)} percent`}
      >
        {bars.map(({ from, members }) => (
          <i
            key={from}
            className={`min-h-0.5 flex-1 rounded-t-[2px] ${from === -0.5 ? 'bg-line-strong' : from < 0 ? 'bg-chart-4' : 'bg-chart-1'}`}
            style={{ height: `${(members / largest) * 100}%` }}
            title={from === -0.5 ? `${members} the same` : `${members} from ${sign(from)} %`}
          />
        ))}
      </div>
      <div className="flex min-w-0 items-center gap-2 justify-between text-xs text-muted mt-1">
        <span>{sign(low)} %</span>
        <span>{sign(high)} %</span>
      </div>
    </>
  )
}
