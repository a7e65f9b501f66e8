import Check from 'lucide-react/icons/check'
import Info from 'lucide-react/icons/info'
import Flag from 'lucide-react/icons/flag'
import { Link } from 'wouter'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import { sentences } from '../../kit/sentences.ts'
import type { QueueRow } from './queue.ts'
import { type Sign, weighSigns } from './sign-weight.ts'
import { FLAG_ROW } from '../../kit/flag-row.ts'

/** Labels of links to a sign's evidence. */
const EVIDENCE: Readonly<Record<string, string>> = {
  NEW_ADDRESS: 'Compare',
  LOOKALIKE: 'Compare',
  MANY: 'Payouts',
  DAY_LIMIT: 'Payouts',
  RESET: 'Sign-ins',
  RESTS: 'Sign-ins',
  STOPPED: 'Sign-ins',
  TRACE: 'Linked accounts',
  SCREENING: 'Matches',
}

/** Details of a sign, since when it applies and when it expires. */
function SignDetails({ sign: { detail, since, until } }: { sign: Sign }) {
  const parts = [
    ...(detail === undefined ? [] : [plain(detail)]),
    ...(since === undefined ? [] : [`since ${briefly(since)} UTC`]),
    ...(until === undefined ? [] : [`until ${briefly(until)} UTC`]),
  ].join(', ')
  return parts === '' ? null : <span className="text-xs text-muted">{sentences(parts)}</span>
}

/** The flags of a request, heaviest first; below them the quiet signs and the checks that passed. */
export function Signs({ item, checks }: { item: QueueRow; checks: readonly string[] | undefined }) {
  const { flags, quiet } = weighSigns(item.signs)
  return (
    <>
      {flags.length > 0 && (
        <section aria-label="Check before approving">
          <h3 className="mt-4 text-sm font-semi">Check before approving</h3>
          <div className="mt-1">
            {flags.map((sign, index) => (
              <div key={index} className={FLAG_ROW}>
                <Flag size={16} className="text-warning" aria-hidden="true" />
                <span className="font-semi">{plain(sign.text)}</span>
                {sign.href !== undefined && (
                  <Link className="link text-xs" href={sign.href}>
                    {EVIDENCE[sign.code] ?? 'Timeline'}
                  </Link>
                )}
                <SignDetails sign={sign} />
              </div>
            ))}
          </div>
        </section>
      )}
      {(quiet.length > 0 || (checks ?? []).length > 0) && (
        <ul
          className="mt-4 grid grid-cols-[1fr_1fr] gap-x-[18px] gap-y-[3px] text-xs text-muted max-md:grid-cols-[1fr]"
          aria-label="Checked, nothing unusual"
        >
          {quiet.map((sign) => (
            <li key={sign.code} className="flex min-w-0 items-center gap-1.5">
              <Info size={12} aria-hidden="true" />
              <span>{plain(sign.text)}</span>
              {sign.href !== undefined && (
                <Link className="link" href={sign.href}>
                  {EVIDENCE[sign.code] ?? 'Timeline'}
                </Link>
              )}
            </li>
          ))}
          {(checks ?? []).map((check) => (
            <li key={check} className="flex min-w-0 items-center gap-1.5">
              <Check size={12} className="text-success" aria-hidden="true" />
              {check}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
