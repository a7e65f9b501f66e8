import type { ReplyOf } from '@tizara/contract'
import type { trustPage } from '@tizara/contract/trust'
import { useState } from 'react'
import { Moment } from '../lib/moment.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { canCheck, checkProof } from './check-proof.ts'
import { useMyProof } from './trust.queries.ts'

type Published = NonNullable<ReplyOf<typeof trustPage>['proof']>

/** Shows the published balance root and checks that it includes the member's balances. */
export function ProofCard({ published }: { published: Published }) {
  const { data: proof } = useMyProof()
  const [outcome, setOutcome] = useState<boolean>()
  async function check(): Promise<void> {
    if (proof !== undefined) setOutcome(await checkProof(proof, published.root))
  }
  return (
    <Card aria-labelledby="proof" className="lg:col-span-2">
      <CardHeader
        id="proof"
        title="Your balances in the whole"
        hint={
          <>
            All balances of <Moment at={published.at} time /> were folded into one number. Your browser can check that yours are in it.
          </>
        }
      />
      <CopyField label="Published root" value={published.root} />
      <DescriptionList
        className="mt-3"
        rows={[{ key: 'members', label: 'Members counted', value: published.members.toLocaleString('en-US') }]}
      />
      {proof === undefined ? (
        <p className="mt-3 text-sm text-muted">Your own balances are counted from the next day on.</p>
      ) : (
        <details className="mt-3 text-sm">
          <summary className="text-muted">What is checked</summary>
          <p className="mt-2 text-muted">{proof.algorithm}</p>
          <p className="mt-2 rounded-lg bg-raised p-3 font-mono text-xs break-all">{proof.leaf}</p>
        </details>
      )}
      <div className="mt-4 space-y-3" aria-live="polite">
        {outcome === true && (
          <Notice tone="success" title="Your balances are in the published root">
            Checked on this device from your balances and {proof?.path.length ?? 0} hashes.
          </Notice>
        )}
        {outcome === false && (
          <Notice tone="danger" title="Your balances do not lead to the published root">
            Please open a ticket and attach a picture of this page.
          </Notice>
        )}
        {!canCheck() && <p className="text-sm text-muted">This browser reckons only over a secure connection.</p>}
        <Button onClick={check} disabled={proof === undefined || !canCheck()}>
          Check my balances
        </Button>
      </div>
    </Card>
  )
}
