import { verifyLink } from '@tizara/contract/auth'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../lib/http/api.ts'
import { startSession } from '../lib/http/session.ts'
import { toast } from '../ui/toast-store.ts'
import { AuthPage } from './auth-page.tsx'
import { messages } from './auth.messages.ts'
import { SubmitButton } from './submit-button.tsx'

/** Refusals lead to sign-up; network and server failures only show a message (ER-52 to ER-54, ST-75). */
function showFailure(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.fromServer && error.statusCode < 500) {
    toast(messages.linkExpired, { tone: 'danger' })
    navigate('/auth/signup')
  } else toast(messages.linkFailed, { tone: 'danger' })
}

/** `/auth/verify?token=…` (RT-14, UI-VERIFY rows). */
export default function VerifyEmailScreen() {
  const token = new URLSearchParams(useSearch()).get('token') ?? ''
  const [pending, setPending] = useState(false)

  async function verify(): Promise<void> {
    if (pending) return
    setPending(true)
    try {
      const { data } = await call(verifyLink, { token })
      startSession(data.token, true)
      toast(messages.linkVerified)
      navigate('/dashboard')
    } catch (error) {
      showFailure(error)
    } finally {
      setPending(false)
    }
  }

  return (
    <AuthPage title={t('Verify Email')} intro={t('One press confirms that this address is yours and signs you in.')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void verify()
        }}
      >
        <SubmitButton label={t('Verify')} pending={pending} />
      </form>
    </AuthPage>
  )
}
