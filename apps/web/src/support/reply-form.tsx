import { replyToTicket, type Ticket } from '@tizara/contract/support'
import { t } from '@tizara/languages'
import { call, toApiError } from '../lib/http/api.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { FileInput } from '../ui/file-input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { messages } from './support.messages.ts'
import { refetchTickets } from './support.queries.ts'
import { isClosed, replyErrors, TICKET_IMAGE_TYPES } from './support.rules.ts'
import { useImageField } from './use-image-field.ts'

interface Reply {
  message: string
  image: File | null
}

const EMPTY: Reply = { message: '', image: null }

/** Reply form: message, optional image and `Send` (UI-TICKET-04). Closed tickets accept none (UI-TICKET-06, ST-63). */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const closed = isClosed(ticket)
  const form = useForm<Reply>({
    initial: EMPTY,
    validate: replyErrors,
    async onSubmit({ message, image }) {
      if (closed) return
      try {
        await call(replyToTicket, { body: { message: message.trim(), ticketId: ticket.id }, file: image })
        form.reset(EMPTY)
      } catch (error) {
        toast(toApiError(error).serverMessage ?? messages.failed, { tone: 'danger' })
      }
      await refetchTickets()
    },
  })

  const chooseImage = useImageField(form)

  return (
    <Card className="mx-auto mt-8 max-w-3xl" aria-label={t('Reply')}>
      <form {...form.props} className="space-y-4">
        <Field
          label={t('Message')}
          required
          error={form.errors.message}
          hint={closed ? t('This ticket is closed. Open a new one if you need more help.') : undefined}
        >
          <Textarea {...form.field('message')} rows={4} disabled={closed} readOnly={form.pending} />
        </Field>
        <Field label={t('Image')} error={form.errors.image} hint={t('Optional: JPEG, PNG or WebP. A large one is made smaller.')}>
          <FileInput
            name="image"
            accept={TICKET_IMAGE_TYPES}
            value={form.values.image}
            onChange={chooseImage}
            disabled={closed || form.pending}
          />
        </Field>
        <div className="flex justify-end">
          <Button type="submit" variant="primary" disabled={closed} pending={form.pending} pendingLabel={t('Sending')}>
            {t('Send')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
