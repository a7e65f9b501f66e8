import type { ReplyOf } from '@tizara/contract'
import { endApiKey, listApiKeys } from '@tizara/contract/api-keys'
import { useQuery } from '@tanstack/react-query'
import { joinList, t } from '@tizara/languages'
import KeySquare from 'lucide-react/icons/key-square'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { Moment } from '../../lib/moment.tsx'
import { read, refetch } from '../../lib/http/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { confirmMessage } from '../../ui/message-store.ts'
import { toast } from '../../ui/toast-store.ts'
import { rejectionText } from '../addresses/rejection-text.ts'
import { T } from '../../ui/t.tsx'

const ApiKeyDialog = lazy(() => import('./api-key.dialog.tsx'))

type ApiKey = ReplyOf<typeof listApiKeys>['keys'][number]

async function revoke({ id, name }: ApiKey): Promise<void> {
  const sure = await confirmMessage({
    title: t('Revoke “{name}”?', { name }),
    text: t('Software that uses this key gets no more answers.'),
    confirmLabel: t('Revoke key'),
    danger: true,
  })
  if (!sure) return
  try {
    await call(endApiKey, { params: { id } })
    toast(t('The API key is revoked.'))
  } catch (error) {
    toast(rejectionText(error), { tone: 'danger' })
  }
  await refetch(listApiKeys)
}

/** The member's API keys, with which other software reads the member's data. */
export default function ApiKeysCard({ withApp, className }: { withApp: boolean; className?: string }) {
  const { data } = useQuery(read(listApiKeys))
  const [creating, setCreating] = useState(false)
  // Only logged (ER-67); servers with only the specified calls have no keys.
  if (data === undefined) return null
  return (
    <Card className={className}>
      <CardHeader
        title={t('API keys')}
        hint={t(
          'Other software, such as a tax program, reads your data with a key. A key cannot move money or change anything. All keys end when you change your password, your email address or your second factor.',
        )}
        action={
          <Button size="sm" onClick={() => setCreating(true)}>
            {t('Create a key')}
          </Button>
        }
      />
      {data.keys.length === 0 ? (
        <p className="text-sm text-muted">{t('No API keys yet.')}</p>
      ) : (
        <ul className="divide-y">
          {data.keys.map((key) => (
            <Line key={key.id} apiKey={key} groups={groupsOf(key, data.rights)} />
          ))}
        </ul>
      )}
      {creating && (
        <Suspense fallback={null}>
          <ApiKeyDialog rights={data.rights} withApp={withApp} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Card>
  )
}

const groupsOf = (key: ApiKey, rights: ReplyOf<typeof listApiKeys>['rights']): string[] => [
  ...new Set(rights.filter(({ name }) => key.rights.includes(name)).map(({ group }) => group)),
]

function Line({ apiKey, groups }: { apiKey: ApiKey; groups: readonly string[] }) {
  const { name, networks, createdAt, expiresAt, lastUsedAt, lastUsedIp } = apiKey
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeySquare size={18} aria-hidden="true" className="text-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm break-words text-muted">
          <T
            text="Reads {groups} {networks}"
            groups={joinList(groups.map((group) => t(group)))}
            networks={networks.length > 0 && t('from {networks}', { networks: joinList(networks) })}
          />
        </p>
        <p className="text-sm text-muted">
          <T text="Created {moment}, expires {moment2}" moment={<Moment at={createdAt} />} moment2={<Moment at={expiresAt} />} />
          {lastUsedAt === null ? (
            t(', not used yet')
          ) : (
            <T
              text=", last used {moment} {lastUsedIp}"
              moment={<Moment at={lastUsedAt} time />}
              lastUsedIp={lastUsedIp && t('from {lastUsedIp}', { lastUsedIp })}
            />
          )}
        </p>
      </div>
      <Button size="sm" aria-label={t('Revoke {name}', { name })} onClick={() => void revoke(apiKey)}>
        {t('Revoke')}
      </Button>
    </li>
  )
}
