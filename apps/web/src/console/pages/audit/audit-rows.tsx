import type { ReplyOf } from '@tizara/contract'
import type { staffAudit } from '@tizara/contract/staff'
import { Fragment, useState } from 'react'
import { Avatar } from '../../kit/avatar.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { shortHash } from './chain-signs.tsx'
import { Heads } from '../../kit/heads.tsx'
import { Table } from '../../../ui/table.tsx'
import { Badge } from '../../../ui/badge.tsx'

type Row = ReplyOf<typeof staffAudit>['data'][number]

const HEADS = ['Time, UTC', 'Actor', 'Action', 'Subject', 'Reason', 'Chain'] as const

/** Lists the audit rows. A press opens the details. */
export function AuditRows({ rows }: { rows: readonly Row[] }) {
  const [open, setOpen] = useState<string>()
  if (rows.length === 0) return null
  return (
    <Table dense folds>
      <Heads columns={HEADS} />
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <AuditRow row={row} isOpen={row.id === open} onOpen={() => setOpen(row.id === open ? undefined : row.id)} />
            {row.id === open && (
              <tr>
                <td className="px-4 pt-2 pb-3 max-md:block! max-md:text-left!" colSpan={HEADS.length}>
                  <div
                    id={`audit-${row.id}`}
                    className="rounded-[9px] bg-raised px-3.5 py-2.5 font-mono text-[12px]/[19px] font-normal wrap-anywhere whitespace-pre-wrap"
                  >
                    {detailText(row)}
                  </div>
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Table>
  )
}

function AuditRow({ row, isOpen, onOpen }: { row: Row; isOpen: boolean; onOpen: () => void }) {
  const isStaff = row.role !== 'MEMBER' && row.role !== 'VISITOR'
  const name = row.name ?? row.actor
  return (
    // The button in the row has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr onClick={onOpen}>
      <td data-label="Time, UTC" title={utcAndLocal(row.createdAt)}>
        <span className="font-mono text-xs">{timeOf(row.createdAt)}</span>
      </td>
      <td data-label="Actor">
        <span className="flex min-w-0 items-center gap-2">
          {row.role !== 'SYSTEM' && <Avatar name={name} size="s" staff={isStaff} />}
          <span className="truncate" title={plain(row.actor)}>
            {row.role === 'SYSTEM' ? 'System' : plain(name)}
          </span>
          {row.role !== 'SYSTEM' && <span className="text-faint text-2xs">{row.role}</span>}
        </span>
      </td>
      <td data-label="Action">
        <button
          type="button"
          className="text-start"
          aria-expanded={isOpen}
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
        >
          {plain(row.text ?? row.action)}
        </button>{' '}
        {row.outcome !== 'ok' && row.outcome !== undefined && <Badge tone="warning">refused: {row.outcome}</Badge>}
      </td>
      <td data-label="Subject" className="truncate max-w-[220px] max-md:max-w-none" title={plain(row.subject)}>
        {plain(row.about ?? row.subject)}
      </td>
      <td data-label="Reason" className="text-muted">
        {row.reason === null || row.reason === undefined ? null : plain(row.reason)}
      </td>
      <td data-label="Chain" className="font-mono text-xs text-faint whitespace-nowrap">
        <span>
          <span className="mr-[3px] inline-block size-[7px] rounded-full border-[1.5px] border-success" aria-hidden="true" />{' '}
          {shortHash(row.hash ?? '', 6)}
        </span>
      </td>
    </tr>
  )
}

/** Formats a time with seconds; adds the day if before today. */
function timeOf(at: Date): string {
  const [day, clock] = [brief(at), at.toISOString().slice(11, 19)]
  return /^\d\d:\d\d$/.test(day) ? clock : `${day} ${clock}`
}

function detailText(row: Row): string {
  const { detail } = (row.details ?? {}) as { detail?: unknown }
  const lines = [
    ['row', row.id],
    ['at', row.createdAt.toISOString()],
    ['action', row.action],
    ['actor', `${row.actor} ${row.role ?? ''}`],
    ['subject', row.subject],
    ['reason', row.reason ?? ''],
    ...Object.entries(typeof detail === 'object' && detail !== null ? detail : {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    [
      'from',
      [row.ip, row.requestId === null || row.requestId === undefined ? undefined : `request ${row.requestId}`].filter(Boolean).join('   '),
    ],
    ['hash', `${shortHash(row.hash ?? '')} …  =  sha256( previous ${shortHash(row.previousHash ?? '', 8)} …  +  this row )`],
  ]
  return lines
    .filter(([, text]) => text !== '')
    .map(([name = '', text = '']) => `${name.padEnd(10)} ${plain(text)}`)
    .join('\n')
}
