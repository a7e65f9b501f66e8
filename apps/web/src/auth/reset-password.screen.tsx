import { resetPassword } from '@tizara/contract/auth'
import { PASSWORD_MIN_LENGTH } from '@tizara/contract/limits'
import { t } from '@tizara/languages'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../lib/http/api.ts'
import { Field } from '../ui/field.tsx'
import { showMessage } from '../ui/message-store.ts'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { AuthPage } from './auth-page.tsx'
import { messages } from './auth.messages.ts'
import { fieldErrors, minLength } from './auth.rules.ts'
import { SubmitButton } from './submit-button.tsx'

const checkPassword = minLength(PASSWORD_MIN_LENGTH)

/** `/auth/reset-password?token=…` (RT-13, UI-RESET rows). */
export default function ResetPasswordScreen() {
  const token = new URLSearchParams(useSearch()).get('token') ?? ''
  const form = useForm({
    initial: { newPassword: '', confirmPassword: '' },
    validate: (values) =>
      fieldErrors({ newPassword: checkPassword(values.newPassword), confirmPassword: checkPassword(values.confirmPassword) }),
    onSubmit: async (values) => {
      if (values.newPassword !== values.confirmPassword) return void showMessage({ icon: 'error', title: messages.passwordMismatch })
      try {
        await call(resetPassword, { body: values, token })
        toast(messages.recovered)
        navigate('/auth/signin')
      } catch (thrown) {
        const error = toApiError(thrown)
        toast(error.statusCode === 429 ? messages.tooMany : error.message, { tone: 'danger' })
      }
    },
  })
  return (
    <AuthPage
      title={t('Reset Password')}
      intro={t('Choose a new password. All sessions of your account end when it is set.')}
      footer={
        <>
          <Link href="/auth/forgot-password" className="link">
            {t('Request a new link')}
          </Link>
          <Link href="/auth/signin" className="link">
            {t('Back to sign-in')}
          </Link>
        </>
      }
    >
      <form {...form.props} className="space-y-4">
        <Field label={t('New Password')} error={form.errors.newPassword}>
          <PasswordInput {...form.field('newPassword')} autoComplete="new-password" />
        </Field>
        <Field label={t('Confirm Password')} error={form.errors.confirmPassword}>
          <PasswordInput {...form.field('confirmPassword')} autoComplete="new-password" />
        </Field>
        <SubmitButton label={t('Reset Password')} pending={form.pending} />
      </form>
    </AuthPage>
  )
}
