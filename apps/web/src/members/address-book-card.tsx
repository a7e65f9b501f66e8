import { payoutGuard, removePayoutAddress } from '@tizara/contract/withdrawals-guard'
import { useQuery } from '@tanstack/react-query'
import Wallet from 'lucide-react/icons/wallet'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { Moment } from '../lib/moment.tsx'
import { read, refetch } from '../lib/query.ts'
import { Address } from '../ui/address.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { confirmMessage } from '../ui/message-store.ts'
import { Notice } from '../ui/notice.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { AddressBookDialog, type BookStep } from './lazy-address-book.ts'
import { rejectionText } from './rejection-text.ts'
import type { BookAddress } from './address-book.queries.ts'

const NETWORKS = ['BEP(20)', 'ERC(20)', 'TRC(20)']

async function remove(entry: BookAddress): Promise<void> {
  const sure = await confirmMessage({
    title: 'Remove this address from your address book?',
    text: 'Payouts there need your confirmation again.',
    children: <Address value={entry.address} className="break-all" />,
    confirmLabel: 'Remove it',
    danger: true,
  })
  if (!sure) return
  try {
    await call(removePayoutAddress, { params: { id: entry.id } })
    toast('The address is removed from your address book.')
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
        <CardHeader title="Payout addresses" />
        <SkeletonText lines={5} />
      </Card>
    )
  }
  const { held } = guard
  return (
    <Card className={className}>
      <CardHeader
        title="Payout addresses"
        hint={`Payouts to other addresses wait for your confirmation. After ${guard.delayHours} hours, a new address needs no confirmation.`}
        action={
          <Button size="sm" onClick={() => setStep({ add: true })}>
            Add address
          </Button>
        }
      />
      {held !== null && (
        <Notice tone="warning" title="Withdrawals and bridges are on hold" className="mb-3">
          {held.until === null ? (
            <>They stay blocked until you set a new password with “Forgot password”: {held.why}.</>
          ) : (
            <>
              Until <Moment at={held.until} time />: {held.why}. If it was you, just wait. If not, change your password.
            </>
          )}
        </Notice>
      )}
      {guard.addresses.length === 0 ? (
        <p className="text-sm text-muted">No saved addresses yet.</p>
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

const PROVEN = { key: 'Proven by its key', contract: 'Proven by its contract' } as const
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
            Without a confirmation from <Moment at={usableFrom} time /> on
          </p>
        )}
      </div>
      {provenBy !== undefined && <Badge>{PROVEN[provenBy]}</Badge>}
      {usableFrom === null ? (
        <Button size="sm" aria-label={`Confirm ${entry.label}`} onClick={onConfirm}>
          Confirm
        </Button>
      ) : (
        <Badge tone={usable ? 'success' : 'warning'}>{usable ? 'In use' : 'Waiting'}</Badge>
      )}
      {isProvable(entry) && (
        <Button size="sm" aria-label={`Prove ${entry.label}`} onClick={onProve}>
          Prove
        </Button>
      )}
      <Button size="sm" className="max-sm:ml-8.5" aria-label={`Remove ${entry.label}`} onClick={() => void remove(entry)}>
        Remove
      </Button>
    </li>
  )
}
