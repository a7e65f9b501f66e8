import type { ReplyOf } from '@tizara/contract'
import { staffAuditChain } from '@tizara/contract/staff-audit'
import { useQuery } from '@tanstack/react-query'
import Link2 from 'lucide-react/icons/link-2'
import Link2Off from 'lucide-react/icons/link-2-off'
import { formatUtc } from '../../../lib/format.ts'
import { watch } from '../../kit/watch.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { panelClass } from '../../../ui/panel.tsx'

type Chain = ReplyOf<typeof staffAuditChain>

const WHAT = {
  CHANGED: 'was changed, or an earlier row is missing',
  CUT: 'is missing: the end of the log was cut off',
  FORGED: 'does not match its hash stored outside the database',
  UNSIGNED: 'has a hash stored outside the database that was changed, or signed with another DATA_KEY',
} as const

/** Formats the first 16 characters of a hash in groups of four. */
export const shortHash = (hash: string, signs = 16): string => hash.slice(0, signs).replace(/(.{4})(?=.)/g, '$1 ')

const title = ({ ok }: Chain): string =>
  ok === undefined ? 'The chain has not been checked yet' : ok ? 'The chain is unbroken' : 'The chain is broken'

/** Shows the last chain check, the newest row and the externally stored head. */
export function ChainSigns() {
  const { data } = useQuery(watch(staffAuditChain, {}))
  if (data === undefined) return <div className={panelClass('h-[66px]')} aria-busy="true" role="status" aria-label="Loading" />
  const { anchor, firstBad, head } = data
  return (
    <section className={panelClass()} aria-label="Chain">
      <div className="grid grid-cols-[auto_1fr_1fr_1fr] *:border-l *:px-4 *:pt-3.5 *:pb-[13px] *:first:border-l-0 max-[901px]:grid-cols-[1fr_1fr]">
        <div className="flex min-w-0 items-center gap-3">
          <span className={data.ok === false ? 'text-danger' : data.ok === true ? 'text-success' : 'text-faint'}>
            {data.ok === false ? <Link2Off size={20} aria-hidden="true" /> : <Link2 size={20} aria-hidden="true" />}
          </span>
          <div>
            <div className="font-strong text-md text-ink">{title(data)}</div>
            <div className="text-xs text-muted">
              {firstBad === undefined
                ? `${data.rows.toLocaleString('en-US')} rows${data.since === undefined ? '' : `, from ${brief(data.since)} on`}`
                : `Row ${firstBad.row} ${WHAT[firstBad.what]}`}
            </div>
          </div>
        </div>
        <div>
          <div className="text-[12px] text-muted">Checked in full</div>
          <div className="font-semi" title={data.checkedAt === undefined ? undefined : utcAndLocal(data.checkedAt)}>
            {data.checkedAt === undefined ? 'Not yet' : `${formatUtc(data.checkedAt)}, in ${((data.tookMs ?? 0) / 1000).toFixed(1)} s`}
          </div>
        </div>
        <div>
          <div className="text-[12px] text-muted">Newest row</div>
          <div>
            {head === undefined ? (
              'None'
            ) : (
              <span className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-muted">
                {shortHash(head.hash)}
              </span>
            )}
          </div>
        </div>
        <div>
          <div className="text-[12px] text-muted">Stored outside the database</div>
          <div className={anchor?.matches === false ? 'font-semi text-danger' : 'font-semi'}>
            {anchor === undefined ? 'Nothing yet' : `${brief(anchor.at)}, row ${anchor.row}${matchWord(anchor.matches)}`}
          </div>
        </div>
      </div>
    </section>
  )
}

const matchWord = (matches: boolean | undefined): string => (matches === undefined ? '' : matches ? ', matches' : ', does not match')
