import { Link } from 'wouter'
import { downloadFile } from '../../../lib/load-file.ts'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { change, type Result, short } from './result.tsx'
import { Heads } from '../../kit/heads.tsx'

/** Who would get more, and who less. */
export function Gainers({ result, file }: { result: Result; file: { href: string; name: string } | undefined }) {
  const { more, less, same, buckets, top } = result
  const all = more + less + same
  return (
    <div className="gainers">
      <Panel title="Who gets more, who less">
        <div className="in">
          <Spread buckets={buckets} same={same} />
          <p className="sm mut mt4">
            {same.toLocaleString('en-US')} the same · <span className="ok">{more.toLocaleString('en-US')} more</span> ·{' '}
            <span className="warn">{less.toLocaleString('en-US')} less</span>
          </p>
        </div>
      </Panel>
      <Panel
        title="Largest changes"
        right={
          file !== undefined && (
            <button type="button" className="link sm" onClick={() => void downloadFile(file.href, file.name)}>
              All {all.toLocaleString('en-US')}, CSV
            </button>
          )
        }
      >
        {top.length === 0 ? (
          <p className="in mut">Nobody would get more or less.</p>
        ) : (
          <table className="d">
            <Heads of={['Member', ['Was, would be', 'num'], ['Change', 'num']]} />
            <tbody>
              {top.slice(0, 5).map(({ member, asset, before, after }) => (
                <tr key={`${member.id} ${asset}`}>
                  <td>
                    <Link href={`/staff/members/${member.id}`} className="link">
                      {plain(member.name)}
                    </Link>
                  </td>
                  <td className="num">
                    <span className="mut">{short(before)} →</span> {short(after)}
                    {asset === 'usd' && <span className="u">USD</span>}
                  </td>
                  <td className="num">
                    <b className={after > before ? 'ok b' : 'warn b'}>{change(before, after)}</b>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
    </div>
  )
}

function Spread({ buckets, same }: { buckets: Result['buckets']; same: number }) {
  const bars = [...buckets.map((one) => ({ from: one.fromPercent, members: one.members })), { from: -0.5, members: same }].toSorted(
    (a, b) => a.from - b.from,
  )
  const most = Math.max(1, ...bars.map((one) => one.members))
  const [low, high] = [buckets[0]?.fromPercent ?? 0, buckets.at(-1)?.fromPercent ?? 0]
  const sign = (percent: number) => (percent > 0 ? `+${percent}` : percent < 0 ? `−${-percent}` : '0')
  return (
    <>
      <div className="spread" role="img" aria-label={`Members by change, from ${sign(low)} to ${sign(high)} percent`}>
        {bars.map(({ from, members }) => (
          <i
            key={from}
            className={from === -0.5 ? 'same' : from < 0 ? 'less' : 'more'}
            style={{ height: `${(members / most) * 100}%` }}
            title={from === -0.5 ? `${members} the same` : `${members} from ${sign(from)} %`}
          />
        ))}
      </div>
      <div className="row sb sm mut mt4">
        <span>{sign(low)} %</span>
        <span>{sign(high)} %</span>
      </div>
    </>
  )
}
