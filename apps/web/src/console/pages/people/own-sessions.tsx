import { endSession, listSessions } from '@tizara/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { useMe } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { age, utcAndLocal, briefly } from '../../kit/when.ts'

/** Lists the reader's sessions. All but the current one can be ended. */
export function OwnSessions() {
  const me = useMe()
  const { data = [] } = useQuery(watch(listSessions, {}))

  async function end(id: string): Promise<void> {
    try {
      await call(endSession, { params: { id } })
    } catch (error) {
      toast(toApiError(error).message, { tone: 'danger' })
    }
    await refetch(listSessions)
  }
  return (
    <Panel
      title="Your sessions"
      right={
        <a className="link" href="/profile">
          Passkeys and app
        </a>
      }
    >
      <ul className="px-4 pt-3 pb-4">
        {data.map((one) => (
          <li key={one.id} className="flex min-w-0 items-center gap-2 border-t py-[9px] first:border-t-0">
            <span className="min-w-0 flex-1">
              <span className="font-semi">
                {one.current ? `This one, ${plain(one.device ?? '')}` : plain(one.device ?? 'Unknown device')}
              </span>
              <span className="text-xs text-muted block" title={utcAndLocal(one.lastSeenAt)}>
                {one.current
                  ? `ends after ${Math.round(me.idleSeconds / 60)} minutes idle, at ${briefly(me.endsAt)} UTC at the latest`
                  : `${age(one.lastSeenAt)} ago`}
              </span>
            </span>
            {!one.current && (
              <SendButton size="sm" onClick={() => end(one.id)}>
                End
              </SendButton>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
