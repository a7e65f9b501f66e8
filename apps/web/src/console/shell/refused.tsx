import { inputErrors } from '@tizara/contract/errors'
import { Alone } from './standalone-page.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { Button } from '../../ui/button.tsx'

/** Explains a refused sign-in and offers the next step. */
export default function Refused({ text, status, onEnd }: { text: string; status: number; onEnd: () => Promise<void> }) {
  const needsApp = text === inputErrors.STAFF_SECOND_FACTOR.message
  const [title, why] = needsApp
    ? ['Set up an authenticator app first', 'Staff work with a second factor. Set the app up in your profile, then sign in with it.']
    : text.startsWith('A colleague has suspended')
      ? ['Your staff rights are suspended', text]
      : status === 404
        ? ['This page is for staff', 'Your account is a member’s.']
        : ['The console could not be opened', 'The account could not be read. Please load the page again.']
  return (
    <Alone>
      <h1 className="text-xl font-strong tracking-head">{title}</h1>
      <p className="text-muted">{why}</p>
      <p className="flex min-w-0 items-center gap-2 flex-wrap mt-4 justify-center">
        <a className={buttonClass('primary', 'md')} href={needsApp ? '/profile' : status === 404 ? '/dashboard' : '/staff'}>
          {needsApp ? 'Profile and authenticator app' : status === 404 ? 'Go to the dashboard' : 'Try again'}
        </a>
        <Button onClick={() => void onEnd()}>Log Out</Button>
      </p>
    </Alone>
  )
}
