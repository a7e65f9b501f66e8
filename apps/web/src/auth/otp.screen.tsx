import { resendOtp, verifyToken } from '@tizara/contract/auth'
import { OTP_LENGTH } from '@tizara/contract/limits'
import { t } from '@tizara/languages'
import { useRef } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../lib/http/api.ts'
import { startSession, useToken } from '../lib/http/session.ts'
import { useProfile } from '../members/index.ts'
import { Button } from '../ui/button.tsx'
import { CodeInput } from '../ui/code-input.tsx'
import { Field } from '../ui/field.tsx'
import { showMessage } from '../ui/message-store.ts'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { AuthPage } from './auth-page.tsx'
import { messages } from './auth.messages.ts'
import { fieldErrors, minLength } from './auth.rules.ts'
import { SubmitButton } from './submit-button.tsx'
import { useResendWait } from './use-resend-wait.ts'
import { T } from '../ui/t.tsx'

/** ER-46, ER-51. A 401 has already redirected to sign-in. */
function showFailure(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.statusCode === 429) toast(messages.tooMany, { tone: 'danger' })
  else if (error.statusCode !== 401) void showMessage({ icon: 'error', title: messages.errorTitle, text: error.message })
}

/** `/verify-token` (RT-15, UI-OTP rows). */
export default function OtpScreen() {
  const wait = useResendWait()
  const code = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { token: '' },
    validate: (values) => fieldErrors({ token: minLength(OTP_LENGTH)(values.token) }),
    onSubmit: async ({ token }) => {
      try {
        const { data } = await call(verifyToken, { body: { token } })
        wait.stop()
        startSession(data.token, true)
        toast(messages.otpVerified)
        navigate('/dashboard')
      } catch (error) {
        showFailure(error)
      }
    },
  })

  async function resend(): Promise<void> {
    try {
      await call(resendOtp)
      wait.start()
      toast(messages.otpSent)
      // The countdown replaces the button; the code field is the next input.
      code.current?.focus()
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <AuthPage title={t('OTP Verification')} intro={<Intro />}>
      <form {...form.props} className="space-y-4">
        <Field label={t('One-time code')} error={form.errors.token}>
          <CodeInput
            {...form.field('token')}
            ref={code}
            length={OTP_LENGTH}
            onCode={(token) => form.set('token', token)}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
          />
        </Field>
        <SubmitButton label={t('Verify')} pending={form.pending} />
      </form>
      <div className="mt-6 flex min-h-10 items-center gap-3 text-sm text-muted">
        {wait.seconds > 0 ? (
          <p>
            <T text="A new code can be sent in {seconds} s" seconds={<span className="font-semi text-ink">{wait.seconds}</span>} />
          </p>
        ) : (
          <>
            <span>{t('No mail yet?')}</span>
            <Button size="sm" onClick={resend}>
              {t('Resend OTP')}
            </Button>
          </>
        )}
      </div>
    </AuthPage>
  )
}

/** Shows the code's recipient. Signed-out visitors, and members who used the emailed link, get a link to the next page instead. */
function Intro() {
  const token = useToken()
  const { data: member } = useProfile()
  if (token === null) {
    return (
      <T
        text="A code belongs to an account. <link>Sign in</link> first, then type it here."
        link={(content) => (
          <Link href="/" className="link">
            {content}
          </Link>
        )}
      />
    )
  }
  if (member?.isVerified === true) {
    return (
      <T
        text="Your address is confirmed. <link>Go to the dashboard</link>"
        link={(content) => (
          <Link href="/dashboard" className="link">
            {content}
          </Link>
        )}
      />
    )
  }
  return <T text="A code of six digits was mailed to {email}. Type it here to confirm your address." email={member?.email ?? t('you')} />
}
