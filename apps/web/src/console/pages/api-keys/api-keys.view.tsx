import type { ReplyOf } from '@tizara/contract'
import { endStaffApiKey, fetchApiKey, staffApiKeys } from '@tizara/contract/staff-api-keys'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { errorTextOf } from '../../kit/error-text.ts'
import { Heads } from '../../kit/heads.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { briefly } from '../../kit/when.ts'
import { ProposeKey } from './propose-key.tsx'

type OperatorKey = ReplyOf<typeof staffApiKeys>['keys'][number]

/** `/staff/api-keys`: the operator's API keys, with which other software reads calls of staff. */
export default function ApiKeysView() {
  const list = useQuery(watch(staffApiKeys, {}))
  const mayPropose = useMay('change.api-key')
  const whoProposes = useWhoCan('change.api-key')
  const [proposing, setProposing] = useState(false)
  const [ending, setEnding] = useState<OperatorKey>()
  const [fetched, setFetched] = useState<{ name: string; key: string }>()
  const keys = list.data?.keys ?? []

  async function fetchKey({ id, name }: OperatorKey): Promise<void> {
    try {
      const { data } = await call(fetchApiKey, { params: { id } })
      setFetched({ name, key: data.key })
    } catch (error) {
      toast(errorTextOf(error), { tone: 'danger' })
    }
    await refetch(staffApiKeys)
  }
  return (
    <Page
      title="API keys"
      hint="Other software reads figures of the platform with a key. A key shows no personal data, and it can neither move money nor decide."
      right={
        <Button aria-disabled={!mayPropose} title={mayPropose ? undefined : whoProposes} onClick={() => mayPropose && setProposing(true)}>
          Propose a key
        </Button>
      }
    >
      {fetched !== undefined && (
        <Notice tone="warning" title={`The key “${plain(fetched.name)}”`} className="mt-3">
          Copy it now. It is shown only once. Software sends it as <code>Authorization: Bearer</code> and the key.
          <CopyField value={fetched.key} label="API key" className="mt-2" />
        </Notice>
      )}
      <Panel title="Live keys" className="mt-3">
        <ListState query={list} rows={keys.length} none="No API keys yet" hint="One person proposes a key, another approves it." />
        {keys.length > 0 && (
          <Table folds>
            <Heads columns={['Name', 'Owner', 'May read', 'Networks', 'Expires', 'Last use', ['Actions', 'sr']]} />
            <tbody>
              {keys.map((key) => (
                <KeyRow key={key.id} row={key} onFetch={() => fetchKey(key)} onEnd={() => setEnding(key)} />
              ))}
            </tbody>
          </Table>
        )}
      </Panel>
      {proposing && list.data !== undefined && <ProposeKey rights={list.data.rights} onClose={() => setProposing(false)} />}
      {ending !== undefined && <EndKey row={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  )
}

function KeyRow({ row, onFetch, onEnd }: { row: OperatorKey; onFetch: () => Promise<void>; onEnd: () => void }) {
  const { name, owner, rights, networks, expiresAt, lastUsedAt, lastUsedIp, canFetch } = row
  return (
    <tr>
      <td className="break-words">{plain(name)}</td>
      <td data-label="Owner">{plain(owner.name)}</td>
      <td data-label="May read" className="break-words">
        {rights.join(', ')}
      </td>
      <td data-label="Networks" className="break-words">
        {networks.length === 0 ? 'all' : networks.join(', ')}
      </td>
      <td data-label="Expires">{briefly(expiresAt)} UTC</td>
      <td data-label="Last use">
        {lastUsedAt === null ? 'never' : `${briefly(lastUsedAt)} UTC`}
        {lastUsedIp && <span className="block text-xs text-muted">{lastUsedIp}</span>}
      </td>
      <td data-label="Actions">
        <div className="flex flex-wrap gap-1.5">
          {canFetch && (
            <Button size="sm" variant="primary" aria-label={`Show the key ${plain(name)}`} onClick={onFetch}>
              Show the key
            </Button>
          )}
          <Button size="sm" aria-label={`Revoke ${plain(name)}`} onClick={onEnd}>
            Revoke
          </Button>
        </div>
      </td>
    </tr>
  )
}

const EndKey = ({ row: { id, name }, onClose }: { row: OperatorKey; onClose: () => void }) => (
  <ActDialog
    title={`Revoke “${plain(name)}”`}
    effects={['Software that uses this key gets no more answers.', 'It cannot be switched on again.']}
    verb="Revoke key"
    danger
    draft={`api-key:${id}`}
    onDo={async (reason) => {
      toast((await call(endStaffApiKey, { params: { id }, body: { reason } })).message)
      await refetch(staffApiKeys)
    }}
    onClose={onClose}
  />
)
