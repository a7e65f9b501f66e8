import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { DescriptionList, type DescriptionListProps } from '../ui/description-list.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import type { Form } from '../ui/use-form.ts'

export interface MoneyDialogProps<V extends object> {
  title: ReactNode
  description?: ReactNode
  onClose: () => void
  form: Form<V>
  /** Named like the action (UI-M-COMMON-04). */
  submit: string
  /** Before the button: what leaves, the fee, what arrives, at which rate, to whom, what remains. */
  preview?: DescriptionListProps['rows'] | undefined
  /** The fields. */
  children: ReactNode
  /** Under the preview: what to know before pressing. */
  note?: ReactNode
}

/** The frame of a form that moves money. While the call runs it can neither be sent twice nor be closed. */
export function MoneyDialog<V extends object>({ title, description, onClose, form, submit, preview, children, note }: MoneyDialogProps<V>) {
  return (
    <Dialog open title={title} description={description} onClose={onClose} closable={!form.pending}>
      <form {...form.props} aria-label={typeof title === 'string' ? title : undefined}>
        <div className="space-y-4">
          {children}
          {preview !== undefined && (
            <div aria-live="polite">
              <DescriptionList boxed rows={preview} />
            </div>
          )}
          {note !== undefined && <div className="text-sm text-faint">{note}</div>}
        </div>
        <DialogFooter>
          <Button type="submit" variant="primary" size="lg" block pending={form.pending}>
            {submit}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
