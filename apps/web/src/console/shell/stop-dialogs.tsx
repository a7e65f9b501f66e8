import { answerChain, liftStop, pausePlatform } from '@tizara/contract/staff-platform'
import { call } from '../../lib/api.ts'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from '../kit/act-dialog.tsx'
import { rereadPlatform } from './reread-platform.ts'

/** Proposes to resume payouts, credits and runs. */
export function LiftDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActDialog
      title="Resume payouts and runs"
      effects={[
        'Another admin has to approve it under Changes.',
        'What waits is then paid as it is decided; rewards that are due run at once.',
      ]}
      verb="Propose"
      draft="lift"
      onDo={async (reason) => {
        await call(liftStop, { body: { reason } })
        toast('Proposed; another admin has to approve it')
        await rereadPlatform()
      }}
      onClose={onClose}
    />
  )
}

/** Pauses payouts, credits and runs, after showing the effects. */
export function StopDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActDialog
      title="Pause payouts, credits and reward runs"
      effects={[
        'No payout, deposit or reward goes through from now on, whoever decides it.',
        'What members ask for is still taken and waits; they buy, stake and swap as before.',
        'Letting it go on takes two admins.',
      ]}
      verb="Stop"
      keep="Keep running"
      danger
      note="everybody of the staff reads it"
      draft="stop"
      onDo={async (reason) => {
        await call(pausePlatform, { body: { reason } })
        await rereadPlatform()
      }}
      onClose={onClose}
    />
  )
}

/** Proposes to close a chain incident after staff investigated it. A second admin approves. */
export function AnswerDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <ActDialog
      title="Say that this was looked into"
      effects={[
        'Another admin has to approve it under Changes; then the incident is over.',
        'Nothing is paid back or taken back by it: what was credited for payments that are gone has to be taken back before, under Ledger.',
        'Payouts go on once the stop is lifted as well.',
      ]}
      verb="Propose"
      note="what was found and done; the second admin decides by it"
      draft={`answer:${id}`}
      onDo={async (reason) => {
        await call(answerChain, { body: { about: 'incident', id, answer: 'SEEN', reason } })
        toast('Proposed; another admin has to approve it')
        await rereadPlatform()
      }}
      onClose={onClose}
    />
  )
}
