import { inputErrors } from '@tizara/contract/errors'
import { Alone } from './standalone-page.tsx'

/** Why somebody does not get in, and the way on. */
export default function Refused({ text, status, onEnd }: { text: string; status: number; onEnd: () => Promise<void> }) {
  const needsApp = text === inputErrors.STAFF_SECOND_FACTOR.message
  const [title, why] = needsApp
    ? ['Set up an authenticator app first', 'Staff work with a second factor. Set the app up in your profile, then sign in with it.']
    : status === 404
      ? ['This page is for staff', 'Your account is a member’s.']
      : ['The console could not be opened', 'The account could not be read. Please load the page again.']
  return (
    <Alone>
      <h1>{title}</h1>
      <p className="mut">{why}</p>
      <p className="row wrap mt16" style={{ justifyContent: 'center' }}>
        <a className="btn pri" href={needsApp ? '/profile' : status === 404 ? '/dashboard' : '/staff'}>
          {needsApp ? 'Profile and authenticator app' : status === 404 ? 'Go to the dashboard' : 'Try again'}
        </a>
        <button type="button" className="btn" onClick={() => void onEnd()}>
          Log Out
        </button>
      </p>
    </Alone>
  )
}
