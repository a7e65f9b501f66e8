import { forgotPassword } from '@tizara/contract/auth'
import { RECOVERY_DAYS } from '@tizara/contract/limits'
import { t } from '@tizara/languages'
import { Link } from 'wouter'
import { call, toApiError } from '../lib/http/api.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { AuthPage } from './auth-page.tsx'
import { messages } from './auth.messages.ts'
import { emailFormat, fieldErrors } from './auth.rules.ts'
import { SubmitButton } from './submit-button.tsx'
import { T } from '../ui/t.tsx'

/** ER-42, ER-43, ER-44. */
function failureText(thrown: unknown): string {
  const error = toApiError(thrown)
  if (!error.fromServer) return messages.noAnswer
  if (error.statusCode === 429) return messages.tooMany
  return error.serverMessage ?? messages.forgotFailed
}

/** `/auth/forgot-password` (RT-12, UI-FORGOT rows). Does not navigate away (UI-FORGOT-03). */
export default function ForgotPasswordScreen() {
  const form = useForm({
    initial: { email: '' },
    validate: (values) => fieldErrors({ email: emailFormat(values.email) }),
    onSubmit: async ({ email }) => {
      try {
        await call(forgotPassword, { body: { email: email.trim() } })
        toast(messages.resetMailSent)
      } catch (error) {
        toast(failureText(error), { tone: 'danger' })
      }
    },
  })
  return (
    <AuthPage
      title={t('Forgot Password')}
      intro={t('Type the address of your account. If it is known, a link to set a new password is mailed to it.')}
      footer={
        <Link href="/auth/signin" className="link">
          {t('Back to sign-in')}
        </Link>
      }
    >
      <form {...form.props} className="space-y-4">
        <Field label={t('Email')} error={form.errors.email}>
          <Input {...form.field('email')} type="email" autoComplete="email" inputMode="email" autoCapitalize="none" spellCheck={false} />
        </Field>
        <SubmitButton label={t('Send Reset Link')} pending={form.pending} />
      </form>
      <details className="mt-4 text-sm text-muted">
        <summary className="cursor-pointer">{t('I lost this mailbox')}</summary>
        <p className="mt-2">
          <T
            text="Contact support. After two staff members have verified your identity, your account gets a new address after {recoveryDays} days, and payouts are frozen for as long again."
            recoveryDays={RECOVERY_DAYS}
          />
        </p>
      </details>
    </AuthPage>
  )
}
