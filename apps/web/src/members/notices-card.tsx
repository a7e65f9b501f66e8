import type { ReplyOf, WireBodyOf } from '@tizara/contract'
import { chooseNotice, noticeChoices, type NoticeVia } from '@tizara/contract/notices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import { call } from '../lib/http/api.ts'
import { read } from '../lib/http/query.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { rejectionText } from './addresses/rejection-text.ts'

type Choice = ReplyOf<typeof noticeChoices>[number]
type Channel = 'mail' | 'inbox'

const NAMES: Record<Choice['event'], string> = texts({
  deposit: 'A deposit was credited',
  received: 'Another member sent me USD',
  reward: 'A monthly or one-off reward was paid',
  'stake-ended': 'A stake has ended',
  'sell-request': 'My sell request was served, or has expired',
  'support-answer': 'Support answered my ticket',
  message: 'A message from the platform',
  'sign-in': 'A sign-in from a new device',
  password: 'My password was changed',
  'second-factor': 'My authenticator app or a passkey was changed',
  recovery: 'A recovery of my account started or ended',
  contact: 'My name, phone number or email address was changed',
  payout: 'Each step of a withdrawal or bridge',
  'payout-address': 'A new payout address',
  staff: 'Staff reversed one of my transfers',
})
const CHANNELS: Readonly<Record<Channel, string>> = texts({ mail: 'Mail', inbox: 'Inbox' })

/** Selects mail, inbox or both for each kind of notification. */
export default function NoticesCard({ className }: { className?: string }) {
  const { data, isPending, error } = useQuery({ ...read(noticeChoices), staleTime: 0 })
  // Errors are only logged (ER-67): servers that implement only the specification lack this call.
  if (error !== null) return null
  return (
    <Card className={className}>
      <CardHeader
        title={t('Events')}
        hint={t('Security mails are always sent. Several events at once come in one mail. Each kind reaches you in at least one way.')}
      />
      {isPending ? <SkeletonText lines={3} /> : <Choices choices={data} />}
    </Card>
  )
}

/** Returns the choice after a channel was switched; undefined if none would be left. */
function afterSwitch(via: NoticeVia, channel: Channel): NoticeVia | undefined {
  if (via === 'both') return channel === 'mail' ? 'inbox' : 'mail'
  return via === channel ? undefined : 'both'
}

function Choices({ choices }: { choices: readonly Choice[] }) {
  const queries = useQueryClient()
  async function choose({ event }: Choice, via: NoticeVia): Promise<void> {
    try {
      await call(chooseNotice, { body: { event, via } as WireBodyOf<typeof chooseNotice> })
    } catch (error) {
      toast(rejectionText(error), { tone: 'danger' })
    }
    await queries.invalidateQueries({ queryKey: [noticeChoices.name] })
  }
  return (
    <table className="w-full">
      <thead>
        <tr className="text-start text-sm text-muted">
          <th scope="col" className="py-1 text-start font-normal">
            {t('Event')}
          </th>
          {Object.values(CHANNELS).map((name) => (
            <th key={name} scope="col" className="w-16 py-1 text-center font-normal wrap-anywhere">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {choices.map((choice) => (
          <tr key={choice.event} className="border-t">
            <th scope="row" className="py-2 pe-3 text-start font-normal wrap-anywhere">
              {NAMES[choice.event]}
            </th>
            {(['mail', 'inbox'] as const).map((channel) => {
              const next = afterSwitch(choice.via, channel)
              return (
                <td key={channel} className="text-center">
                  <label className="inline-flex size-9 items-center justify-center">
                    <input
                      type="checkbox"
                      aria-label={`${CHANNELS[channel]}: ${NAMES[choice.event]}`}
                      className="size-4 accent-accent"
                      checked={choice.via === 'both' || choice.via === channel}
                      disabled={next === undefined || (choice.locked && channel === 'mail')}
                      onChange={() => next && void choose(choice, next)}
                    />
                  </label>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
