import { login } from '@tizara/contract/auth'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../lib/api.ts'
import { mayForward, startSession } from '../lib/session.ts'
import { storageKeys, writeStored } from '../lib/storage.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { showMessage } from '../ui/message-store.ts'
import { PasswordInput } from '../ui/password-input.tsx'
import { useForm } from '../ui/use-form.ts'
import { AppCodeField } from './app-code-field.tsx'
import { AuthPage } from './auth-page.tsx'
import { DIALOG_MS, messages } from './auth.messages.ts'
import { faults, required } from './auth.rules.ts'
import { CaptchaBox } from './captcha-box.tsx'
import { asksForAppCode, showSignInFailure } from './sign-in-flow.ts'
import { SubmitButton } from './submit-button.tsx'
import { useCaptcha } from './use-captcha.ts'

/** Says how it went, then goes on when the dialog is closed or after 3 seconds (ST-03 to ST-08). */
async function welcome(isVerified: boolean): Promise<void> {
  await showMessage({ icon: 'success', title: isVerified ? messages.loginDone : messages.notVerified, autoCloseMs: DIALOG_MS })
  navigate(isVerified ? '/dashboard' : '/verify-token')
}

/** `/` and `/auth/signin` (RT-09, RT-10). */
export function SignInScreen() {
  const captcha = useCaptcha()
  const [needsCode, setNeedsCode] = useState(false)
  useEffect(() => {
    if (mayForward()) navigate('/dashboard', { replace: true })
  }, [])

  const form = useForm({
    initial: { email: '', password: '', otp: '' },
    validate: (values) =>
      faults({
        email: required(values.email),
        password: values.password === '' ? messages.required : undefined,
        otp: needsCode ? required(values.otp) : undefined,
      }),
    onSubmit: async ({ email, password, otp }) => {
      if (!captcha.attempt()) return
      try {
        const { data } = await call(login, { body: { email, password, ...(otp === '' ? {} : { otp }) } })
        writeStored({ [storageKeys.popupShown]: 'true' })
        startSession(data.token, data.user.isVerified)
        void welcome(data.user.isVerified)
      } catch (error) {
        if (asksForAppCode(error)) setNeedsCode(true)
        showSignInFailure(error)
      }
    },
  })

  return (
    <AuthPage
      title="Sign In"
      intro={messages.signInIntro}
      footer={
        <>
          <Link href="/auth/forgot-password" className="link">
            {messages.forgetPassword}
          </Link>
          <span>
            {messages.noAccount}{' '}
            <Link href="/auth/signup" className="link">
              Sign Up
            </Link>
          </span>
        </>
      }
    >
      <form {...form.props} className="space-y-4">
        <Field label="Email" error={form.errors.email}>
          <Input {...form.field('email')} type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" error={form.errors.password}>
          <PasswordInput {...form.field('password')} />
        </Field>
        {needsCode && <AppCodeField {...form.field('otp')} error={form.errors.otp} />}
        <CaptchaBox captcha={captcha} />
        <SubmitButton label="Sign In" pending={form.pending} />
      </form>
    </AuthPage>
  )
}
