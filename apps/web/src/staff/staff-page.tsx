import type { ReplyOf } from '@tizara/contract'
import { inputErrors } from '@tizara/contract/errors'
import { logOut } from '@tizara/contract/session'
import { staffOverview } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { SandboxRibbon } from '../app/sandbox-ribbon.tsx'
import { ThemeSwitch } from '../app/theme-switch.tsx'
import { toApiError } from '../lib/api.ts'
import { send } from '../lib/http.ts'
import { queryClient, read } from '../lib/query.ts'
import { clearSession, readToken, useToken } from '../lib/session.ts'
import { useProfile } from '../members/index.ts'
import { useAppConfig } from '../settings/index.ts'
import { BrandMark } from '../ui/art/brand-mark.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'

type Waiting = ReplyOf<typeof staffOverview>['waiting']

/** What may wait, and the command that shows it. */
const queues: readonly { key: keyof Waiting; label: string; command: string }[] = [
  { key: 'withdrawals', label: 'USD withdrawals', command: 'queue kind=withdrawals status=PENDING' },
  { key: 'bridges', label: 'Bridge requests', command: 'queue kind=bridges status=PENDING' },
  { key: 'deposits', label: 'Deposits to look at', command: 'queue kind=deposits status=PENDING' },
  { key: 'tickets', label: 'Tickets without an answer', command: 'tickets status=OPEN' },
  { key: 'changes', label: 'Changes to approve', command: 'changes status=PENDING' },
]

const replacePage = (href: string): void => location.replace(href)

/** `/staff`: who is signed in, what waits, and the command that staff work with (GN-04, RT-17). */
export function StaffPage({ go = replacePage }: { go?: (href: string) => void }) {
  const token = useToken()
  const [leaving, setLeaving] = useState(false)
  const { data: member, isError } = useProfile()
  useEffect(() => {
    if (token === null && !leaving) go('/auth-admin')
  }, [token, leaving, go])

  /** The server is told before the page goes: a call on its way would be dropped. */
  async function end(): Promise<void> {
    const ended = readToken()
    setLeaving(true)
    clearSession()
    queryClient.clear()
    await send(logOut, {}, ended).catch(() => undefined)
    go('/auth-admin')
  }

  return (
    <Frame onEnd={token === null ? undefined : end}>
      {token === null || (member === undefined && !isError) ? (
        <Spinner label="Loading" />
      ) : member === undefined ? (
        <Notice tone="danger">The account could not be read. Please load the page again.</Notice>
      ) : member.isStaff === true ? (
        <Work email={member.email ?? ''} name={member.name} />
      ) : (
        <Notice title="This page is for staff" action={<GoTo href="/dashboard">Go to the dashboard</GoTo>}>
          Your account is a member’s.
        </Notice>
      )}
    </Frame>
  )
}

function Frame({ onEnd, children }: { onEnd: (() => Promise<void>) | undefined; children: ReactNode }) {
  const { brandName } = useAppConfig()
  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center gap-3 border-b bg-surface px-5 sm:px-8">
        <span className="mr-auto inline-flex items-center gap-2.5 text-md font-strong tracking-head">
          <BrandMark size={28} />
          {brandName}
        </span>
        <SandboxRibbon className="max-[430px]:hidden" />
        <ThemeSwitch />
        {onEnd && (
          <Button size="sm" onClick={onEnd}>
            Log Out
          </Button>
        )}
      </header>
      <main className="mx-auto w-full max-w-3xl space-y-5 px-5 pt-8 pb-16 sm:px-8">
        <h1 className="text-3xl font-strong tracking-num">Staff</h1>
        {children}
      </main>
    </>
  )
}

function GoTo({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className={buttonClass('secondary', 'sm')}>
      {children}
    </a>
  )
}

function Work({ email, name }: { email: string; name: string }) {
  return (
    <>
      <p className="text-muted">
        Signed in as {name}, {email}.
      </p>
      <Notice
        title="Staff work with a command today"
        action={
          <>
            <GoTo href="/profile">Profile and authenticator app</GoTo>
            <GoTo href="/dashboard">Member app</GoTo>
          </>
        }
      >
        <p>
          Decisions are made on the server with <Command>npm run staff -- sign-in EMAIL</Command>; pages for them do not exist yet. All
          commands: <Command>npm run staff -- help</Command>
        </p>
      </Notice>
      <Waits />
    </>
  )
}

function Command({ children }: { children: ReactNode }) {
  return <code className="rounded-sm bg-raised box-decoration-clone px-1.5 py-0.5 text-sm break-words text-ink">{children}</code>
}

/** How much waits in each queue; the reason when the server does not say. */
function Waits() {
  const { data, error } = useQuery(read(staffOverview, { query: { days: 1 } }), queryClient)
  const needsApp = error !== null && toApiError(error).serverMessage === inputErrors.STAFF_SECOND_FACTOR.message
  return (
    <Card>
      <CardHeader title="What waits for a decision" hint="The command beside each number lists it." />
      {error !== null && (
        <Notice tone={needsApp ? 'warning' : 'danger'} className="mb-4">
          {needsApp
            ? 'The numbers show once you have set up an authenticator app in your profile and signed in with it.'
            : 'The numbers could not be read. Please load the page again.'}
        </Notice>
      )}
      <ul className="divide-y">
        {queues.map(({ key, label, command }) => (
          <li key={key} className="grid grid-cols-[2.25rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 py-3">
            <span className="text-right text-lg font-strong tabular-nums">{data?.waiting[key] ?? '–'}</span>{' '}
            <span className="font-medium">{label}</span>
            <span className="col-start-2">
              <Command>{`npm run staff -- ${command}`}</Command>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
