import { answerChain, resumePlatform, pausePlatform } from '@tizara/contract/staff-platform'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from '../kit/act-dialog.tsx'
import { rereadPlatform } from './reread-platform.ts'

/** Proposes to resume payouts, credits and runs. */
export function ResumeDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActDialog
      title="Resume payouts and runs"
      effects={[
        'Another person has to approve it under Proposals.',
        'Pending payouts are then paid as decided, and due rewards are paid immediately.',
      ]}
      verb="Propose"
      draft="resume"
      onDo={async (reason) => {
        await call(resumePlatform, { body: { reason } })
        toast('Proposed; another person has to approve it')
        await rereadPlatform()
      }}
      onClose={onClose}
    />
  )
}

/** Pauses payouts, credits and runs, after showing the effects. */
export function PauseDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActDialog
      title="Pause payouts, credits and reward runs"
      effects={[
        'No payout, deposit or reward is processed from now on, approved or not.',
        'Members’ requests are still accepted and wait. Members buy, stake and swap as before.',
        'Resuming takes two people.',
      ]}
      verb="Pause"
      keep="Keep running"
      danger
      note="all staff can read it"
      draft="stop"
      onDo={async (reason) => {
        await call(pausePlatform, { body: { reason } })
        await rereadPlatform()
      }}
      onClose={onClose}
    />
  )
}

/** Proposes to close a chain incident after staff investigated it. A second person approves. */
export function AnswerDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <ActDialog
      title="Propose to close this incident"
      effects={[
        'Another person has to approve it under Proposals; then the incident is closed.',
        'It reverses nothing. First reverse the credits of reverted payments, under Ledger.',
        'Payouts resume once the pause is lifted as well.',
      ]}
      verb="Propose"
      note="findings and actions taken; the second person decides on this basis"
      draft={`answer:${id}`}
      onDo={async (reason) => {
        await call(answerChain, { body: { about: 'incident', id, answer: 'SEEN', reason } })
        toast('Proposed; another person has to approve it')
        await rereadPlatform()
      }}
      onClose={onClose}
    />
  )
}

/** Proposes to credit the payments at an address without an invoice to a member. A second person approves. */
export function ClaimDialog({ id, addresses, onClose }: { id: string; addresses: readonly string[]; onClose: () => void }) {
  const [address, setAddress] = useState(addresses[0] ?? '')
  const [email, setEmail] = useState('')
  return (
    <ActDialog
      title="Propose a credit"
      effects={[
        'Another person has to approve it under Proposals; then the payments at this address are credited to the member.',
        'Later payments to the address, and payments in another token, wait under Deposits.',
        'First let the member prove that the product had shown them the address, or that they sent the transaction.',
      ]}
      verb="Propose"
      note="the proof; the second person decides on this basis"
      draft={`claim:${id}`}
      onDo={async (reason) => {
        await call(answerChain, { body: { about: 'incident', id, answer: 'CREDIT', address, email: email.trim(), reason } })
        toast('Proposed; another person has to approve it')
        await rereadPlatform()
      }}
      onClose={onClose}
    >
      <label className="mt-2 block">
        <span className="mb-1 block font-medium font-semi">Address</span>
        <select className="control" value={address} onChange={(event) => setAddress(event.target.value)}>
          {addresses.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label className="mt-2 block">
        <span className="mb-1 block font-medium font-semi">Email address of the member</span>
        <input className="control" type="email" autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
      </label>
    </ActDialog>
  )
}
