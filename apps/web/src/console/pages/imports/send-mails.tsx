import type { ReplyOf } from '@tizara/contract'
import { MAX_MAILS_PER_HOUR, MIN_MAILS_PER_HOUR, sendImportMails, staffImports } from '@tizara/contract/staff-imports'
import { useId, useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'

type ImportRow = ReplyOf<typeof staffImports>['imports'][number]

const USUAL_PER_HOUR = 3_600

/** Starts the mails to imported members with a ceiling per hour, changes it, or stops the mails. */
export function SendMails({ row, onClose }: { row: ImportRow; onClose: () => void }) {
  const id = useId()
  const waiting = row.mails?.waiting ?? 0
  const [perHour, setPerHour] = useState(String(row.mails?.perHour ?? USUAL_PER_HOUR))
  const hours = Math.ceil(waiting / Math.max(1, Number(perHour)))
  return (
    <ActDialog
      title="Send mails to the imported members"
      effects={[
        `${waiting.toLocaleString('en-US')} active members get one mail each: that their account has moved, and how they sign in.`,
        'A mail that went out cannot be taken back. 0 stops the others.',
      ]}
      verb="Save"
      draft={`import-mails:${row.hash}`}
      onDo={async (reason) => {
        const { message } = await call(sendImportMails, { params: { hash: row.hash }, body: { perHour: Number(perHour), reason } })
        toast(message)
        await refetch(staffImports)
      }}
      onClose={onClose}
    >
      <label className="mt-3 mb-1 block font-medium" htmlFor={id}>
        Maximum mails per hour
      </label>
      <input
        id={id}
        className="control"
        type="number"
        inputMode="numeric"
        min={0}
        max={MAX_MAILS_PER_HOUR}
        value={perHour}
        onChange={(event) => setPerHour(event.target.value)}
      />
      <p className="mt-1 text-xs text-muted">
        {Number(perHour) >= MIN_MAILS_PER_HOUR ? `All are sent in about ${hours} h.` : `0 to stop, or at least ${MIN_MAILS_PER_HOUR}.`}
      </p>
    </ActDialog>
  )
}
