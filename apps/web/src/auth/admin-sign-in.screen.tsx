import { userLogin } from '@tizara/contract/auth'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../lib/http/api.ts'
import { queryClient } from '../lib/http/query.ts'
import { startSession } from '../lib/http/session.ts'
import { profileQuery } from '../members/index.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { useForm } from '../ui/use-form.ts'
import { AuthPage } from './auth-page.tsx'
import { messages } from './auth.messages.ts'
import { fieldErrors, required } from './auth.rules.ts'
import { asksForAppCode, showSignInFailure } from './sign-in-flow.ts'
import { SecondStep } from './second-step.tsx'
import { SubmitButton } from './submit-button.tsx'

/** Staff console, a separate page outside the member app (GN-04). */
const STAFF_CONSOLE = '/staff'

/** Sends staff to the console, others to the dashboard under the normal gate (RT-17). */
async function goOn(): Promise<void> {
  const member = await queryClient.fetchQuery(profileQuery).catch(() => undefined)
  if (member?.isStaff === true) location.assign(STAFF_CONSOLE)
  else navigate('/dashboard')
}

/** `/auth-admin` (RT-16, UI-ADMIN-01 to UI-ADMIN-03). */
export default function AdminSignInScreen() {
  const [needsCode, setNeedsCode] = useState(false)
  const [ended] = useState(() => new URLSearchParams(location.search).has('ended'))
  const form = useForm({
    initial: { email: '', password: '', otp: '' },
    validate: (values) =>
      fieldErrors({
        email: required(values.email),
        password: values.password === '' ? messages.required : undefined,
        otp: needsCode ? required(values.otp) : undefined,
      }),
    onSubmit: async ({ email, password, otp }) => {
      try {
        const { data } = await call(userLogin, { body: { email, password, ...(otp === '' ? {} : { otp }) } })
        startSession(data.token, data.user?.isVerified ?? false)
      } catch (error) {
        return asksForAppCode(error) ? setNeedsCode(true) : showSignInFailure(error)
      }
      await goOn()
    },
  })
  async function enterByPasskey(): Promise<void> {
    const { askPasskey } = await import('./passkey-sign-in.ts')
    const entered = await askPasskey(form.values)
    if (entered === undefined) return
    startSession(entered.token, entered.user.isVerified)
    await goOn()
  }
  return (
    <AuthPage
      title={t('Admin Sign In')}
      intro={
        ended && t('Your session has ended: it expired, it was ended, or your role or account changed. Your text is saved in this tab.')
      }
    >
      <form {...form.props} className="space-y-4">
        <Field label={t('Email')} error={form.errors.email}>
          <Input {...form.field('email')} type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label={t('Password')} error={form.errors.password}>
          <PasswordInput {...form.field('password')} />
        </Field>
        {needsCode && <SecondStep {...form.field('otp')} error={form.errors.otp} onPasskey={enterByPasskey} />}
        <SubmitButton label={t('Sign In')} pending={form.pending} />
      </form>
    </AuthPage>
  )
}
