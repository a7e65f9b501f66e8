import type { ReplyOf } from '@tizara/contract'
import type { staffAudit } from '@tizara/contract/staff'
import { Fragment, useState } from 'react'
import { Avatar } from '../../kit/avatar.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { bothClocks, brief } from '../../kit/when.ts'
import { shortHash } from './chain-signs.tsx'
import { Heads } from '../../kit/heads.tsx'

type Row = ReplyOf<typeof staffAudit>['data'][number]

const HEADS = ['Time, UTC', 'Who', 'Did', 'To', 'Why', 'Chain'] as const

/** The rows; a press opens what a row says besides. */
export function AuditRows({ rows }: { rows: readonly Row[] }) {
  const [open, setOpen] = useState<string>()
  if (rows.length === 0) return null
  return (
    <table className="d">
      <Heads of={HEADS} />
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <AuditRow row={row} isOpen={row.id === open} onOpen={() => setOpen(row.id === open ? undefined : row.id)} />
            {row.id === open && (
              <tr>
                <td colSpan={HEADS.length} style={{ padding: '8px 16px 12px' }}>
                  <div className="json" id={`audit-${row.id}`}>
                    {saysOf(row)}
                  </div>
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function AuditRow({ row, isOpen, onOpen }: { row: Row; isOpen: boolean; onOpen: () => void }) {
  const isStaff = row.role !== 'MEMBER' && row.role !== 'VISITOR'
  const name = row.name ?? row.actor
  return (
    // The button in the row has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr onClick={onOpen}>
      <td title={bothClocks(row.createdAt)}>
        <span className="mono">{timeOf(row.createdAt)}</span>
      </td>
      <td>
        <span className="row">
          {row.role !== 'SYSTEM' && <Avatar name={name} size="s" staff={isStaff} />}
          <span className="tr" title={plain(row.actor)}>
            {row.role === 'SYSTEM' ? 'System' : plain(name)}
          </span>
          {row.role !== 'SYSTEM' && <span className="fnt xs">{row.role}</span>}
        </span>
      </td>
      <td>
        <button
          type="button"
          className="mono"
          aria-expanded={isOpen}
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
        >
          {row.action.replace(/^staff\./, '')}
        </button>{' '}
        {row.outcome !== 'ok' && row.outcome !== undefined && <span className="badge warn">refused: {row.outcome}</span>}
      </td>
      <td className="tr" style={{ maxWidth: 220 }} title={plain(row.subject)}>
        {plain(row.about ?? row.subject)}
      </td>
      <td className="mut">{plain(row.reason ?? '')}</td>
      <td className="mono fnt" style={{ whiteSpace: 'nowrap' }}>
        <span className="link-dot" aria-hidden="true" /> {shortHash(row.hash ?? '', 6)}
      </td>
    </tr>
  )
}

/** With seconds; before today with the day. */
function timeOf(at: Date): string {
  const [day, clock] = [brief(at), at.toISOString().slice(11, 19)]
  return /^\d\d:\d\d$/.test(day) ? clock : `${day} ${clock}`
}

function saysOf(row: Row): string {
  const { detail } = (row.details ?? {}) as { detail?: unknown }
  const lines = [
    ['row', row.id],
    ['at', row.createdAt.toISOString()],
    ['by', `${row.actor} ${row.role ?? ''}`],
    ['to', row.subject],
    ['why', row.reason ?? ''],
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
