import { payoutGuard, removePayoutAddress } from '@tizara/contract/withdrawals-guard'
import { useQuery } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import Wallet from 'lucide-react/icons/wallet'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { Moment } from '../../lib/moment.tsx'
import { read, refetch } from '../../lib/http/query.ts'
import { Address } from '../../ui/address.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { confirmMessage } from '../../ui/message-store.ts'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { AddressBookDialog, type BookStep } from './lazy-address-book.ts'
import { rejectionText } from './rejection-text.ts'
import type { BookAddress } from './address-book.queries.ts'
import { T } from '../../ui/t.tsx'

const NETWORKS = ['BEP(20)', 'ERC(20)', 'TRC(20)']

async function remove(entry: BookAddress): Promise<void> {
  const sure = await confirmMessage({
    title: t('Remove this address from your address book?'),
    text: t('Payouts there need your confirmation again.'),
    children: <Address value={entry.address} className="break-all" />,
    confirmLabel: t('Remove it'),
    danger: true,
  })
  if (!sure) return
  try {
    await call(removePayoutAddress, { params: { id: entry.id } })
    toast(t('The address is removed from your address book.'))
  } catch (error) {
    toast(rejectionText(error), { tone: 'danger' })
  }
  await refetch(payoutGuard)
}

/** Addresses that need no payout confirmation, and any payout freeze. */
export default function AddressBookCard({ className }: { className?: string }) {
  const { data: guard, isPending } = useQuery(read(payoutGuard))
  const [step, setStep] = useState<BookStep>()
  // Servers that implement only the specification have no address book. Load failures are not shown (ER-67).
  if (guard === undefined && !isPending) return null
  if (guard === undefined) {
    return (
      <Card className={className} aria-busy="true">
        <CardHeader title={t('Payout addresses')} />
        <SkeletonText lines={5} />
      </Card>
    )
  }
  const { held } = guard
  return (
    <Card className={className}>
      <CardHeader
        title={t('Payout addresses')}
        hint={t('Payouts to other addresses wait for your confirmation. After {delayHours} hours, a new address needs no confirmation.', {
          delayHours: guard.delayHours,
        })}
        action={
          <Button size="sm" onClick={() => setStep({ add: true })}>
            {t('Add address')}
          </Button>
        }
      />
      {held !== null && (
        <Notice tone="warning" title={t('Withdrawals and bridges are on hold')} className="mb-3">
          {held.until === null ? (
            <T text="They stay blocked until you set a new password with “Forgot password”: {why}." why={held.why} />
          ) : (
            <T
              text="Until {moment}: {why}. If it was you, just wait. If not, change your password."
              moment={<Moment at={held.until} time />}
              why={held.why}
            />
          )}
        </Notice>
      )}
      {guard.addresses.length === 0 ? (
        <p className="text-sm text-muted">{t('No saved addresses yet.')}</p>
      ) : (
        <ul className="divide-y">
          {guard.addresses.map((entry) => (
            <Line key={entry.id} entry={entry} onConfirm={() => setStep({ confirm: entry })} onProve={() => setStep({ prove: entry })} />
          ))}
        </ul>
      )}
      {step !== undefined && (
        <AddressBookDialog step={step} kind={guard.proof} passkey={guard.passkey} onClose={() => setStep(undefined)} />
      )}
    </Card>
  )
}

const PROVEN = texts({ key: 'Proven by its key', contract: 'Proven by its contract' })
/** TRC(20) addresses have another signature. */
const isProvable = ({ network, provenBy }: BookAddress): boolean => network !== 2 && provenBy === undefined

function Line({ entry, onConfirm, onProve }: { entry: BookAddress; onConfirm: () => void; onProve: () => void }) {
  const { usableFrom, provenBy } = entry
  const usable = usableFrom !== null && usableFrom.getTime() <= Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Wallet size={18} aria-hidden="true" className="text-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">
          {entry.label} <span className="text-sm font-normal text-muted">{NETWORKS[entry.network] ?? entry.network}</span>
        </p>
        <Address value={entry.address} className="text-sm break-all" />
        {usableFrom !== null && !usable && (
          <p className="text-sm text-muted">
            <T text="Without a confirmation from {moment} on" moment={<Moment at={usableFrom} time />} />
          </p>
        )}
      </div>
      {provenBy !== undefined && <Badge>{PROVEN[provenBy]}</Badge>}
      {usableFrom === null ? (
        <Button size="sm" aria-label={t('Confirm {label}', { label: entry.label })} onClick={onConfirm}>
          {t('Confirm')}
        </Button>
      ) : (
        <Badge tone={usable ? 'success' : 'warning'}>{usable ? t('In use') : t('Waiting')}</Badge>
      )}
      {isProvable(entry) && (
        <Button size="sm" aria-label={t('Prove {label}', { label: entry.label })} onClick={onProve}>
          {t('Prove')}
        </Button>
      )}
      <Button
        size="sm"
        className="max-sm:ms-8.5"
        aria-label={t('Remove {label}', { label: entry.label })}
        onClick={() => void remove(entry)}
      >
        {t('Remove')}
      </Button>
    </li>
  )
}
