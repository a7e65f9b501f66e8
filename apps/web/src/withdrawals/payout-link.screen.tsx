import type { ReplyOf } from '@tizara/contract'
import { confirmByLink, payoutLink, stopByLink } from '@tizara/contract/withdrawals-guard'
import { t, texts } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../lib/http/api.ts'
import { Moment } from '../lib/moment.tsx'
import { useAppConfig } from '../settings/index.ts'
import { Address } from '../ui/address.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { T } from '../ui/t.tsx'

type About = ReplyOf<typeof payoutLink>

const NETWORKS = ['BEP(20)', 'ERC(20)', 'TRC(20)']

/** Each state's text. */
const STATE_TEXTS = texts<Readonly<Record<About['state'], { tone: 'info' | 'success' | 'warning'; text: string }>>>('text', {
  waiting: { tone: 'info', text: 'This needs your confirmation. Check the amount and every character of the address first.' },
  confirmed: { tone: 'success', text: 'This is confirmed. If it was not you, stop it now.' },
  paid: { tone: 'warning', text: 'This has been paid. If it was not you, stop all further payouts now.' },
  returned: { tone: 'info', text: 'The whole amount is back in your wallet.' },
  expired: { tone: 'info', text: 'The time to confirm has passed. The whole amount is returned to your wallet.' },
  removed: { tone: 'info', text: 'This address is no longer in your address book.' },
})

/** Returns the emailed link's token. It follows the #, so that no server or log receives it. */
const tokenOf = (hash: string): string => {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}

/** `/payout#…`: an emailed link's subject. Needs no session; only a button press has an effect. */
export default function PayoutLinkScreen() {
  const [token] = useState(() => tokenOf(location.hash))
  const [about, setAbout] = useState<About>()
  const [error, setError] = useState<string>()
  const [running, setRunning] = useState<'confirm' | 'stop'>()

  async function read(): Promise<void> {
    try {
      setAbout((await call(payoutLink, { token })).data)
    } catch (thrown) {
      setError(toApiError(thrown).message)
    }
  }
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname)
    void read()
    // Runs once, because the token does not change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  async function press(what: 'confirm' | 'stop'): Promise<void> {
    setRunning(what)
    setError(undefined)
    try {
      await call(what === 'confirm' ? confirmByLink : stopByLink, { token })
    } catch (thrown) {
      setError(toApiError(thrown).message)
    }
    await read()
    setRunning(undefined)
  }

  return (
    <>
      <h1 className="text-3xl font-strong tracking-num">
        {about?.about === 'address' ? t('Payout address') : about?.about === 'transfer' ? t('Transfer') : t('Payout')}
      </h1>
      <div className="mt-7 space-y-5">
        {error !== undefined && <Notice tone="danger">{error}</Notice>}
        {error !== undefined && about === undefined && (
          <p className="text-muted">
            <T
              text="The link in the mail works only while its request is pending. <link>Sign in</link> to see your payouts under History."
              link={(content) => (
                <Link href="/" className="link">
                  {content}
                </Link>
              )}
            />
          </p>
        )}
        {about === undefined ? error === undefined && <Skeleton className="h-40 w-full" /> : <Details about={about} />}
        {about !== undefined && !about.stopped && (
          <div className="flex flex-wrap gap-3">
            {about.state === 'waiting' && (
              <Button
                variant="primary"
                pending={running === 'confirm'}
                disabled={running !== undefined}
                onClick={() => void press('confirm')}
              >
                {t('Confirm {kind, select, transfer {transfer} address {address} other {payout}}', { kind: about.about })}
              </Button>
            )}
            <Button variant="danger" pending={running === 'stop'} disabled={running !== undefined} onClick={() => void press('stop')}>
              {t('This was not me: stop payouts')}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function Details({ about }: { about: About }) {
  const { tokenSymbol } = useAppConfig()
  const { tone, text } = STATE_TEXTS[about.state]
  return (
    <>
      {about.stopped ? (
        <Notice
          tone="warning"
          title={t('All payouts of this account are stopped')}
          action={
            <Link href="/auth/forgot-password" className={buttonClass('secondary', 'sm')}>
              {t('Choose a new password')}
            </Link>
          }
        >
          {t(
            'All pending requests are cancelled and their money is returned. All devices are signed out. Payouts, bridges and transfers to other members stay blocked until you choose a new password through “Forgot password”. If money has left already, contact us at once.',
          )}
        </Notice>
      ) : (
        <Notice tone={tone}>{text}</Notice>
      )}
      <DescriptionList
        boxed
        rows={[
          about.amount !== null && {
            label: t('Amount'),
            value: `${formatUnits(about.amount)} ${about.asset === 'coin' ? tokenSymbol : 'USD'}`,
          },
          { label: t('To'), value: <Address value={about.address} />, stacked: true },
          about.about !== 'transfer' && { label: t('Network'), value: NETWORKS[about.network] ?? String(about.network) },
          { label: t('Requested'), value: <Moment at={about.createdAt} time /> },
          about.state === 'waiting' && about.confirmBy !== null && { label: t('Waits until'), value: <Moment at={about.confirmBy} time /> },
        ]}
      />
    </>
  )
}
