import { useQuery } from '@tanstack/react-query'
import { type finding, staffHealth } from '@tizara/contract/staff-health'
import type * as v from 'valibot'
import { read, refetch } from '../../../lib/http/query.ts'
import { Link } from 'wouter'
import { buttonClass } from '../../../ui/button-class.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { age, briefly, utcAndLocal } from '../../kit/when.ts'
import { Page } from '../../kit/page.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'

type Finding = v.InferOutput<typeof finding>

const SIGNS = { bad: 'Error', warning: 'Warning', good: 'OK' } as const
const TONES = { bad: 'danger', warning: 'warning', good: 'success' } as const
const ORDER = ['bad', 'warning', 'good'] as const

/** `/staff/health`: results of the health checks, errors first: since when, who is affected, the page and the command that fix it. */
export default function HealthView() {
  // Calls external services too, so it runs only on opening or on request.
  const health = useQuery({ ...read(staffHealth), refetchOnWindowFocus: false, staleTime: 60_000 })
  const findings = health.data?.findings ?? []
  const at = health.data === undefined ? undefined : new Date(health.data.at)
  return (
    <Page
      title="Health"
      width={980}
      hint={
        at === undefined ? (
          'Checks settings, database, mail, provider, certificate, worker and records.'
        ) : (
          <span title={utcAndLocal(at)}>
            {health.data?.version}, checked {age(at)} ago. The same as <code>tizara doctor</code>.
          </span>
        )
      }
      right={
        <Button aria-disabled={health.isFetching} onClick={() => refetch(staffHealth)}>
          Run checks
        </Button>
      }
    >
      <ListState query={health} rows={findings.length} none="No checks have run" />
      <ul className="grid overflow-hidden rounded-lg border [&_code]:wrap-anywhere [&_code]:select-all" aria-label="Checks">
        {ORDER.flatMap((state) => findings.filter((one) => one.state === state)).map((one, index) => (
          <Line key={index} one={one} />
        ))}
      </ul>
    </Page>
  )
}

function Line({ one: { area, state, what, affects, action, since, fix } }: { one: Finding }) {
  // The command is the text in backticks, or else the whole text.
  const command = fix === undefined ? undefined : (/`([^`]+)`/.exec(fix)?.[1] ?? fix)
  return (
    <li className="grid grid-cols-[72px_96px_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-t px-3.5 py-[9px] first:border-t-0 max-[560px]:grid-cols-[72px_minmax(0,1fr)]">
      <Badge tone={TONES[state]} className="justify-self-start">
        {SIGNS[state]}
      </Badge>
      <span className="text-muted">{area}</span>
      <div className="grid gap-1 max-[560px]:col-span-full">
        <p className={cx('first-letter:uppercase', state !== 'good' && 'font-semi')}>{what}</p>
        {affects !== undefined && (
          <p>
            {since && (
              <span className="text-muted" title={utcAndLocal(since)}>
                Since {briefly(since)} UTC.{' '}
              </span>
            )}
            {affects}
          </p>
        )}
        {action !== undefined && (
          <p>
            <Link className={buttonClass('secondary', 'sm')} href={action.href}>
              {action.label}
            </Link>
          </p>
        )}
        {fix !== undefined && command !== undefined && (
          <p className="flex min-w-0 items-center gap-2 text-xs text-muted">
            <span className="min-w-0 flex-1">
              On the server: <code>{fix.replaceAll('`', '')}</code>
            </span>
            <CopyButton text={command} label="Copy fix command" iconOnly />
          </p>
        )}
      </div>
    </li>
  )
}
