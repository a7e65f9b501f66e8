import { confirmEmail, stopEmailChange } from '@tizara/contract/contact-details'
import { t, texts } from '@tizara/languages'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../lib/http/api.ts'
import { formatUtc } from '../lib/format.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { T } from '../ui/t.tsx'

type LinkAct = 'confirm' | 'recover' | 'stop'

/** Returns the action and the token of the mailed link. They follow the #, so that no server or log receives them. */
function linkOf(hash: string): { act: LinkAct; token: string } {
  const [name, ...rest] = hash.replace(/^#/, '').split(':')
  const act = name === 'stop' || name === 'recover' ? name : 'confirm'
  try {
    return { act, token: decodeURIComponent(rest.join(':')) }
  } catch {
    return { act, token: '' }
  }
}

const EXPLAINED: Readonly<Record<LinkAct, string>> = texts({
  stop: 'Someone asked for another email address for your account. Stopping it keeps this address, signs out all devices, and stops payouts until you choose a new password.',
  confirm: 'Confirm that your account uses this address from now on. All devices are signed out, and you sign in with the new address.',
  recover: 'Confirm that this mailbox is yours. Your account uses this address when the waiting period of its recovery is over.',
})

/** `/email-change#…`: confirms or stops a change of address. Needs no session; only a button press has an effect. */
export default function EmailChangeScreen() {
  const [{ act, token }] = useState(() => linkOf(location.hash))
  const isStop = act === 'stop'
  const [state, setState] = useState<'ready' | 'running' | 'done'>('ready')
  const [takesEffectAt, setTakesEffectAt] = useState<Date | null>(null)
  const [error, setError] = useState<string>()
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])

  async function press(): Promise<void> {
    setState('running')
    setError(undefined)
    try {
      if (isStop) await call(stopEmailChange, { token })
      else setTakesEffectAt((await call(confirmEmail, { token })).data.takesEffectAt)
      setState('done')
    } catch (thrown) {
      setError(toApiError(thrown).message)
      setState('ready')
    }
  }
  return (
    <>
      <h1 className="text-3xl font-strong tracking-num">{t('Email address')}</h1>
      <div className="mt-7 space-y-5">
        {error !== undefined && <Notice tone="danger">{error}</Notice>}
        {token === '' ? (
          <Notice
            tone="danger"
            action={
              <Link href="/" className={buttonClass('secondary', 'sm')}>
                {t('Sign in')}
              </Link>
            }
          >
            {t('This link is not valid any more')}
          </Notice>
        ) : state === 'done' ? (
          <Done isStop={isStop} takesEffectAt={takesEffectAt} />
        ) : (
          <>
            <p className="text-muted">{EXPLAINED[act]}</p>
            <Button variant={isStop ? 'danger' : 'primary'} pending={state === 'running'} onClick={() => void press()}>
              {isStop ? t('This was not me: stop the change') : t('Confirm this address')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

function Done({ isStop, takesEffectAt }: { isStop: boolean; takesEffectAt: Date | null }) {
  if (takesEffectAt !== null)
    return (
      <Notice tone="success" title={t('This address is confirmed')}>
        <T
          text="Your account uses it from {takesEffectAt}. Then choose a new password with “Forgot password”."
          takesEffectAt={formatUtc(takesEffectAt)}
        />
      </Notice>
    )
  return isStop ? (
    <Notice
      tone="warning"
      title={t('The change is stopped')}
      action={
        <Link href="/auth/forgot-password" className={buttonClass('secondary', 'sm')}>
          {t('Choose a new password')}
        </Link>
      }
    >
      {t('Your account keeps this address. All devices are signed out, and payouts stay stopped until you choose a new password.')}
    </Notice>
  ) : (
    <Notice
      tone="success"
      title={t('Your email address is changed')}
      action={
        <Link href="/" className={buttonClass('secondary', 'sm')}>
          {t('Sign in')}
        </Link>
      }
    >
      {t('Sign in with the new address. Withdrawals and bridges are paused for a while.')}
    </Notice>
  )
}
