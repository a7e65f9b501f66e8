import type { ReplyOf } from '@tizara/contract'
import { chooseNotice, noticeChoices, type OptionalNotice } from '@tizara/contract/notices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { read } from '../lib/query.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { refusalText } from './refusal-text.ts'

type Choice = ReplyOf<typeof noticeChoices>[number]

const NAMES: Record<Choice['event'], string> = {
  deposit: 'A deposit was credited',
  received: 'Another member sent me USD',
  'stake-ended': 'A stake has ended',
  'support-answer': 'Support answered my ticket',
  'sign-in': 'A sign-in from a new device',
  password: 'My password was changed',
  'second-factor': 'My authenticator app was switched on or off',
  payout: 'Each step of a payout',
  'payout-address': 'A new payout address',
  staff: 'Staff reversed one of my transfers',
}

/** Selects the member's email notifications. */
export default function NoticesCard({ className }: { className?: string }) {
  const { data, isPending, error } = useQuery({ ...read(noticeChoices), staleTime: 0 })
  // Only logged (ER-67); other servers have no such setting.
  if (error !== null) return null
  return (
    <Card className={className}>
      <CardHeader title="Mails to me" hint="Security mails are always sent. Several events at once come in one mail." />
      {isPending ? <SkeletonText lines={3} /> : <Choices choices={data} />}
    </Card>
  )
}

function Choices({ choices }: { choices: readonly Choice[] }) {
  const queries = useQueryClient()
  async function choose({ event, locked }: Choice, on: boolean): Promise<void> {
    if (locked) return
    try {
      await call(chooseNotice, { body: { event: event as OptionalNotice, on } })
    } catch (fault) {
      toast(refusalText(fault), { tone: 'danger' })
    }
    await queries.invalidateQueries({ queryKey: [noticeChoices.name] })
  }
  return (
    <ul className="grid gap-x-6 sm:grid-cols-2">
      {choices.map((choice) => (
        <li key={choice.event}>
          <label className="flex min-h-9 items-center gap-2.5 py-1">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={choice.on}
              disabled={choice.locked}
              onChange={(event) => void choose(choice, event.target.checked)}
            />
            <span className="min-w-0 flex-1">{NAMES[choice.event]}</span>
            {choice.locked && <span className="text-sm text-muted">always</span>}
          </label>
        </li>
      ))}
    </ul>
  )
}
