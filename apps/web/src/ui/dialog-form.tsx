import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { DialogFooter } from './dialog.tsx'
import { Notice } from './notice.tsx'
import type { Form } from './use-form.ts'

export interface DialogFormProps {
  form: Pick<Form<object>, 'props' | 'error' | 'pending'>
  submit: string
  variant?: ButtonProps['variant']
  children: ReactNode
}

/** Form of a dialog: its error, the fields, and the submit button. */
export const DialogForm = ({ form, submit, variant = 'primary', children }: DialogFormProps) => (
  <form {...form.props} className="space-y-4">
    {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
    {children}
    <DialogFooter>
      <Button type="submit" variant={variant} pending={form.pending}>
        {submit}
      </Button>
    </DialogFooter>
  </form>
)
