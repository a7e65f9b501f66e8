import { Link } from 'wouter'
import { plain } from '../../kit/strip-control-characters.ts'
import { brief } from '../../kit/when.ts'
import type { ValueDecisions } from './offers.ts'
import { tagClass } from '../../../ui/tag.tsx'
import { cx } from '../../../ui/cx.ts'

/** Shows the pending or planned value beside the current one. */
export function Pending({ of }: { of: ValueDecisions | undefined }) {
  return of?.pending.map(({ proposalId, title, status, startsAt, by, mine }) => (
    <Link
      key={proposalId}
      href={`/staff/changes/${proposalId}`}
      className={cx(tagClass('accent'), 'mx-1 my-0.5 inline-block! border-accent-line! whitespace-normal!')}
      title={plain(title)}
    >
      {plain(title)} {status === 'PLANNED' ? 'planned' : `proposed by ${mine ? 'you' : plain(by.name)}`}
      {startsAt === null ? '' : `, from ${brief(startsAt)}`}
    </Link>
  ))
}

/** Shows since when a value applies, and who set it. */
export function Since({ of }: { of: readonly (ValueDecisions | undefined)[] }) {
  const [latest] = of.filter((one) => one?.since).toSorted((a, b) => (b?.since?.getTime() ?? 0) - (a?.since?.getTime() ?? 0))
  if (!latest?.since) return <span className="text-faint">never changed</span>
  return (
    <span className="text-muted">
      {brief(latest.since)}, {latest.by.map((one) => plain(one.name).split(' ')[0]).join(' and ')}
    </span>
  )
}
