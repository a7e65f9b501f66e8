import { confirmEmail, stopEmailChange } from '@tizara/contract/contact-details'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../lib/api.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Returns the action and the token of the mailed link. They follow the #, so that no server or log receives them. */
function linkOf(hash: string): { isStop: boolean; token: string } {
  const [act, ...rest] = hash.replace(/^#/, '').split(':')
  try {
    return { isStop: act === 'stop', token: decodeURIComponent(rest.join(':')) }
  } catch {
    return { isStop: act === 'stop', token: '' }
  }
}

/** `/email-change#…`: confirms or stops a change of address. Needs no session; only a button press has an effect. */
export default function EmailChangeScreen() {
  const [{ isStop, token }] = useState(() => linkOf(location.hash))
  const [state, setState] = useState<'ready' | 'running' | 'done'>('ready')
  const [error, setError] = useState<string>()
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])

  async function press(): Promise<void> {
    setState('running')
    setError(undefined)
    try {
      await call(isStop ? stopEmailChange : confirmEmail, { token })
      setState('done')
    } catch (thrown) {
      setError(toApiError(thrown).message)
      setState('ready')
    }
  }
  return (
    <>
      <h1 className="text-3xl font-strong tracking-num">Email address</h1>
      <div className="mt-7 space-y-5">
        {error !== undefined && <Notice tone="danger">{error}</Notice>}
        {state === 'done' ? (
          <Done isStop={isStop} />
        ) : (
          <>
            <p className="text-muted">
              {isStop
                ? 'Someone asked for another email address for your account. Stopping it keeps this address, signs out all devices, and stops payouts until you choose a new password.'
                : 'Confirm that your account uses this address from now on. All devices are signed out, and you sign in with the new address.'}
            </p>
            <Button variant={isStop ? 'danger' : 'primary'} pending={state === 'running'} onClick={() => void press()}>
              {isStop ? 'This was not me: stop the change' : 'Confirm this address'}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

function Done({ isStop }: { isStop: boolean }) {
  return isStop ? (
    <Notice
      tone="warning"
      title="The change is stopped"
      action={
        <Link href="/auth/forgot-password" className={buttonClass('secondary', 'sm')}>
          Choose a new password
        </Link>
      }
    >
      Your account keeps this address. All devices are signed out, and payouts stay stopped until you choose a new password.
    </Notice>
  ) : (
    <Notice
      tone="success"
      title="Your email address is changed"
      action={
        <Link href="/" className={buttonClass('secondary', 'sm')}>
          Sign in
        </Link>
      }
    >
      Sign in with the new address. Withdrawals and bridges are paused for a while.
    </Notice>
  )
}
