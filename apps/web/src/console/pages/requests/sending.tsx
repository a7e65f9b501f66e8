import { answerChain } from '@tizara/contract/staff-platform'
import { staffQueue, staffQueueItem, stopSending } from '@tizara/contract/staff-queues'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Money } from '../../../ui/money.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useMay } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, briefly } from '../../kit/when.ts'
import { amountToPay, type QueueDetail, type QueueRow } from './queue.ts'
import { FactList } from '../../../ui/fact-list.tsx'

const STATES: Record<NonNullable<QueueDetail['sending']>['state'], string> = {
  QUEUED: 'Waiting to be signed',
  SIGNED: 'Sent, not in a block yet',
  MINED: 'In a block, waiting for twelve confirmations',
  DONE: 'Arrived',
  FAILED: 'Failed on the chain, money returned',
  CANCELLED: 'Cancelled, money returned',
}

/** Shows the chain status of an approved payout. It can be cancelled until it has arrived. */
export function Sending({ item, sending }: { item: QueueRow; sending: QueueDetail['sending'] }) {
  const may = useMay(stopSending.name)
  const [stopping, setStopping] = useState(false)
  const mayAnswer = useMay(answerChain.name)
  const [answering, setAnswering] = useState<AnswerKind>()
  if (sending === undefined) return null
  const open = sending.endedAt === undefined
  return (
    <section aria-label="On the chain">
      <h3 className="mt-4 text-sm font-semi">On the chain</h3>
      <p className="font-semi mt-1">{STATES[sending.state]}</p>
      {sending.problem !== undefined && <p className="text-warning text-xs mt-1">{plain(sending.problem)}</p>}
      {open && sending.cancelAskedAt !== undefined && (
        <p className="text-xs mt-1">Cancellation requested. It may still arrive; the money returns only when it can no longer arrive.</p>
      )}
      <FactList tight className="text-xs mt-2">
        {sending.wallet !== undefined && (
          <>
            <dt>From the hot wallet</dt>
            <dd className="font-mono text-xs">{sending.wallet}</dd>
            <dt>Nonce</dt>
            <dd className="text-right whitespace-nowrap">{sending.nonce}</dd>
          </>
        )}
        {sending.transactions.map((made) => (
          <Transaction key={made.hash} made={made} />
        ))}
        {sending.endedAt !== undefined && (
          <>
            <dt>Ended</dt>
            <dd title={utcAndLocal(sending.endedAt)}>{briefly(sending.endedAt)} UTC</dd>
          </>
        )}
      </FactList>
      {open && sending.cancelAskedAt === undefined && may && (
        <Button className="mt-2" onClick={() => setStopping(true)}>
          Cancel payout
        </Button>
      )}
      {sending.answer !== undefined && <p className="text-xs mt-1">Two staff members have decided: {ANSWERS[sending.answer].outcome}.</p>}
      {mayAnswer &&
        sending.answers?.map((answer) => (
          <Button key={answer} className="mt-2" onClick={() => setAnswering(answer)}>
            {ANSWERS[answer].verb}
          </Button>
        ))}
      {answering !== undefined && <Answer item={item} answer={answering} onClose={() => setAnswering(undefined)} />}
      {stopping && (
        <ActDialog
          title="Cancel this payout"
          effects={
            sending.state === 'QUEUED'
              ? [
                  <>
                    <Money value={amountToPay(item)} /> and the fees go back to the member now.
                  </>,
                ]
              : ['It is signed: it may still arrive.', 'The money goes back only once the chain has proved that it cannot arrive any more.']
          }
          verb="Cancel payout"
          keep="Keep the payout"
          danger
          draft={`stop-sending:${item.id}`}
          onDo={async (reason) => {
            await call(stopSending, { params: { kind: item.kind, id: item.id }, body: { reason } })
            await Promise.all([staffQueue, staffQueueItem].map((route) => refetch(route)))
          }}
          onClose={() => setStopping(false)}
        />
      )}
    </section>
  )
}

type AnswerKind = NonNullable<NonNullable<QueueDetail['sending']>['answer']>

const ANSWERS: Record<AnswerKind, { verb: string; outcome: string; effect: string }> = {
  GIVE_BACK: {
    verb: 'Propose a refund',
    outcome: 'it goes back to the member',
    effect: 'The whole amount goes back to the member once the chain proves that the payment cannot arrive any more.',
  },
  ARRIVED: {
    verb: 'Propose that it has arrived',
    outcome: 'it has arrived',
    effect: 'It counts as paid, and nothing is returned. Check the receiver’s balance first.',
  },
}

/** Lets two people resolve a payout whose chain result is unclear. */
function Answer({ item, answer, onClose }: { item: QueueRow; answer: AnswerKind; onClose: () => void }) {
  const { verb, effect } = ANSWERS[answer]
  return (
    <ActDialog
      title={verb}
      effects={['Another person has to approve it under Proposals.', effect]}
      verb="Propose"
      draft={`answer:${item.id}:${answer}`}
      onDo={async (reason) => {
        await call(answerChain, { body: { about: 'payout', id: item.id, answer, reason } })
        toast('Proposed; another person has to approve it')
        await refetch(staffQueueItem)
      }}
      onClose={onClose}
    />
  )
}

function Transaction({ made }: { made: NonNullable<QueueDetail['sending']>['transactions'][number] }) {
  return (
    <>
      <dt>{made.purpose === 'PAYMENT' ? 'Payment' : 'Cancellation'}</dt>
      <dd className="font-mono text-xs">
        {made.url === undefined ? (
          made.hash
        ) : (
          <a href={made.url} target="_blank" rel="noopener noreferrer">
            {made.hash}
          </a>
        )}
        {made.block !== undefined && <span className="text-muted"> · block {made.block}</span>}
      </dd>
    </>
  )
}
