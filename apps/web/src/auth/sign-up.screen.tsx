import { NAME_MAX_LENGTH, PASSWORD_MIN_LENGTH, REFERRAL_CODE_MIN_LENGTH } from '@tizara/contract/limits'
import { register } from '@tizara/contract/auth'
import { acceptTerms } from '@tizara/contract/terms-of-use'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../lib/http/api.ts'
import { startSession } from '../lib/http/session.ts'
import { useAppConfig } from '../settings/index.ts'
import { AcceptTermsField, useTermsToAccept } from '../terms-of-use/index.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { showMessage } from '../ui/message-store.ts'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { AuthPage } from './auth-page.tsx'
import { DIALOG_MS, messages } from './auth.messages.ts'
import { emailFormat, emptyOrMinLength, fieldErrors, minLength, required } from './auth.rules.ts'
import { allowedDomains, isAllowedDomain } from './email-domain.ts'
import { CaptchaBox } from './captcha-box.tsx'
import { loadPhoneNumbers, PhoneField } from './phone-field.tsx'
import { hints } from './sign-up.messages.ts'
import { SubmitButton } from './submit-button.tsx'
import { useCaptcha } from './use-captcha.ts'

/** Announces the email, then opens the code page (ST-27, ST-28). */
async function showCodePage(): Promise<void> {
  await showMessage({ icon: 'success', title: messages.signUpTitle, text: messages.signUpText, autoCloseMs: DIALOG_MS })
  navigate('/verify-token')
}

/** ER-08 to ER-13: shows server refusals, logs other failures. */
function showFailure(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.statusCode === 429) toast(messages.tooMany, { tone: 'danger' })
  else if (error.unreadable) toast(messages.signUpOddAnswer, { tone: 'danger' })
  else if (error.statusCode < 500 && error.serverMessage !== undefined) {
    void showMessage({ icon: 'error', title: messages.errorTitle, text: error.serverMessage })
  } else console.error(thrown)
}

/** Returns the error of a complete email address whose domain may not sign up. */
const domainError = (email: string): string | undefined =>
  emailFormat(email) === undefined && !isAllowedDomain(email) ? hints.domainError : undefined

/** `/auth/signup` (RT-11, UI-SIGNUP rows). */
export default function SignUpScreen() {
  const { brandName } = useAppConfig()
  const captcha = useCaptcha()
  const { isAsked, terms } = useTermsToAccept()
  const referral = new URLSearchParams(useSearch()).get('referralCode') ?? ''
  /** Errors of the filled email and phone. They inform only; on submit, dialogs report them one by one (VA-23). */
  const [advice, setAdvice] = useState<{ email?: string | undefined; phone?: string | undefined }>({})
  const form = useForm({
    initial: { name: '', email: '', country: 'US', phone: '', password: '', referralCode: referral, terms: false },
    validate: (values) =>
      fieldErrors({
        name: required(values.name),
        email: emailFormat(values.email),
        phone: required(values.phone),
        password: minLength(PASSWORD_MIN_LENGTH)(values.password),
        referralCode: emptyOrMinLength(REFERRAL_CODE_MIN_LENGTH)(values.referralCode),
        terms: isAsked && !values.terms ? required('') : undefined,
      }),
    onSubmit: async ({ name, email, country, phone, password, referralCode }) => {
      // Reports only the first failure of phone, captcha and email domain (VA-23). A right captcha is not used up by a wrong domain.
      const { toInternational } = await loadPhoneNumbers()
      const number = toInternational(phone, country)
      setAdvice(fieldErrors({ email: domainError(email), phone: number === null ? hints.phoneError : undefined }))
      if (number === null) return void showMessage({ icon: 'error', title: messages.phone })
      if (captcha.isRight() && !isAllowedDomain(email)) return void showMessage({ icon: 'error', title: messages.emailDomain })
      if (!captcha.attempt()) return
      try {
        const code = referralCode.trim()
        const body = { name: name.trim(), email: email.trim(), phone: number, password, referralCode: code === '' ? undefined : code }
        const { data } = await call(register, { body })
        startSession(data.token, false)
        // The request body of the specification stays as it is. If this call fails, the app asks again after the sign-in.
        if (terms !== undefined) void call(acceptTerms, { body: { version: terms.version, hash: terms.hash } }).catch(() => undefined)
        void showCodePage()
      } catch (error) {
        showFailure(error)
      }
    },
  })

  async function adviseOnPhone(): Promise<void> {
    const { phone, country } = form.values
    if (phone.trim() === '') return
    const { toInternational } = await loadPhoneNumbers()
    setAdvice((old) => ({ ...old, phone: toInternational(phone, country) === null ? hints.phoneError : undefined }))
  }

  const email = form.field('email')
  return (
    <AuthPage
      title={t('Sign Up to {brandName}', { brandName })}
      footer={
        <>
          <span>
            {messages.haveAccount}{' '}
            <Link href="/auth/signin" className="link">
              {t('Sign In')}
            </Link>
          </span>
          <Link href={referral === '' ? '/about' : `/about?${new URLSearchParams({ referralCode: referral })}`} className="link">
            {t('How it works')}
          </Link>
        </>
      }
    >
      <form {...form.props} className="space-y-4">
        <Field label={t('Name')} error={form.errors.name}>
          <Input {...form.field('name')} placeholder={messages.namePlaceholder} autoComplete="name" maxLength={NAME_MAX_LENGTH} />
        </Field>
        <Field label={t('Email')} hint={hints.email(allowedDomains())} error={form.errors.email ?? advice.email}>
          <Input
            {...email}
            onChange={(event) => {
              email.onChange(event)
              setAdvice((old) => ({ ...old, email: undefined }))
            }}
            onBlur={(event) => {
              email.onBlur(event)
              setAdvice((old) => ({ ...old, email: domainError(event.target.value) }))
            }}
            type="email"
            autoComplete="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <PhoneField
          country={form.values.country}
          number={form.values.phone}
          error={form.errors.phone ?? advice.phone}
          onLeave={() => void adviseOnPhone()}
          onCountry={(country) => {
            form.set('country', country)
            setAdvice((old) => ({ ...old, phone: undefined }))
          }}
          onNumber={(number) => {
            form.set('phone', number)
            setAdvice((old) => ({ ...old, phone: undefined }))
          }}
        />
        <Field label={t('Password')} hint={hints.password(PASSWORD_MIN_LENGTH)} error={form.errors.password}>
          <PasswordInput {...form.field('password')} autoComplete="new-password" />
        </Field>
        <Field label={t('Referral Code')} hint={hints.referralCode(REFERRAL_CODE_MIN_LENGTH)} error={form.errors.referralCode}>
          <Input {...form.field('referralCode')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <CaptchaBox captcha={captcha} />
        {isAsked && (
          <AcceptTermsField
            isAccepted={form.values.terms}
            error={form.errors.terms}
            onChange={(isAccepted) => form.set('terms', isAccepted)}
          />
        )}
        <SubmitButton label={t('Create account')} pending={form.pending} />
      </form>
    </AuthPage>
  )
}
