import { changePassword, listSessions } from '@tizara/contract/auth'
import { t } from '@tizara/languages'
import * as v from 'valibot'
import { call } from '../../lib/http/api.ts'
import { refetch } from '../../lib/http/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useForm } from '../../ui/use-form.ts'
import { rejectionText } from '../addresses/rejection-text.ts'

const empty = { oldPassword: '', newPassword: '' }

/** Returns each field's first error, by the contract's rules. */
function faultsOf(values: typeof empty): Partial<Record<keyof typeof empty, string>> {
  const read = v.safeParse(changePassword.body, values)
  if (read.success) return {}
  const { nested = {} } = v.flatten<typeof changePassword.body>(read.issues)
  return {
    ...(nested.oldPassword && { oldPassword: t(nested.oldPassword[0]) }),
    ...(nested.newPassword && { newPassword: t(nested.newPassword[0]) }),
  }
}

/** Changes the password and ends all other sessions. */
export function PasswordCard() {
  const form = useForm({
    initial: empty,
    validate: faultsOf,
    onSubmit: async (values) => {
      await call(changePassword, { body: values })
      form.reset(empty)
      toast(t('Password changed. All other sessions have ended.'))
      await refetch(listSessions)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <Card>
      <CardHeader title={t('Password')} hint={t('Changing it ends all your other sessions.')} />
      <form {...form.props} className="space-y-4">
        {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
        <Field label={t('Current password')} error={form.errors.oldPassword}>
          <PasswordInput {...form.field('oldPassword')} autoComplete="current-password" />
        </Field>
        <Field label={t('New password')} error={form.errors.newPassword}>
          <PasswordInput {...form.field('newPassword')} autoComplete="new-password" />
        </Field>
        <Button type="submit" pending={form.pending}>
          {t('Change password')}
        </Button>
      </form>
    </Card>
  )
}
