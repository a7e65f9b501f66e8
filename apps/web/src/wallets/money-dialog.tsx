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
  /** Label of the button, which names the action (UI-M-COMMON-04). */
  submit: string
  /** True while the amount that would be sent is still loading. */
  loading?: boolean
  /** Before the button: debit, fee, credit, rate, recipient and remaining balance. */
  preview?: DescriptionListProps['rows'] | undefined
  children: ReactNode
  /** Advice under the preview. */
  note?: ReactNode
}

/** Money form dialog. Prevents a second submit and closing while the call runs. */
export function MoneyDialog<V extends object>({
  title,
  description,
  onClose,
  form,
  submit,
  preview,
  children,
  note,
  loading,
}: MoneyDialogProps<V>) {
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
          <Button type="submit" variant="primary" size="lg" block pending={form.pending || loading === true}>
            {submit}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
