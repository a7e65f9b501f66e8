import { previewMail, staffMails } from '@tizara/contract/staff-mails'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { ListState } from '../../kit/list-parts.tsx'
import { Lines } from '../../kit/lines.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { Sheet } from '../../kit/sheet.tsx'
import { tagClass } from '../../../ui/tag.tsx'
import { FactList } from '../../../ui/fact-list.tsx'

/** Lists the mail templates. Each opens as the member receives it. */
export function Mails() {
  const read = useQuery({ queryKey: [staffMails.name], queryFn: async () => (await call(staffMails)).data, staleTime: Infinity })
  const [open, setOpen] = useState<string>()
  const mails = read.data ?? []
  return (
    <Panel title="Mails" right={<span className="text-faint">{mails.length} templates</span>}>
      <ListState query={read} rows={mails.length} none="No mail templates" />
      <div className="px-4 pt-3 pb-4 flex min-w-0 items-center gap-1.5 flex-wrap">
        {mails.map(({ name, title, when }) => (
          <button key={name} type="button" className={tagClass()} title={when} onClick={() => setOpen(name)}>
            {title}
          </button>
        ))}
      </div>
      {open !== undefined && <MailSheet name={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

function MailSheet({ name, onClose }: { name: string; onClose: () => void }) {
  const read = useQuery({
    queryKey: [previewMail.name, name],
    queryFn: async () => (await call(previewMail, { params: { name }, body: {} })).data,
    staleTime: Infinity,
  })
  const { data: mail } = read
  return (
    <Sheet title={mail?.title ?? 'Mail'} onClose={onClose}>
      <ListState query={read} rows={mail === undefined ? 0 : 1} none="" />
      {mail !== undefined && (
        <>
          <FactList className="text-xs">
            <dt>Sent</dt>
            <dd>{mail.when}</dd>
            <dt>From</dt>
            <dd>{plain(mail.from)}</dd>
            <dt>Subject</dt>
            <dd className="font-semi">{plain(mail.subject)}</dd>
          </FactList>
          <div
            className="rounded-lg border px-3.5 py-3 whitespace-pre-line wrap-anywhere [&_p:empty]:h-2"
            role="region"
            aria-label="Text of the mail"
          >
            <Lines text={mail.text} />
          </div>
          <p className="text-xs text-faint">
            {mail.isCustomized ? 'Text of the operator (MAIL_TEXTS)' : 'Default text'};{' '}
            {mail.optional ? 'members can switch it off.' : 'members cannot switch it off.'} Amounts and names are examples.
          </p>
        </>
      )}
    </Sheet>
  )
}
