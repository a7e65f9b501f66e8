import { staffIncidents, takeIncident } from '@tizara/contract/staff-platform'
import { useQuery } from '@tanstack/react-query'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../../lib/http/api.ts'
import { toast } from '../../ui/toast-store.ts'
import { useMay, useMe } from '../kit/me.tsx'
import { SendButton } from '../kit/offline.tsx'
import { useOverview } from '../kit/overview.ts'
import { plain } from '../kit/strip-control-characters.ts'
import { watch } from '../kit/watch.ts'
import { utcAndLocal, brief } from '../kit/when.ts'
import { rereadPlatform } from './reread-platform.ts'
import { cx } from '../../ui/cx.ts'
import { Button } from '../../ui/button.tsx'
import { buttonClass } from '../../ui/button-class.ts'

const AnswerDialog = lazy(() => import('./pause-dialogs.tsx').then((file) => ({ default: file.AnswerDialog })))
const ClaimDialog = lazy(() => import('./pause-dialogs.tsx').then((file) => ({ default: file.ClaimDialog })))
const ResumeDialog = lazy(() => import('./pause-dialogs.tsx').then((file) => ({ default: file.ResumeDialog })))

/** Lists platform problems under the top bar, one per line, red first. */
export function Banner() {
  const me = useMe()
  const mayTake = useMay('takeIncident')
  const mayAnswer = useMay('answerChain')
  const [answering, setAnswering] = useState<string>()
  const [claiming, setClaiming] = useState<{ id: string; addresses: readonly string[] }>()
  const { data: incidents = [] } = useQuery(watch(staffIncidents, {}))
  const paused = useOverview().data?.paused

  async function take(id: string): Promise<void> {
    try {
      await call(takeIncident, { params: { id }, body: {} })
    } catch (error) {
      toast(toApiError(error).message, { tone: 'danger' })
    }
    await rereadPlatform()
  }
  return (
    <>
      {paused !== undefined && <PauseNotice since={paused.since} why={paused.why} />}
      {incidents.map((one) => (
        <Line key={one.id} red={one.level === 'red'}>
          <b>
            {plain(one.text)} <span title={utcAndLocal(one.since)}>since {brief(one.since)} UTC.</span>
          </b>{' '}
          {one.meaning}
          <span className="float-right ml-3 inline-flex items-center gap-2">
            {one.takenBy !== undefined && (
              <span className="text-muted text-xs">
                {one.takenBy.id === me.person.id ? 'You' : plain(one.takenBy.name)} is handling it
                {one.takenAt === undefined ? '' : `, ${brief(one.takenAt)}`}
              </span>
            )}
            {mayTake && one.takenBy?.id !== me.person.id && (
              <SendButton size="sm" onClick={() => take(one.id)}>
                I am handling it
              </SendButton>
            )}
            {mayAnswer && one.answerableId !== undefined && (
              <Button size="sm" onClick={() => setAnswering(one.answerableId)}>
                Propose an answer
              </Button>
            )}
            {mayAnswer && one.answerableId !== undefined && one.unclaimedAddresses !== undefined && (
              <Button size="sm" onClick={() => setClaiming({ id: one.answerableId ?? '', addresses: one.unclaimedAddresses ?? [] })}>
                Propose a credit
              </Button>
            )}
            {one.href !== undefined && (
              <Link href={one.href} className={buttonClass('secondary', 'sm')}>
                Details
              </Link>
            )}
          </span>
        </Line>
      ))}
      {claiming !== undefined && (
        <Suspense fallback={null}>
          <ClaimDialog {...claiming} onClose={() => setClaiming(undefined)} />
        </Suspense>
      )}
      {answering !== undefined && (
        <Suspense fallback={null}>
          <AnswerDialog id={answering} onClose={() => setAnswering(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function PauseNotice({ since, why }: { since: Date; why: string }) {
  const mayResume = useMay('resumePlatform')
  const [asking, setAsking] = useState(false)
  return (
    <Line red>
      <b>
        Payouts, credits and reward runs are paused <span title={utcAndLocal(since)}>since {brief(since)} UTC</span>: {plain(why)}.
      </b>{' '}
      Members’ requests are accepted and wait.
      <span className="float-right ml-3 inline-flex items-center gap-2">
        {mayResume && (
          <Button size="sm" onClick={() => setAsking(true)}>
            Propose to resume
          </Button>
        )}
      </span>
      {asking && (
        <Suspense fallback={null}>
          <ResumeDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </Line>
  )
}

function Line({ red = false, children }: { red?: boolean; children: ReactNode }) {
  return (
    <div
      className={cx(
        'flex flex-none items-start gap-2.5 border-b px-4 py-2',
        red
          ? 'border-[color-mix(in_oklch,var(--danger-line)_50%,transparent)] bg-danger-soft'
          : 'border-[color-mix(in_oklch,var(--warning-line)_50%,transparent)] bg-warning-soft',
      )}
      role={red ? 'alert' : 'status'}
    >
      <TriangleAlert size={16} className={cx('mt-0.5', red ? 'text-danger' : 'text-warning')} aria-hidden="true" />
      <div className="flow-root min-w-0 flex-1">{children}</div>
    </div>
  )
}
