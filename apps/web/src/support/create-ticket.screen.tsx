import { createTicket } from '@tizara/contract/support'
import { TITLE_MAX_LENGTH } from '@tizara/contract'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../lib/http/api.ts'
import { readProblemReport } from '../lib/receipts/receipt-link.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { FileInput } from '../ui/file-input.tsx'
import { Input } from '../ui/input.tsx'
import { showMessage } from '../ui/message-store.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { AttachedRow } from './attached-row.tsx'
import { messages } from './support.messages.ts'
import { refetchTickets } from './support.queries.ts'
import { draftErrors, TICKET_IMAGE_TYPES, type TicketDraft } from './support.rules.ts'
import { useImageField } from './use-image-field.ts'

/** `/create-ticket` (UI-NEWTICKET rows). Attaches the row that the member came from. */
export default function CreateTicketScreen() {
  const report = readProblemReport(useSearch())
  const [attached, setAttached] = useState(report.description)
  const suffix = attached === '' ? '' : `\n\n${attached}`
  const form = useForm<TicketDraft>({
    initial: { title: report.title, description: '', image: null },
    validate: (draft) => draftErrors(draft, suffix.length),
    async onSubmit({ title, description, image }) {
      try {
        const about = attached === '' ? undefined : report.about
        await call(createTicket, { body: { title: title.trim(), description: `${description.trim()}${suffix}`, about }, file: image })
        void refetchTickets()
        toast(messages.created)
        navigate('/support')
      } catch (error) {
        void showMessage({ icon: 'error', title: t('Error'), text: toApiError(error).serverMessage ?? messages.failed })
      }
    },
  })

  const chooseImage = useImageField(form)

  return (
    <>
      <PageHeader
        back={
          <Link href="/support" className="link">
            {t('All tickets')}
          </Link>
        }
        title={t('Create Ticket')}
        subtitle={t('Describe the problem and attach an image. We answer in the ticket.')}
      />
      <Card className="max-w-2xl">
        <form {...form.props} className="space-y-5">
          <Field label={t('Ticket Title')} required error={form.errors.title}>
            <Input {...form.field('title')} maxLength={TITLE_MAX_LENGTH} autoComplete="off" readOnly={form.pending} />
          </Field>
          <Field
            label={t('Description')}
            required
            error={form.errors.description}
            hint={attached === '' ? undefined : t('What is wrong with the row below?')}
          >
            <Textarea {...form.field('description')} rows={6} readOnly={form.pending} />
          </Field>
          {attached !== '' && <AttachedRow text={attached} onRemove={form.pending ? undefined : () => setAttached('')} />}
          <Field
            label={t('Image')}
            required
            error={form.errors.image}
            hint={t('A screenshot or photo as JPEG, PNG or WebP. Large images are made smaller.')}
          >
            <FileInput name="image" accept={TICKET_IMAGE_TYPES} value={form.values.image} onChange={chooseImage} disabled={form.pending} />
          </Field>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button type="submit" variant="primary" pending={form.pending} pendingLabel={t('Sending')}>
              {t('Create Ticket')}
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}
