import { inputErrors } from '@tizara/contract/errors'
import { staffMe } from '@tizara/contract/staff'
import { refetch } from '../../lib/http/query.ts'
import { SecondFactorSetup } from '../../members/security/second-factor-setup.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { Button } from '../../ui/button.tsx'
import { Alone } from './standalone-page.tsx'

interface AccessDeniedProps {
  text: string
  status: number
  onSignOut: () => Promise<void>
}

/** Explains why the console does not open, and offers the next step. Staff without a second factor set it up here. */
export default function AccessDenied({ text, status, onSignOut }: AccessDeniedProps) {
  if (text === inputErrors.STAFF_SECOND_FACTOR.message) return <SecondFactorPage onSignOut={onSignOut} />
  const [title, why] = text.startsWith('A colleague has suspended')
    ? ['Your staff rights are suspended', text]
    : status === 404
      ? ['This page is for staff', 'Your account is a member’s.']
      : ['The console could not be opened', 'The account could not be read. Please load the page again.']
  return (
    <Alone>
      <h1 className="text-xl font-strong tracking-head">{title}</h1>
      <p className="text-muted">{why}</p>
      <p className="flex min-w-0 items-center gap-2 flex-wrap mt-4 justify-center">
        <a className={buttonClass('primary', 'md')} href={status === 404 ? '/dashboard' : '/staff'}>
          {status === 404 ? 'Go to the dashboard' : 'Try again'}
        </a>
        <Button onClick={() => void onSignOut()}>Log Out</Button>
      </p>
    </Alone>
  )
}

/** Sets up the second factor. Afterwards the console opens at the page that the person asked for. */
function SecondFactorPage({ onSignOut }: { onSignOut: () => Promise<void> }) {
  return (
    <Alone>
      <h1 className="text-xl font-strong tracking-head">Set up an authenticator app</h1>
      <p className="max-w-md text-muted">
        Staff confirm each sign-in with a code from an app on their phone. The console opens right after.
      </p>
      <div className="mt-3 w-full max-w-md overflow-hidden px-5 pb-5 text-left sm:px-6 sm:pb-6">
        <SecondFactorSetup onDone={() => refetch(staffMe)} />
      </div>
      <Button variant="ghost" onClick={() => void onSignOut()}>
        Log Out
      </Button>
    </Alone>
  )
}
