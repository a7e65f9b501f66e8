import { login, userLogin } from '@tizara/contract/auth'
import { dateLocale, t } from '@tizara/languages'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { call, toApiError } from '../../lib/http/api.ts'
import { startSession } from '../../lib/http/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { T } from '../../ui/t.tsx'

/** Demo account, as the server lists it. */
interface Account {
  name: string
  email: string
  part: string
  isStaff: boolean
}

/** Reply of `GET /sandbox/sheet`, which exists only in the sandbox. */
interface Sheet {
  now: string
  mails: boolean
  apiDocs: boolean
  password: string
  accounts: readonly Account[]
}

const noAnswer = (): string => t('The sandbox did not answer. Please try again.')
const timeFormat = () => new Intl.DateTimeFormat(dateLocale('en-GB'), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const reply = await fetch(`/sandbox/${path}`, { ...init, cache: 'no-store' })
  const body = (await reply.json()) as T & { message?: string }
  if (!reply.ok) throw new Error(body.message ?? noAnswer())
  return body
}

const openPage = (href: string): void => location.assign(href)

/**
 * Lists the pages and accounts of a demo, and moves its clock.
 * @param props `go` opens another page of the product
 */
export function SandboxSheet({ onClose, go = openPage }: { onClose: () => void; go?: (href: string) => void }) {
  const [sheet, setSheet] = useState<Sheet>()
  const [hasMoved, setMoved] = useState(false)
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState<string>()
  useEffect(() => {
    ask<Sheet>('sheet').then(setSheet, () => setError(noAnswer()))
  }, [])

  async function run(name: string, work: () => Promise<void>): Promise<void> {
    setPending(name)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      const { serverMessage } = toApiError(thrown)
      setError(serverMessage ?? (thrown instanceof Error && thrown.message !== '' ? thrown.message : noAnswer()))
    }
    setPending(undefined)
  }

  const signInAs = ({ email, isStaff }: Account, password: string) =>
    run(email, async () => {
      const { data } = await call(isStaff ? userLogin : login, { body: { email, password } })
      const isVerified = data.user?.isVerified ?? false
      startSession(data.token, isVerified)
      go(isStaff ? '/staff' : isVerified ? '/dashboard' : '/verify-token')
    })

  const passDay = () =>
    run('later', async () => {
      const { now } = await ask<{ now: string }>('later', { method: 'POST', headers: { 'x-sandbox': 'later' } })
      setSheet((known) => known && { ...known, now })
      setMoved(true)
    })

  /** Reloads the page after the clock has moved, because everything on it is a day old. */
  const close = () => (hasMoved ? go(location.href) : onClose())

  // Outside of the page's header, where the badge is, so that the sheet is not part of that landmark.
  return createPortal(
    <Dialog open title={t('Sandbox')} description={t('All money is play money.')} onClose={close}>
      <div className="space-y-5">
        {error !== undefined && <Notice tone="danger">{error}</Notice>}
        {sheet === undefined && error === undefined && <p className="text-muted">{t('Loading…')}</p>}
        {sheet !== undefined && (
          <>
            <nav aria-label={t('Sandbox pages')} className="flex flex-wrap gap-x-4 gap-y-2">
              {pagesOf(sheet).map(([name, href]) => (
                <a key={href} className="link" href={href} target="_blank" rel="noreferrer">
                  {name}
                </a>
              ))}
            </nav>
            <section className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
              <p>
                <span className="block text-sm text-muted">{t('Time of the platform (UTC)')}</span>
                <time dateTime={sheet.now}>{timeFormat().format(new Date(sheet.now))}</time>
                {hasMoved && <span className="block text-sm text-muted">{t('Rewards and other due work follow within a minute.')}</span>}
              </p>
              <Button size="sm" pending={pending === 'later'} onClick={passDay}>
                {t('A day later')}
              </Button>
            </section>
            {sheet.accounts.length > 0 && <Accounts sheet={sheet} pending={pending} onSignIn={signInAs} />}
          </>
        )}
      </div>
    </Dialog>,
    document.body,
  )
}

const pagesOf = ({ mails, apiDocs }: Sheet): [name: string, href: string][] => [
  [t('Member app'), '/'],
  [t('Staff console'), '/auth-admin'],
  ...(mails ? [[t('Mails'), '/sandbox/outbox'] satisfies [string, string]] : []),
  ...(apiDocs ? [['API', '/api/docs'] satisfies [string, string]] : []),
]

interface AccountsProps {
  sheet: Sheet
  /** Email of the account that is signing in. */
  pending: string | undefined
  onSignIn: (account: Account, password: string) => Promise<void>
}

function Accounts({ sheet: { accounts, password }, pending, onSignIn }: AccountsProps) {
  return (
    <section className="border-t pt-4">
      <h3 className="font-semi">{t('Demo accounts')}</h3>
      <p className="text-sm text-muted">
        <T text="Password of all: {code}" code={<code>{password}</code>} />
      </p>
      <ul className="mt-2 divide-y">
        {accounts.map((account) => (
          <li key={account.email} className="flex items-center gap-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{account.email}</span>
              <span className="block text-sm text-muted">{account.part}</span>
            </span>
            <Button
              size="sm"
              aria-label={t('Sign in as {name}', { name: account.name })}
              pending={pending === account.email}
              onClick={() => onSignIn(account, password)}
            >
              {t('Sign in')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
