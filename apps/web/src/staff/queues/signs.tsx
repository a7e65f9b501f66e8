import Check from 'lucide-react/icons/check'
import Flag from 'lucide-react/icons/flag'
import { Link } from 'wouter'
import { plain } from '../lib/plain.ts'
import type { QueueRow } from './queue.ts'

/** What a sign is looked up in: a tab of the member, or the shared traces. */
const EVIDENCE: Readonly<Record<string, readonly [text: string, tab: string]>> = {
  NEW_ADDRESS: ['Compare', 'ledger'],
  LOOKALIKE: ['Compare', 'ledger'],
  MANY: ['Payouts', 'ledger'],
  DAY_LIMIT: ['Payouts', 'ledger'],
  RESET: ['Sign-ins', 'sessions'],
  RESTS: ['Sign-ins', 'sessions'],
  STOPPED: ['Sign-ins', 'sessions'],
  FRESH: ['Timeline', 'timeline'],
  BLOCKED: ['Timeline', 'timeline'],
}

function Evidence({ member, code }: { member: string; code: string }) {
  const found = EVIDENCE[code]
  const to = code === 'TRACE' ? `/staff/shared-traces?member=${member}` : found && `/staff/members/${member}/${found[1]}`
  return (
    to !== undefined && (
      <Link className="link sm" href={to}>
        {found?.[0] ?? 'Shared traces'}
      </Link>
    )
  )
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
                <Evidence member={item.member.id} code={sign.code} />
                {sign.detail !== undefined && <span className="sm mut">{plain(sign.detail)}</span>}
              </div>
            ))}
          </div>
        </section>
      )}
      {checks !== undefined && checks.length > 0 && (
        <ul className="quiet mt16" aria-label="Looked at and as usual">
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
