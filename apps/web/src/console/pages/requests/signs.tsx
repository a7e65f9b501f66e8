import Check from 'lucide-react/icons/check'
import Flag from 'lucide-react/icons/flag'
import { Link } from 'wouter'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import type { QueueRow } from './queue.ts'

type Sign = NonNullable<QueueRow['signs']>[number]

/** What the way to a sign's evidence is called. */
const EVIDENCE: Readonly<Record<string, string>> = {
  NEW_ADDRESS: 'Compare',
  LOOKALIKE: 'Compare',
  MANY: 'Payouts',
  DAY_LIMIT: 'Payouts',
  RESET: 'Sign-ins',
  RESTS: 'Sign-ins',
  STOPPED: 'Sign-ins',
  TRACE: 'Shared traces',
}

/** What a sign rests on, since when it is so and when it goes away by itself. */
function Rests({ sign: { detail, since, until } }: { sign: Sign }) {
  const parts = [
    ...(detail === undefined ? [] : [plain(detail)]),
    ...(since === undefined ? [] : [`since ${briefly(since)} UTC`]),
    ...(until === undefined ? [] : [`goes away ${briefly(until)} UTC`]),
  ].join(', ')
  return parts === '' ? null : <span className="sm mut">{parts.charAt(0).toUpperCase() + parts.slice(1)}.</span>
}

/** What is unusual, with what it rests on; then what was looked at and is as usual. */
export function Signs({ item, checks }: { item: QueueRow; checks: readonly string[] | undefined }) {
  const signs = item.signs ?? []
  return (
    <>
      {signs.length > 0 && (
        <section aria-label="Worth a second look">
          <h3 className="t mt16">Worth a second look</h3>
          <div className="mt4">
            {signs.map((sign, place) => (
              <div key={place} className="look">
                <Flag size={16} className="warn" aria-hidden="true" />
                <span className="b">{plain(sign.text)}</span>
                {sign.href !== undefined && (
                  <Link className="link sm" href={sign.href}>
                    {EVIDENCE[sign.code] ?? 'Timeline'}
                  </Link>
                )}
                <Rests sign={sign} />
              </div>
            ))}
          </div>
        </section>
      )}
      {checks !== undefined && checks.length > 0 && (
        <ul className="quiet mt16" aria-label="AuditedRow at and as usual">
          {checks.map((check) => (
            <li key={check} className="row" style={{ gap: 6 }}>
              <Check size={12} className="ok" aria-hidden="true" />
              {check}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
