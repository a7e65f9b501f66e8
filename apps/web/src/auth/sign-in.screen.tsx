import { t } from '@tizara/languages'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { mayForward } from '../lib/http/session.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { useForm } from '../ui/use-form.ts'
import { AuthPage } from './auth-page.tsx'
import { messages } from './auth.messages.ts'
import { fieldErrors, required } from './auth.rules.ts'
import { CaptchaBox } from './captcha-box.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useCaptcha } from './use-captcha.ts'

/** Loads the calls on first interaction, so that the page shows without them. */
const loadCalls = () => import('./sign-in-calls.ts')

/** `/` and `/auth/signin` (RT-09, RT-10). */
export default function SignInScreen() {
  const captcha = useCaptcha()
  /** Set when the server requires a second step. */
  const [second, setSecond] = useState<Awaited<ReturnType<typeof loadCalls>>>()
  useEffect(() => {
    if (mayForward()) navigate('/dashboard', { replace: true })
  }, [])

  const form = useForm({
    initial: { email: '', password: '', otp: '' },
    validate: (values) =>
      fieldErrors({
        email: required(values.email),
        password: values.password === '' ? messages.required : undefined,
        otp: second !== undefined ? required(values.otp) : undefined,
      }),
    onSubmit: async (values) => {
      if (!captcha.attempt()) return
      const calls = await loadCalls()
      if (await calls.signIn(values)) setSecond(calls)
    },
    // The calls' code failed to load; like other sign-in failures it shows no message (ER-03).
    onError: () => ({}),
  })

  return (
    <AuthPage
      title={t('Sign In')}
      intro={messages.signInIntro}
      footer={
        <>
          <Link href="/auth/forgot-password" className="link">
            {messages.forgetPassword}
          </Link>
          <span>
            {messages.noAccount}{' '}
            <Link href="/auth/signup" className="link">
              {t('Sign Up')}
            </Link>
          </span>
          <Link href="/about" className="link">
            {t('How it works')}
          </Link>
        </>
      }
    >
      <form {...form.props} className="space-y-4" onFocus={() => void loadCalls().catch(() => undefined)}>
        <Field label={t('Email')} error={form.errors.email}>
          <Input {...form.field('email')} type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label={t('Password')} error={form.errors.password}>
          <PasswordInput {...form.field('password')} />
        </Field>
        {second !== undefined && (
          <second.SecondStep {...form.field('otp')} error={form.errors.otp} onPasskey={() => second.signInByPasskey(form.values)} />
        )}
        <CaptchaBox captcha={captcha} />
        <SubmitButton label={t('Sign In')} pending={form.pending} />
      </form>
    </AuthPage>
  )
}
