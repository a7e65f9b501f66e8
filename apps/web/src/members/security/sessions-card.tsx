import type { ReplyOf } from '@tizara/contract'
import { endSession, listSessions } from '@tizara/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import Monitor from 'lucide-react/icons/monitor'
import { call, toApiError } from '../../lib/http/api.ts'
import { Moment } from '../../lib/moment.tsx'
import { read, refetch } from '../../lib/http/query.ts'
import { logOut } from '../../lib/http/session-calls.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { confirmMessage } from '../../ui/message-store.ts'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { rejectionText } from '../addresses/rejection-text.ts'
import { T } from '../../ui/t.tsx'

type Session = ReplyOf<typeof listSessions>[number]

/** Ends a session; an already ended one counts as success. */
async function end(id: string): Promise<void> {
  try {
    await call(endSession, { params: { id } })
  } catch (error) {
    if (toApiError(error).statusCode !== 404) throw error
  }
}

async function endOne(session: Session): Promise<void> {
  try {
    await end(session.id)
    toast(t('The session has ended.'))
  } catch (error) {
    toast(rejectionText(error), { tone: 'danger' })
  }
  await refetch(listSessions)
}

async function endAll(sessions: readonly Session[]): Promise<void> {
  const sure = await confirmMessage({
    title: t('Log out everywhere?'),
    text: t('All your sessions end, this one too. You sign in again with your password.'),
    confirmLabel: t('Log out everywhere'),
    danger: true,
  })
  if (!sure) return
  try {
    await Promise.all(sessions.filter((session) => !session.current).map((session) => end(session.id)))
    logOut()
  } catch (error) {
    toast(rejectionText(error), { tone: 'danger' })
    await refetch(listSessions)
  }
}

/** Lists the member's sessions, with a button to end each. */
export function SessionsCard({ className }: { className?: string }) {
  const { data: sessions, isPending, error } = useQuery(read(listSessions))
  // Only logged (ER-67); servers with only the specified calls have no session list.
  if (error !== null) return null
  return (
    <Card className={className}>
      <CardHeader
        title={t('Sessions')}
        hint={t('Where you are signed in. End sessions that you do not recognize, then change your password.')}
        action={
          sessions !== undefined && (
            <Button size="sm" onClick={() => endAll(sessions)}>
              {t('Log out everywhere')}
            </Button>
          )
        }
      />
      {isPending ? (
        <SkeletonText lines={3} />
      ) : (
        <ul className="divide-y">
          {sessions.map((session) => (
            <Line key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Line({ session }: { session: Session }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Monitor size={18} aria-hidden="true" className="text-faint" />
      <div className="min-w-0 flex-1 basis-36">
        <p className="truncate font-medium">{session.device}</p>
        <p className="text-sm text-muted">
          {session.ip ? `${session.ip} · ` : ''}
          <T text="last seen {moment}" moment={<Moment at={session.lastSeenAt} time />} />
        </p>
      </div>
      {session.current ? (
        <Badge tone="accent" plain>
          {t('This session')}
        </Badge>
      ) : (
        <Button size="sm" aria-label={t('End session {device}', { device: session.device })} onClick={() => endOne(session)}>
          {t('End')}
        </Button>
      )}
    </li>
  )
}
